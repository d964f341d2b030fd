// What follows from a compiled suite.
#include "client/suite/compiled_suite.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

TEST(CompiledSuite, counts_its_cases) {
  CompiledSuite suite;
  suite.cells = {{.agent = "a", .test = "t", .repeat = 5}, {.agent = "b", .test = "t", .repeat = 2}};
  EXPECT_EQ(case_count(suite), 7);
}

}  // namespace
}  // namespace parley::client
