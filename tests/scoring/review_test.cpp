// The rules that decide whether a result was a valid trial, and if not, whose fault that was.

#include "scoring/review.hpp"

#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

AssertionResult ended(AssertionStatus status, std::string type = "contains",
                      Severity severity = Severity::major) {
  AssertionResult result;
  result.status = status;
  result.assertion.type = std::move(type);
  result.assertion.severity = severity;
  result.reason = "Because.";
  return result;
}

/// A completed result with a failed assertion; each test changes the parts that it checks.
struct Trial {
  ResultHead head;
  TestCase asked;
  Builder conversation;
  std::vector<AssertionResult> verdict{ended(failed)};

  Trial() {
    head.status = ResultStatus::completed;
    head.is_decided = true;
    head.end_reason = EndReason::tester_ended;
    head.tester = "model";
    asked.instruction = "Change booking AB12CD; your mail is a@b.example.";
  }
  [[nodiscard]] ResultReview reviewed() const {
    return review({head, asked, conversation.subject().entries, verdict});
  }
  /// "valid agent", "void tester" ...
  [[nodiscard]] std::string outcome() const {
    const ResultReview found = reviewed();
    EXPECT_FALSE(found.reason.empty());
    return std::string(found.valid ? "valid" : "void") +
           (found.fault_source ? " " + std::string(word_of(*found.fault_source)) : "");
  }
};

Trial talk() {
  Trial trial;
  trial.conversation.tester("Change AB12CD please").chatbot("Done").tester("Thanks");
  return trial;
}

TEST(Review, attributes_an_ordinary_failure_to_the_agent_with_its_evidence) {
  Trial trial = talk();
  trial.verdict[0].evidence = {trial.conversation.id(1)};
  trial.verdict[0].assertion.name = "confirms";
  const ResultReview found = trial.reviewed();
  EXPECT_EQ(trial.outcome(), "valid agent");
  EXPECT_EQ(
      shown_review(found).text,
      R"({"valid":true,"faultSource":"agent","reason":"A valid trial: \"confirms\" failed, and no rule finds the )"
      R"(fault elsewhere.","evidence":[")" +
          trial.conversation.id(1) + R"("],"by":"rules","judge":null})");
}

TEST(Review, finds_no_fault_if_nothing_failed) {
  Trial trial = talk();
  trial.verdict = {ended(passed)};
  trial.conversation.chatbot("x").tester("").tester("");
  EXPECT_EQ(trial.outcome(), "valid") << "a tester's fault that did no harm";
  trial.verdict.clear();
  EXPECT_EQ(trial.outcome(), "valid");
}

TEST(Review, takes_the_source_of_a_failed_result_from_its_error_D47a) {
  Trial trial = talk();
  trial.head.status = ResultStatus::failed;
  for (const std::string_view source : Words<FaultSource>::all) {
    trial.head.error =
        json::Text{R"({"source":")" + std::string(source) + R"(","code":"x","detail":"It broke."})"};
    EXPECT_EQ(trial.outcome(), (source == "agent" ? "valid " : "void ") + std::string(source));
    EXPECT_EQ(trial.reviewed().reason, "The result failed: It broke.");
  }
  trial.head.error.reset();
  const std::vector<std::pair<EndReason, std::string>> rows{
      {EndReason::agent_error, "valid agent"},     {EndReason::tester_error, "void tester"},
      {EndReason::action_error, "void tester"},    {EndReason::client_error, "void client"},
      {EndReason::timeout, "void infrastructure"}, {EndReason::infrastructure_error, "void infrastructure"}};
  for (const auto& [reason, outcome] : rows) {
    trial.head.end_reason = reason;
    EXPECT_EQ(trial.outcome(), outcome) << word_of(reason);
  }
}

TEST(Review, treats_a_canceled_result_as_void) {
  Trial trial = talk();
  trial.head.status = ResultStatus::canceled;
  EXPECT_EQ(trial.outcome(), "void");
}

TEST(Review, attributes_an_empty_recording_to_the_client) {
  Trial trial;
  EXPECT_EQ(trial.outcome(), "void client");
}

TEST(Review, attributes_unfilled_placeholders_to_the_test) {
  Trial trial = talk();
  trial.asked.instruction = "Say {{name}}.";
  EXPECT_EQ(trial.outcome(), "void test");
  Trial other = talk();
  other.asked.assertions = {assertion("contains", R"({"value":"{{total}}"})")};
  EXPECT_EQ(other.outcome(), "void test");
  other.asked.assertions = {assertion("contains", R"({"value":"}} and {{"})")};
  EXPECT_EQ(other.outcome(), "valid agent");
}

