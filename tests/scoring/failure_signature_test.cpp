#include "scoring/failure_signature.hpp"

#include <gtest/gtest.h>

namespace parley::scoring {
namespace {

AssertionResult failed_assertion(std::string id, std::string reason, Severity severity = Severity::major) {
  AssertionResult result;
  result.assertion.id = std::move(id);
  result.assertion.type = "contains";
  result.assertion.severity = severity;
  result.status = AssertionStatus::failed;
  result.reason = std::move(reason);
  return result;
}

TEST(Masked, leaves_what_is_the_same_in_every_failure) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {R"(Expected: the tool "refund" is called. Found: 3 such calls.)",
       "Expected: the tool <text> is called. Found: <n> such calls."},
      {"took 1,234.5 ms", "took <n> ms"},
      {"at 2026-11-23T19:18:00.000Z", "at <time>"},
      {"result 0198c0de-0000-7000-8000-00000000000a is gone", "result <id> is gone"},
      {"commit 4ac98d5677 failed", "commit <id> failed"},
      {"says \"a \\\" b\" and 5", "says <text> and <n>"},
      {"an unclosed \"quote 7", "an unclosed \"quote <n>"},
      {"turn7 stays a word", "turn7 stays a word"},
      {"deadbeef is a word of letters", "deadbeef is a word of letters"},
  };
  for (const auto& [text, mask] : rows) EXPECT_EQ(masked(text), mask) << text;
}

TEST(FailureSignature, is_the_same_for_the_same_cause) {
  const std::vector first{failed_assertion("sent", "Found: the chatbot says \"A\" in turn 1.")};
  const std::vector second{failed_assertion("sent", "Found: the chatbot says \"B\" in turn 2.")};
  const std::vector other{failed_assertion("paid", "Found: the chatbot says \"A\" in turn 1.")};
  const Score score{0, false, true, true};
  EXPECT_EQ(group_of(first, score), group_of(second, score));
  EXPECT_NE(group_of(first, score), group_of(other, score));
  EXPECT_EQ(group_of(first, score)->size(), 16U);
}

TEST(FailureSignature, counts_an_assertion_with_an_id_of_the_service_by_its_name) {
  AssertionResult one = failed_assertion("0198c0de-0000-7000-8000-00000000000a", "r");
  AssertionResult two = failed_assertion("0198c0de-0000-7000-8000-00000000000b", "r");
  one.assertion.name = two.assertion.name = "places the order";
  const Score score{0, false, true, true};
  EXPECT_EQ(group_of(std::vector{one}, score), group_of(std::vector{two}, score));
}

TEST(FailureSignature, is_that_of_the_first_BLOCKER) {
  const std::vector results{failed_assertion("minor", "a", Severity::minor),
                            failed_assertion("blocker", "b", Severity::blocker)};
  EXPECT_EQ(failure_of_verdict(results, FailureKind::verdict)->assertion->id, "blocker");
  EXPECT_FALSE(failure_of_verdict(results, FailureKind::undecided));
}

TEST(FailureSignature, of_a_judge_leaves_its_prose_out) {
  AssertionResult one = failed_assertion("polite", "The chatbot was rude.");
  AssertionResult two = failed_assertion("polite", "It snapped at the user.");
  one.assertion.type = two.assertion.type = "criteria";
  const Score score{0, false, true, true};
  EXPECT_EQ(group_of(std::vector{one}, score), group_of(std::vector{two}, score));
}

TEST(FailureSignature, of_a_fault_has_source_code_and_detail) {
  const Failure fault =
      failure_of_fault(R"({"source":"agent","code":"connect","detail":"port 8080 refused"})", "agent");
  EXPECT_EQ(fault.code, "connect");
  EXPECT_EQ(fault.says, "port <n> refused");
  EXPECT_EQ(fault.signature,
            failure_of_fault(R"({"code":"connect","detail":"port 9090 refused"})", "agent").signature);
  EXPECT_NE(fault.signature,
            failure_of_fault(R"({"code":"connect","detail":"port 9090 refused"})", "tester").signature);
  EXPECT_EQ(failure_of_fault("no JSON", "agent").code, "");
}

}  // namespace
}  // namespace parley::scoring
