// A conversation that repeatedly crashes the process while it is driven is set aside; no other one is (I10, I9, I5).

#include <algorithm>

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

constexpr std::int64_t ended_process = 7;

ResultHead driven_head() {
  ResultHead head;
  head.status = ResultStatus::running;
  head.is_server_driven = true;
  return head;
}

TEST(DrivingCrashes, three_without_an_entry_in_between_set_a_result_aside_I10) {
  ResultHead head = driven_head();
  for (int crash = 1; crash < limits::attempts_max; ++crash) {
    head = after_crash(head, 4, ended_process + crash, noon);
    EXPECT_EQ(head.crashes->count, crash);
    EXPECT_EQ(head.status, ResultStatus::running);
    EXPECT_EQ(head.stamp.updated_at, Time{}) << "nothing that a client sees has changed";
    EXPECT_TRUE(is_suspect(head, 4));
  }
  head = after_crash(head, 4, ended_process, noon);
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_EQ(head.end_reason, EndReason::infrastructure_error);
  EXPECT_EQ(head.stamp.updated_at, noon);
  EXPECT_EQ(json::parse(head.error->text)->root().find("code")->string(), "poison");
}

TEST(DrivingCrashes, restart_their_count_after_an_entry_was_recorded) {
  ResultHead head = driven_head();
  for (std::uint32_t entries = 0; entries < 10; ++entries) {
    head = after_crash(head, entries, ended_process + entries, noon);
    EXPECT_EQ(head.crashes->count, 1);
    EXPECT_FALSE(is_suspect(head, entries + 1));
  }
}

TEST(DrivingCrashes, each_end_of_a_process_is_counted_once_I5) {
  const ResultHead head = after_crash(driven_head(), 4, ended_process, noon);
  EXPECT_EQ(after_crash(head, 4, ended_process, noon).crashes, head.crashes);
}

/// Conversations with a hosted agent whose calls wait until the test answers them.
struct Hosted {
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  Hosted() {
    stage.set_outside({[this](const outbound::HttpRequest&, outbound::RetryRules, Done done) {
                         marked = stage.worked_at();
                         open.push_back(std::move(done));
                         return outbound::CallId{open.size()};
                       },
                       [](outbound::CallId) {}});
    Agent agent = stage.record<Agent>();
    agent.type = "HTTP";
    agent.config.text = R"({"url":"http://127.0.0.1:1/x"})";
    stage.create(agent);
    stage.agent = agent.stamp.id;
  }
  ~Hosted() {  // a call that stays open would keep its actor alive indefinitely
    stage.set_outside(
        {[](const outbound::HttpRequest&, outbound::RetryRules, const Done&) { return outbound::CallId{0}; },
         [](outbound::CallId) {}});
    open.clear();
  }
  Hosted(const Hosted&) = delete;
  Hosted& operator=(const Hosted&) = delete;

  /// A driven result of the run whose agent was just asked.
  Id asked(const Id& run, bool is_manual = false) {
    CreateResult command = stage.case_of(run);
    command.is_manual = is_manual;
    command.driving.by_person = is_manual;
    command.driving.by_service = !is_manual;
    const Id result = stage.new_result(command);
    if (is_manual) {
      PostEntry turn = says("hello");
      turn.role = Role::tester;
      stage.must(result, turn);
    }
    stage.actors->settle();
    return result;
  }
  void crash_within(const Id& result) {
    open.clear();
    stage.crash_within(result);
  }
  void answer_all() {
    outbound::HttpAnswer answer;
    answer.status = 200;
    answer.body = R"({"message":"hello","end":true})";
    while (!open.empty()) {
      const Done done = std::move(open.back());
      open.pop_back();
      done(answer, 1);
      stage.actors->settle();
    }
  }

  std::vector<Done> open;
  std::vector<Id> marked;
  Stage stage;
};

