// Dispatches of workflows whose call ends without an answer (D72). GitHub is calls that this test ends.

#include "tests/actors/support/calls.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// A stage with a GITHUB agent and a launched run of one result, whose dispatch waits for its answer.
struct DispatchedRun {
  DispatchedRun() {
    stage.set_outside(calls.outside());
    stage.set_secrets(secrets);
    Agent agent = stage.record<Agent>();
    agent.type = "GITHUB";
    agent.config.text = R"({"owner":"o","repo":"r","workflow":"w.yml","ref":"main"})";
    agent.secrets.text = R"({"token":")" + secrets.seal(agent.stamp.id, "token", "t") + R"("})";
    stage.create(agent);
    CreateRun command;
    command.run.scenario.id = stage.scenario;
    command.run.agent.id = agent.stamp.id;
    command.run.status = RunStatus::pending;
    stage.add_test(stage.scenario);
    run = stage.must_run(Id{}, command).value().run.stamp.id;
    stage.actors->settle();
  }
  ~DispatchedRun() { calls.forget(); }  // a call that stays open would keep its actor alive for ever
  DispatchedRun(const DispatchedRun&) = delete;
  DispatchedRun& operator=(const DispatchedRun&) = delete;

  /// The dispatch under way ends without an answer, and some time passes.
  void end_canceled(bool was_sent) {
    calls.end_any(dice, outbound::Failure{outbound::FailureKind::canceled, "canceled", was_sent});
    stage.actors->settle();
    stage.actors->pass(std::chrono::seconds(1));
    stage.actors->settle();
  }

  store::Secrets secrets{store::Key256{7}};
  std::mt19937_64 dice{10};
  Calls calls;
  Stage stage;
  Id run;
};

TEST(Workflows, what_was_given_up_for_no_cancel_of_its_own_run_is_asked_again) {
  DispatchedRun dispatched;
  ASSERT_EQ(dispatched.calls.begun(), 1U);
  for (std::size_t times = 2; times < 5; ++times) {
    dispatched.end_canceled(false);
    EXPECT_EQ(dispatched.calls.begun(), times);
  }
  dispatched.stage.must_run(dispatched.run, CancelRun{});
  const std::size_t begun = dispatched.calls.begun();
  dispatched.end_canceled(false);
  EXPECT_EQ(dispatched.calls.begun(), begun) << "its own run is canceled";
}

TEST(Workflows, what_may_have_started_is_not_asked_again_D72) {
  DispatchedRun dispatched;
  dispatched.end_canceled(true);
  EXPECT_EQ(dispatched.calls.begun(), 1U);
}

}  // namespace
}  // namespace parley::actors::test
