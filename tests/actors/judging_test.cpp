// The scoring actor and its judge model: bounds, stored answers, tokens and cost (D30, D51a, I7, F21, F22).

#include <map>

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

std::string judged_as(std::string_view word, std::string_view quote) {
  return R"({"model":"j-1","choices":[{"message":{"content":"{\"verdict\":\")" + std::string(word) +
         R"(\",\"reason\":\"Because.\",\"evidence\":[{\"entry\":\"e2\",\"quote\":\")" + std::string(quote) +
         R"(\"}]}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2,"cost":0.5}})";
}
const std::string passing_verdict = judged_as("passed", "hello");
const std::string void_verdict = judged_as("passed", "nobody said this");

/// Conversations that a judge has to decide; the test is the judge.
struct Court {
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  explicit Court(bool keeps_answers = false, std::size_t threads = 1)
      : stage(settings(keeps_answers, threads)) {
    stage.set_outside({[this](outbound::HttpRequest request, outbound::RetryRules, Done done) {
                         marked = stage.worked_at();
                         questions.push_back(std::move(request.body));
                         open.push_back(std::move(done));
                         most = std::max(most, open.size());
                         return outbound::CallId{questions.size()};
                       },
                       [](outbound::CallId) {}});
    run = stage.new_run();
  }
  ~Court() {
    stage.set_outside(
        {[](const outbound::HttpRequest&, outbound::RetryRules, const Done&) { return outbound::CallId{0}; },
         [](outbound::CallId) {}});
    open.clear();
  }
  Court(const Court&) = delete;
  Court& operator=(const Court&) = delete;

  static Settings settings(bool keeps_answers, std::size_t threads) {
    Settings made;
    made.scoring_threads = threads;
    made.judge_model = outbound::ChatEndpoint{"http://judge/v1", "j"};
    made.keeps_answers = keeps_answers;
    return made;
  }
  /// A conversation that has ended: `said`, and the given number of criteria.
  Id ended(const std::string& said = "hello", int criteria = 1, std::int64_t repetition = 0) {
    CreateResult command = stage.case_of(run);
    command.repetition = repetition;
    command.test_case.instruction = "say: one\nend";
    command.test_case.assertions.clear();
    for (int i = 0; i < criteria; ++i) {
      Assertion assertion;
      assertion.id = "c" + std::to_string(i);
      assertion.type = "criteria";
      assertion.criteria = "It greets.";
      command.test_case.assertions.push_back(assertion);
    }
    const Id result = stage.new_result(command);
    talk(result, said);
    return result;
  }
  void talk(const Id& result, const std::string& said) {
    stage.must(result, NextMessage{});
    stage.must(result, says(said));
    stage.must(result, NextMessage{});
    stage.actors->settle();
  }
  void answer(const std::string& body) {
    ASSERT_FALSE(open.empty());
    outbound::HttpAnswer said;
    said.status = 200;
    said.body = body;
    const Done done = std::move(open.front());
    open.pop_front();
    done(said, 1);
    stage.actors->settle();
  }
  std::string status(const Id& result) {
    const auto rows = json::parse(stage.get<ResultVerdict>(result).assertion_results.text);
    return std::string(rows->root().children().front().find("status")->string());
  }

  std::deque<Done> open;
  std::vector<std::string> questions;
  std::vector<Id> marked;  ///< results marked as being worked on when the last question was sent
  std::size_t most = 0;
  Stage stage;
  Id run;
};

TEST(Judging, a_void_answer_is_asked_again_and_then_an_error_never_a_pass_F21_D51a) {
  Court court;
  const Id result = court.ended();
  court.answer(void_verdict);
  EXPECT_EQ(court.stage.head(result).status, ResultStatus::running);
  court.answer(void_verdict);
  EXPECT_EQ(court.stage.head(result).status, ResultStatus::completed);
  EXPECT_EQ(court.status(result), "error");
  EXPECT_TRUE(court.open.empty());
}

TEST(Judging, tokens_and_cost_are_the_judges_and_void_answers_are_paid_for) {
  Court court;
  const Id result = court.ended();
  court.answer(void_verdict);
  court.answer(passing_verdict);
  const ResultHead head = court.stage.head(result);
  EXPECT_EQ(head.judge_use, (ModelUse{"j-1", 2, 0, 20, 4, 1.0}));
  EXPECT_EQ(head.tester_use, std::nullopt);
  EXPECT_EQ(head.sums->cost.count, 0) << "not in the agent's figures";
}

TEST(Judging, questions_that_are_out_at_once_are_bounded_F22) {
  Court court;
  const std::size_t results = limits::judge_questions_max / 100 + 2;
  for (std::size_t i = 0; i < results; ++i) static_cast<void>(court.ended("hello", 100));
  EXPECT_EQ(court.most, limits::judge_questions_max);
  while (!court.open.empty()) court.answer(passing_verdict);
  EXPECT_EQ(court.questions.size(), results * 100);
  EXPECT_EQ(court.stage.run_status(court.run), RunStatus::completed);
}

TEST(Judging, several_scoring_threads_have_the_same_bounds_together_F22) {
  constexpr std::size_t threads = 4;
  Court court(false, threads);
  const std::size_t results = limits::judge_questions_max / 50;
  for (std::size_t i = 0; i < results; ++i) static_cast<void>(court.ended("hello", 100));
  EXPECT_LE(court.most, limits::judge_questions_max);
  EXPECT_GT(court.most, limits::judge_questions_max / threads) << "more than one of them asks";
  while (!court.open.empty()) court.answer(passing_verdict);
  EXPECT_EQ(court.questions.size(), results * 100) << "each is asked once";
  EXPECT_EQ(court.stage.run_status(court.run), RunStatus::completed);
}

TEST(Judging, a_pause_holds_all_scoring_threads_D95) {
  constexpr int results = 12;
  Court court(false, 3);
  court.stage.pause_scoring(true);
  for (int i = 0; i < results; ++i) static_cast<void>(court.ended());
  EXPECT_TRUE(court.questions.empty());
  EXPECT_EQ(court.stage.actors->gateway().counters().scoring_waiting, static_cast<std::uint64_t>(results));
  court.stage.pause_scoring(false);
  court.stage.actors->settle();
  EXPECT_EQ(court.stage.actors->gateway().counters().scoring_waiting, 0U);
  while (!court.open.empty()) court.answer(passing_verdict);
  EXPECT_EQ(court.stage.run_status(court.run), RunStatus::completed);
}

TEST(Judging, asks_nothing_more_for_a_run_that_is_canceled) {
  Court court;
  for (std::size_t i = 0; i < limits::judge_questions_max + 2; ++i)
    static_cast<void>(court.ended("hello", 2));
  const std::size_t asked = court.questions.size();
  ASSERT_FALSE(court.open.empty());
  court.stage.must_run(court.run, CancelRun{});
  while (!court.open.empty()) court.answer(void_verdict);
  EXPECT_EQ(court.questions.size(), asked) << "neither what waited for room nor what would be asked again";
  EXPECT_EQ(court.stage.run_status(court.run), RunStatus::canceled);
}

TEST(Judging, an_unreadable_result_does_not_block_the_results_after_it) {
  Court court;
  std::vector<Id> results;
  for (std::size_t i = 0; i < limits::judge_questions_max + 2; ++i) results.push_back(court.ended());
  ASSERT_EQ(court.open.size(), limits::judge_questions_max) << "two wait for room";
  store::ChangeSet gone;
  gone.erase_result(court.stage.head(results[limits::judge_questions_max]), 0);
  court.stage.commit(gone);
  while (!court.open.empty()) court.answer(passing_verdict);
  EXPECT_EQ(court.stage.head(results.back()).status, ResultStatus::completed);
}

TEST(Judging, a_result_is_marked_while_it_is_processed_and_not_while_its_judge_thinks_I10) {
  Court court;
  const Id result = court.ended("hello", 2);
  EXPECT_EQ(court.open.size(), 2U);
  EXPECT_EQ(court.marked, std::vector<Id>{result});
  EXPECT_EQ(court.stage.worked_at(), std::vector<Id>{});
  court.answer(passing_verdict);
  EXPECT_EQ(court.stage.worked_at(), std::vector<Id>{}) << "one answer is still owed";
  court.answer(passing_verdict);
  EXPECT_EQ(court.stage.worked_at(), std::vector<Id>{});
}

TEST(Judging, crashes_while_the_judge_thinks_count_against_no_result_D51a_F23) {
  Court court;
  const Id first = court.ended();
  const Id second = court.ended();
  for (int crash = 0; crash <= limits::attempts_max; ++crash) {
    court.open.clear();
    court.stage.crash();
    EXPECT_EQ(court.stage.recover().set_aside, 0U);
    court.stage.actors->settle();
    ASSERT_EQ(court.open.size(), 2U) << "both are asked about again";
  }
  while (!court.open.empty()) court.answer(passing_verdict);
  EXPECT_EQ(court.status(first), "passed");
  EXPECT_EQ(court.status(second), "passed");
}

TEST(Judging, a_result_that_crashes_the_server_is_set_aside_and_the_others_finish_D51a_F23) {
  Court court;
  const Id poison = court.ended();
  const Id good = court.ended();
  for (int crash = 1; crash <= limits::attempts_max; ++crash) {
    court.open.clear();
    court.stage.crash_within(poison);
    EXPECT_EQ(court.stage.recover().set_aside, crash == limits::attempts_max ? 1U : 0U);
    court.stage.actors->settle();
    EXPECT_EQ(court.open.size(), 1U) << "the suspect comes behind the other one, or not at all";
    court.stage.actors->pass(std::chrono::seconds(3));
    court.stage.actors->settle();
  }
  court.answer(passing_verdict);
  EXPECT_TRUE(court.open.empty());
  EXPECT_EQ(court.status(good), "passed");
  EXPECT_EQ(court.stage.head(poison).status, ResultStatus::failed);
  EXPECT_EQ(court.stage.run_status(court.run), RunStatus::completed);
}

TEST(Judging, begins_nothing_once_the_server_stops_and_the_claim_stays_D91_I10) {
  Court court;
  court.stage.gateway().end_waits();
  const Id result = court.ended();
  const ResultHead head = court.stage.get<ResultHead>(result);
  EXPECT_EQ(head.status, ResultStatus::running);
  EXPECT_TRUE(head.is_claimed());
  EXPECT_EQ(head.attempt, 0);
  EXPECT_TRUE(court.open.empty());
}

TEST(Judging, a_kept_answer_is_reused_for_the_same_question_if_enabled) {
  Court court(true);
  const Id first = court.ended();
  court.answer(passing_verdict);
  const Id second = court.ended();
  EXPECT_TRUE(court.open.empty()) << "nobody was asked";
  EXPECT_EQ(court.status(second), "passed");
  EXPECT_EQ(court.stage.head(second).judge_use, (ModelUse{"j-1", 0, 1, {}, {}, {}})) << "it cost nothing";
  court.stage.crash();
  const Id third = court.ended();
  EXPECT_EQ(court.status(third), "passed") << "a restart forgets nothing";
  EXPECT_EQ(court.questions.size(), 1U);
  EXPECT_EQ(court.status(first), "passed");
}

TEST(Judging, another_conversation_a_repetition_and_a_retry_do_not_reuse_a_kept_answer) {
  Court court(true);
  const Id first = court.ended();
  court.answer(passing_verdict);
  static_cast<void>(court.ended("hello there"));
  EXPECT_EQ(court.open.size(), 1U);
  static_cast<void>(court.ended("hello", 1, 1));
  EXPECT_EQ(court.open.size(), 2U);
  const auto clone = court.stage.must(first, Retry{});
  court.talk(clone.value().head.stamp.id, "hello");
  EXPECT_EQ(court.open.size(), 3U);
  while (!court.open.empty()) court.answer(passing_verdict);
}

TEST(Judging, no_failure_is_kept) {
  Court court(true);
  const Id first = court.ended();
  court.answer(void_verdict);
  court.answer(void_verdict);
  EXPECT_EQ(court.status(first), "error");
  static_cast<void>(court.ended());
  EXPECT_EQ(court.open.size(), 1U);
  court.answer(passing_verdict);
}

TEST(Judging, a_verdict_of_the_second_look_is_kept) {
  Court court(true);
  const Id first = court.ended();
  court.answer(void_verdict);
  court.answer(judged_as("failed", "hello"));
  EXPECT_EQ(court.status(first), "failed");
  const Id second = court.ended();
  ASSERT_TRUE(court.open.empty()) << "nobody was asked";
  EXPECT_EQ(court.status(second), "failed");
}

TEST(Judging, no_answer_is_kept_unless_enabled) {
  Court court;
  static_cast<void>(court.ended());
  court.answer(passing_verdict);
  static_cast<void>(court.ended());
  EXPECT_EQ(court.open.size(), 1U);
  court.answer(passing_verdict);
}

}  // namespace
}  // namespace parley::actors::test
