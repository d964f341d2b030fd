// Names of functions that every chat-completions endpoint accepts.

#include "model/text/function_names.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/cpu_time.hpp"

namespace parley {
namespace {

TEST(FunctionNames, leaves_what_every_endpoint_takes) {
  FunctionNames names;
  for (const std::string& name : {std::string("look_up-Order9"), std::string(64, 'x')}) {
    EXPECT_TRUE(is_function_name(name));
    EXPECT_EQ(names.of(name), name);
  }
  for (const std::string& name :
       {std::string(), std::string(65, 'x'), std::string("a b"), std::string("a.b"), std::string("ä")})
    EXPECT_FALSE(is_function_name(name)) << name;
}

TEST(FunctionNames, puts_an_underscore_for_each_other_character_and_cuts) {
  FunctionNames names;
  EXPECT_EQ(names.of("multi_tool_use.parallel"), "multi_tool_use_parallel");
  EXPECT_EQ(names.of("nach schlagen: über 😀"), "nach_schlagen___ber__");
  EXPECT_EQ(names.of(std::string(70, 'y')), std::string(64, 'y'));
  EXPECT_EQ(names.of(""), "_");
}

TEST(FunctionNames, distinguishes_names_that_would_become_one) {
  FunctionNames names;
  names.expect("a_b");
  EXPECT_EQ(names.of("a b"), "a_b_2");
  EXPECT_EQ(names.of("a.b"), "a_b_3");
  EXPECT_EQ(names.of("a b"), "a_b_2");
  EXPECT_EQ(names.of("a_b"), "a_b");
  EXPECT_EQ(names.of(std::string(65, 'y')), std::string(64, 'y'));
  EXPECT_EQ(names.of(std::string(66, 'y')), std::string(62, 'y') + "_2");
}

TEST(FunctionNames, distinguishes_names_that_collide_with_numbered_ones) {
  FunctionNames names;
  names.expect("a_b_3");
  EXPECT_EQ(names.of("a b_2"), "a_b_2");
  EXPECT_EQ(names.of("a b"), "a_b");
  EXPECT_EQ(names.of("a.b"), "a_b_4");
  EXPECT_EQ(names.of("a:b_3"), "a_b_3_2");
  EXPECT_EQ(names.of("a:b"), "a_b_5");
}

TEST(FunctionNames, distinguishes_a_late_name_that_was_not_expected) {
  FunctionNames names;
  EXPECT_EQ(names.of("a b"), "a_b");
  EXPECT_EQ(names.of("a_b"), "a_b_2");
  EXPECT_EQ(names.of("a_b"), "a_b_2");
}

/// Names that become the same after truncation, unless their first `at` bytes differ.
std::string alike(std::size_t at, int number) {
  return std::string(at, 'a') + std::string(64 - at, 'b') + std::to_string(number);
}

TEST(FunctionNames, takes_time_in_proportion_to_names_that_become_one_F23) {
  constexpr int many = 50'000;
  const double began = test::cpu_seconds();
  FunctionNames of_one, of_some;
  std::set<std::string> one, some;
  for (int i = 0; i < many; ++i) {
    one.insert(of_one.of(alike(0, i)));
    // Names that are truncated to fit a number may become the same again.
    some.insert(of_some.of(alike(60 + static_cast<std::size_t>(i) % 4, i)));
  }
  EXPECT_EQ(one.size(), many);
  EXPECT_EQ(some.size(), many);
  one.merge(some);
  for (const std::string& name : one) EXPECT_TRUE(is_function_name(name)) << name;
  EXPECT_LT(test::cpu_seconds() - began, 30)
      << "a second by itself, half an hour were each number tried again for each name";
}

}  // namespace
}  // namespace parley
