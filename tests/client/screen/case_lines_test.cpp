#include "client/screen/case_lines.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

TEST(HangingLines, guard_each_later_line_in_a_log_of_github) {
  Terminal terminal;
  EXPECT_EQ(hanging_lines("a\n::b", terminal, 2), "a\n  ::b");
  terminal.is_github = true;
  EXPECT_EQ(hanging_lines("a\n::b", terminal, 2), "a\n|   ::b");
}

TEST(ForTerminal, completes_no_command_with_an_ascii_bracket) {
  EXPECT_EQ(for_terminal("##▌add-mask▐x", {}), "#\\x23[add-mask]x");
}

}  // namespace
}  // namespace parley::client
