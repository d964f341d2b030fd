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

}  // namespace
}  // namespace parley::client
