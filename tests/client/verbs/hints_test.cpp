#include "client/verbs/hints.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

TEST(ShellWord, quotes_only_what_a_shell_would_change) {
  EXPECT_EQ(shell_word("suites/über.yaml:12"), "suites/über.yaml:12");
  EXPECT_EQ(shell_word("d 8/x"), "'d 8/x'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(x);~"), "'$(x);~'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace parley::client
