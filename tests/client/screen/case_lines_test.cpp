#include "client/screen/case_lines.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

Group group_of(const std::vector<ResultRow>& rows) {
  Group group;
  for (const ResultRow& each : rows) group.results.push_back(&each);
  return group;
}

std::string word_of_states(std::initializer_list<CaseState> states) {
  std::vector<ResultRow> rows;
  for (const CaseState each : states) {
    rows.emplace_back();
    rows.back().state = each;
  }
  return std::string(verdict_word(group_of(rows), {}));
}

TEST(VerdictWord, tells_live_cases_from_canceled_ones) {
  EXPECT_EQ(word_of_states({CaseState::passed, CaseState::missing}), "LIVE");
  EXPECT_EQ(word_of_states({CaseState::missing, CaseState::canceled}), "STOP");
}

TEST(HangingLines, guard_each_later_line_in_a_log_of_github) {
  Terminal terminal;
  EXPECT_EQ(hanging_lines("a\n::b", terminal, 2), "a\n  ::b");
  terminal.is_github = true;
  EXPECT_EQ(hanging_lines("a\n::b", terminal, 2), "a\n|   ::b");
}

TEST(ForTerminal, completes_no_command_with_an_ascii_bracket) {
  EXPECT_EQ(for_terminal("##▌add-mask▐x", {}), "#\\x23[add-mask]x");
}

TEST(GroupLines, add_the_flags_to_the_command_that_shows_a_result) {
  ResultRow failing;
  failing.id = "0198";
  failing.state = CaseState::failed;
  failing.assertions = {{"a", "is calm", "contains", AssertionLevel::must, "failed", "no", {}, 5}};
  LineStyle style;
  style.show_flags = " --project .";
  EXPECT_NE(group_lines(group_of({failing}), style).find("parley show 0198 --project ."), std::string::npos);
}

TEST(GroupLines, name_no_command_for_results_that_are_not_stored) {
  ResultRow failing;
  failing.id = "0198";
  failing.state = CaseState::failed;
  failing.transcript = {{"e", "message", "chatbot", "No.", "{}", 0}};
  failing.assertions = {{"a", "is calm", "contains", AssertionLevel::must, "failed", "no", {"e"}, 5}};
  LineStyle style;
  style.can_show = false;
  const std::string shown = group_lines(group_of({failing}), style);
  EXPECT_EQ(shown.find("parley show"), std::string::npos) << shown;
  EXPECT_NE(shown.find("No."), std::string::npos) << shown;
}

TEST(GroupLines, show_the_failed_must_of_an_undecided_result) {
  ResultRow open;
  open.state = CaseState::undecided;
  open.assertions = {{"a", "names the price", "contains", AssertionLevel::must, "failed", "no 4.50", {}, 5},
                     {"b", "is polite", "criteria", AssertionLevel::must, "error", "no answer", {}, 5},
                     {"c", "is short", "max-length", AssertionLevel::should, "failed", "long", {}, 1}};
  const std::string shown = group_lines(group_of({open}), {});
  EXPECT_NE(shown.find("must \"names the price\": no 4.50"), std::string::npos) << shown;
  EXPECT_NE(shown.find("must \"is polite\": no answer"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("is short"), std::string::npos) << shown;
}

}  // namespace
}  // namespace parley::client