TEST(Review, does_not_treat_other_braces_as_an_unfilled_placeholder_D22) {
  Trial trial = talk();
  const std::string told = trial.asked.instruction;
  for (const char* instruction : {"Type {{}} into the box.", "Say {{ }}", "Send {{\"a\":{\"b\":1}}}"}) {
    trial.asked.instruction = told + instruction;
    EXPECT_EQ(trial.outcome(), "valid agent") << instruction;
  }
  for (const char* config :
       {R"({"value":"{{}}"})", R"({"value":{"begins":"{{name"}})", R"({"{{name}}":"a"})"}) {
    trial.asked.assertions = {assertion("contains", config)};
    EXPECT_EQ(trial.outcome(), "valid agent") << config;
  }
  trial.asked.assertions = {assertion("contains", R"({"values":["a",{"b":"\u007b{ name }}"}]})")};
  EXPECT_EQ(trial.outcome(), "void test");
}

TEST(Review, attributes_a_missing_verdict_to_judge_or_test) {
  Trial trial = talk();
  trial.head.is_decided = false;
  trial.verdict = {ended(in_error, "criteria")};
  EXPECT_EQ(trial.outcome(), "void judge");
  trial.verdict = {ended(AssertionStatus::skipped, "criteria")};
  EXPECT_EQ(trial.outcome(), "void judge");
  trial.verdict = {ended(in_error, "cost")};
  EXPECT_EQ(trial.outcome(), "void test");
  trial.verdict = {ended(in_error, "cost"), ended(in_error, "criteria", Severity::blocker)};
  EXPECT_EQ(trial.outcome(), "void judge") << "the blocker is what left it undecided";
  trial.verdict = {ended(in_error, "cost"), ended(failed)};
  trial.head.is_decided = true;
  EXPECT_EQ(trial.outcome(), "valid agent");
}

TEST(Review, attributes_silence_and_repetition_to_the_tester) {
  Trial silent = talk();
  silent.conversation.chatbot("Anything else?").tester(" \n");
  EXPECT_EQ(silent.outcome(), "void tester");
  EXPECT_EQ(silent.reviewed().evidence, std::vector<Id>{silent.conversation.subject().entries.back().id});

  Trial trial;
  trial.conversation.tester("Hello?").chatbot("Hi").tester("hello ?").chatbot("Yes?");
  EXPECT_EQ(trial.outcome(), "valid agent") << "twice may be insistence";
  trial.conversation.tester("Hello?");
  EXPECT_EQ(trial.outcome(), "void tester");
  EXPECT_EQ(trial.reviewed().evidence.size(), 3u);
  trial.head.tester = "script";
  EXPECT_EQ(trial.outcome(), "void test");

  Trial buttons;
  buttons.conversation.action("more", R"({"arguments":{"n":1}})").action("more", R"({"arguments":{"n":2}})");
  buttons.conversation.action("more", R"({"arguments":{"n":3}})");
  EXPECT_EQ(buttons.outcome(), "valid agent") << "other arguments are another turn";
}

TEST(Review, attributes_inventions_of_a_model_tester_to_the_tester) {
  Trial trial;
  trial.conversation.tester("AB12CD, my mail is A@b.example").chatbot("Card CARD_77 or gift_card_9?");
  trial.conversation.event(EntryType::public_event, "form", R"({"seat":"12F"})").tester("card_77, seat 12f");
  EXPECT_EQ(trial.outcome(), "valid agent");
  trial.conversation.chatbot("And your user id?").tester("It is mia_li_3668.");
  EXPECT_EQ(trial.outcome(), "void tester");
  EXPECT_NE(trial.reviewed().reason.find("mia_li_3668"), std::string::npos);
  trial.head.tester = "script";
  EXPECT_EQ(trial.outcome(), "valid agent");
  Trial numbers;
  numbers.conversation.tester("I am 30 and paid $5 on May 3");
  EXPECT_EQ(numbers.outcome(), "valid agent") << "people may say numbers";
}

TEST(ResultsOf, reads_what_answers_show) {
  AssertionResult one = ended(failed);
  one.assertion = assertion("contains", R"({"value":"a"})");
  one.evidence = {"e1"};
  const std::vector<AssertionResult> list{one, ended(AssertionStatus::skipped, "criteria")};
  EXPECT_EQ(results_of({shown_results(list)}), list);
  EXPECT_TRUE(results_of({}).empty());
}

}  // namespace
}  // namespace parley::scoring
