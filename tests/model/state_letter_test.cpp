#include "model/outcome/state_letter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/records/status_moves.hpp"

namespace parley {
namespace {

ResultHead completed() {
  ResultHead head;
  head.status = ResultStatus::completed;
  head.end_reason = EndReason::tester_ended;
  head.scoring_enqueued_at = Time{1};
  head.is_decided = true;
  head.score = 100;
  return head;
}

ResultHead failed(std::string_view source) {
  ResultHead head;
  head.status = ResultStatus::running;
  move_status(head, ResultStatus::failed);
  head.error = json::Text{R"({"source":")" + std::string(source) + R"(","code":"x","detail":"y"})"};
  return head;
}

template <class Change>
ResultHead with(ResultHead head, Change change) {
  change(head);
  return head;
}

std::vector<std::pair<char, ResultHead>> cases() {
  const ResultHead fresh;
  const auto running = with(fresh, [](ResultHead& head) { head.status = ResultStatus::running; });
  return {
      {'p', completed()},
      {'q', with(completed(), [](ResultHead& head) { head.score = 63; })},
      // A miss of weight 0, or one hidden by rounding, leaves the score at 100.
      {'q', with(completed(), [](ResultHead& head) { head.has_missed = true; })},
      {'f', with(completed(), [](ResultHead& head) { head.overall_passed = false, head.score = 0; })},
      {'u', with(completed(), [](ResultHead& head) { head.is_decided = false; })},
      {'v', with(completed(), [](ResultHead& head) { head.is_void = true; })},
      {'a', failed("agent")},
      {'t', failed("tester")},
      {'j', failed("judge")},
      {'i', failed("infrastructure")},
      {'c', failed("client")},
      {'e', failed("test")},
      {'i', with(failed("agent"), [](ResultHead& head) { head.error.reset(); })},
      {'w', fresh},
      {'h', with(fresh, [](ResultHead& head) { head.is_manual = true; })},
      {'r', running},
      {'h', with(running, [](ResultHead& head) { head.is_manual = true; })},
      {'h', with(running, [](ResultHead& head) { head.end_reason = EndReason::tester_ended; })},
      {'r', with(running,
                 [](ResultHead& head) {
                   head.is_manual = true, head.end_reason = EndReason::tester_ended,
                   head.scoring_enqueued_at = Time{1};
                 })},
      {'k', with(completed(), [](ResultHead& head) { head.status = ResultStatus::canceled; })},
  };
}

TEST(StateLetter, says_what_a_result_counts_as) {
  std::set<char> seen;
  for (const auto& [letter, head] : cases()) {
    EXPECT_EQ(state_letter(head), letter) << word_of(head.status);
    seen.insert(letter);
  }
  EXPECT_EQ(seen, std::set<char>(state_letters.begin(), state_letters.end()));
}

TEST(StateLetter, finds_the_statuses_of_letters) {
  for (const auto& [letter, head] : cases()) {
    const auto statuses = statuses_of(std::string_view(&letter, 1));
    EXPECT_NE(std::find(statuses.begin(), statuses.end(), head.status), statuses.end()) << letter;
  }
  EXPECT_EQ(statuses_of("fu"), std::vector{ResultStatus::completed});
  EXPECT_EQ(statuses_of("at"), std::vector{ResultStatus::failed});
  EXPECT_EQ(statuses_of("").size(), 0U);
}

TEST(StatusMoves, a_failed_result_has_not_passed_and_a_canceled_one_keeps_its_verdict_D98) {
  ResultHead head = failed("agent");
  EXPECT_FALSE(head.overall_passed);
  move_status(head, ResultStatus::canceled);
  EXPECT_FALSE(head.overall_passed);
  ResultHead withdrawn = completed();
  move_status(withdrawn, ResultStatus::canceled);
  EXPECT_TRUE(withdrawn.overall_passed);
}

}  // namespace
}  // namespace parley
