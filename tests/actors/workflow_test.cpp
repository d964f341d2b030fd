// Dispatches of workflows whose call ends without an answer (D72). GitHub consists of calls that this test ends.

#include <gmock/gmock.h>

#include "store/list.hpp"
#include "tests/actors/support/calls.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// A stage with a GITHUB agent and a launched run of one result, whose dispatch waits for its answer.
struct DispatchedRun {
  /// `steps`: the number of messages after the run was requested, each of a randomly chosen actor.
  explicit DispatchedRun(std::optional<std::size_t> steps = std::nullopt, const std::string& public_url = "")
      : stage(with(public_url)) {
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
    if (steps) {
      static_cast<void>(stage.ask_run(Id{}, command));
      stage.actors->step(dice, *steps);
      return;
    }
    run = stage.must_run(Id{}, command).value().run.stamp.id;
    stage.actors->settle();
  }
  ~DispatchedRun() { calls.forget(); }  // a call that stays open would keep its actor alive indefinitely
  DispatchedRun(const DispatchedRun&) = delete;
  DispatchedRun& operator=(const DispatchedRun&) = delete;

  /// GitHub accepts the dispatch in progress, but no workflow starts before the result fails.
  void wait_in_vain() {
    calls.end_any(dice, outbound::HttpAnswer{.status = 204});
    stage.actors->settle();
    stage.clock.advance(Settings{}.github_timeout_ms + 1'000);
    stage.actors->pass(std::chrono::seconds(2));
    stage.actors->settle();
  }
  /// metadata.error of the only result.
  [[nodiscard]] std::string error_of_result() {
    store::ListQuery query{};
    query.kind = RecordKind::test_result;
    query.filters.push_back({store::Facet::run, {store::value_of(run)}});
    const auto ids = store::all_ids(stage.store().snapshot(), query);
    if (!ids || ids->size() != 1) return "not one result";
    const ResultHead head = stage.head(ids->front());
    return head.error ? head.error->text : "no error";
  }

  /// Ends the dispatch in progress without an answer and lets some time pass.
  void end_canceled(bool was_sent) {
    calls.end_any(dice, outbound::Failure{outbound::FailureKind::canceled, "canceled", was_sent});
    stage.actors->settle();
    stage.actors->pass(std::chrono::seconds(1));
    stage.actors->settle();
  }

  /// Stops the server, which ends the dispatch in progress, and starts it again.
  void stop(bool was_sent) {
    stage.gateway().end_waits();
    calls.end_any(dice, outbound::Failure{outbound::FailureKind::canceled, "canceled", was_sent});
    stage.stop();
    calls.forget();
    stage.recover();
    stage.actors->settle();
  }

  static Settings with(const std::string& public_url) {
    Settings settings;
    settings.public_url = public_url;
    return settings;
  }

  store::Secrets secrets{store::Key256{7}};
  std::mt19937_64 dice{10};
  Calls calls;
  Stage stage;
  Id run;
};

TEST(Workflows, a_call_canceled_for_another_run_is_repeated) {
  DispatchedRun dispatched;
  ASSERT_EQ(dispatched.calls.started(), 1U);
  for (std::size_t times = 2; times < 5; ++times) {
    dispatched.end_canceled(false);
    EXPECT_EQ(dispatched.calls.started(), times);
  }
  dispatched.stage.must_run(dispatched.run, CancelRun{});
  const std::size_t started = dispatched.calls.started();
  dispatched.end_canceled(false);
  EXPECT_EQ(dispatched.calls.started(), started) << "its own run is canceled";
}

TEST(Workflows, a_dispatch_that_a_stop_prevented_is_sent_after_the_next_start_D72) {
  DispatchedRun dispatched;
  for (std::size_t times = 1; times < 5; ++times) {
    ASSERT_EQ(dispatched.calls.started(), times);
    dispatched.stop(false);
  }
  dispatched.stop(true);
  EXPECT_EQ(dispatched.calls.started(), 5U) << "the workflow may have been started";
}

TEST(Workflows, a_stop_at_any_moment_loses_no_dispatch_D72) {
  std::size_t stopped_before = 0;
  for (std::size_t steps = 0; steps < 60; ++steps) {
    SCOPED_TRACE("after " + std::to_string(steps) + " messages");
    DispatchedRun dispatched(steps);
    const std::size_t started = dispatched.calls.started();
    stopped_before += started == 0 ? 1U : 0U;
    dispatched.stop(false);
    EXPECT_EQ(dispatched.calls.started(), started + 1) << "nothing was sent before the stop";
  }
  EXPECT_GT(stopped_before, 0U);
  EXPECT_LT(stopped_before, 60U);
}

TEST(Workflows, a_dispatch_that_may_have_started_is_not_repeated_D72) {
  DispatchedRun dispatched;
  dispatched.end_canceled(true);
  EXPECT_EQ(dispatched.calls.started(), 1U);
}

TEST(Workflows, a_timed_out_result_reports_why_no_workflow_could_start_D72) {
  DispatchedRun lost(std::nullopt, "http://0.0.0.0:7410");
  lost.wait_in_vain();
  EXPECT_THAT(lost.error_of_result(),
              ::testing::AllOf(::testing::HasSubstr("--github-timeout"), ::testing::HasSubstr("--public-url"),
                               ::testing::HasSubstr("http://0.0.0.0:7410 ")));
  DispatchedRun late(std::nullopt, "https://parley.example.com");
  late.wait_in_vain();
  EXPECT_THAT(late.error_of_result(), ::testing::AllOf(::testing::HasSubstr("--github-timeout"),
                                                       ::testing::Not(::testing::HasSubstr("--public-url"))));
}

}  // namespace
}  // namespace parley::actors::test