TEST(DrivingCrashes, a_result_is_marked_while_it_is_processed_and_not_while_its_agent_thinks_I10) {
  Hosted hosted;
  const Id result = hosted.asked(hosted.stage.new_run());
  EXPECT_EQ(hosted.open.size(), 1U);
  EXPECT_EQ(hosted.marked, std::vector<Id>{result});
  EXPECT_EQ(hosted.stage.worked_at(), std::vector<Id>{});
}

TEST(DrivingCrashes, the_third_sets_the_result_aside_and_the_run_continues_I10) {
  Hosted hosted;
  Stage& stage = hosted.stage;
  const Id run = stage.new_run();
  const Id poison = hosted.asked(run);
  const Id good = hosted.asked(run);
  for (int crash = 1; crash < limits::attempts_max; ++crash) {
    hosted.crash_within(poison);
    const Recovered recovered = stage.recover();
    EXPECT_EQ(recovered.set_aside, 0U);
    EXPECT_EQ(recovered.driven_on, 2U);
    stage.actors->settle();
    EXPECT_EQ(hosted.open.size(), 1U) << "the suspect is driven behind the others";
    stage.actors->pass(std::chrono::seconds(3));
    stage.actors->settle();
    EXPECT_EQ(hosted.open.size(), 2U) << "but it is driven";
  }
  hosted.crash_within(poison);
  EXPECT_EQ(stage.recover().set_aside, 1U);
  stage.actors->settle();
  hosted.answer_all();
  EXPECT_EQ(stage.head(good).status, ResultStatus::completed);
  const ResultHead aside = stage.head(poison);
  EXPECT_EQ(aside.status, ResultStatus::failed);
  EXPECT_EQ(json::parse(aside.error->text)->root().find("source")->string(), "infrastructure");
  EXPECT_EQ(stage.run_status(run), RunStatus::completed);
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(DrivingCrashes, a_persons_session_is_set_aside_too_D52) {
  Hosted hosted;
  const Id session = hosted.asked(hosted.stage.new_run(), true);
  ASSERT_EQ(hosted.open.size(), 1U);
  for (int crash = 1; crash <= limits::attempts_max; ++crash) {
    hosted.crash_within(session);
    EXPECT_EQ(hosted.stage.recover().set_aside, crash == limits::attempts_max ? 1U : 0U);
  }
  EXPECT_EQ(hosted.stage.head(session).status, ResultStatus::failed);
}

TEST(DrivingCrashes, do_not_count_against_results_that_were_not_in_progress) {
  Hosted hosted;
  const Id result = hosted.asked(hosted.stage.new_run());
  for (int crash = 0; crash <= limits::attempts_max; ++crash) {
    hosted.open.clear();
    hosted.stage.crash();
    EXPECT_EQ(hosted.stage.recover().set_aside, 0U);
    hosted.stage.actors->settle();
  }
  hosted.answer_all();
  EXPECT_EQ(hosted.stage.head(result).status, ResultStatus::completed);
}

TEST(DrivingCrashes, do_not_include_a_requested_stop_D51a) {
  Hosted hosted;
  const Id result = hosted.asked(hosted.stage.new_run());
  for (int stop = 0; stop <= limits::attempts_max; ++stop) {
    hosted.open.clear();
    hosted.stage.stop_within(result);
    EXPECT_EQ(hosted.stage.recover().set_aside, 0U);
    hosted.stage.actors->settle();
    EXPECT_EQ(hosted.stage.head(result).crashes, std::nullopt);
  }
  hosted.answer_all();
  EXPECT_EQ(hosted.stage.head(result).status, ResultStatus::completed);
}

TEST(DrivingCrashes, leave_the_conversations_of_clients_alone_I9) {
  Stage stage;
  const Id result = stage.new_result_in(Phase::R, stage.new_run());
  const std::string before = write_stored(stage.head(result));
  for (int crash = 0; crash <= limits::attempts_max; ++crash) {
    stage.crash_within(result);
    EXPECT_EQ(stage.recover().set_aside, 0U);
  }
  EXPECT_EQ(write_stored(stage.head(result)), before);
}

}  // namespace
}  // namespace parley::actors::test
