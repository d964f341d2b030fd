// Values derived from a compiled suite.
#include "client/suite/compiled_suite.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

TEST(CompiledSuite, counts_its_cases) {
  CompiledSuite suite;
  suite.cells = {{.agent = "a", .test = "t", .repeat = 5}, {.agent = "b", .test = "t", .repeat = 2}};
  EXPECT_EQ(case_count(suite), 7);
}

TEST(Ratio, is_k_of_n) {
  EXPECT_EQ(ratio_of("4/5"), Ratio(4, 5));
  EXPECT_EQ(ratio_of("9999/9999"), Ratio(9999, 9999));
  for (const std::string_view wrong :
       {"", "/", "4", "4/", "/5", "0/5", "6/5", "-1/5", "4/5x", " 4/5", "4/5/6", "1/10000"})
    EXPECT_EQ(ratio_of(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace parley::client
