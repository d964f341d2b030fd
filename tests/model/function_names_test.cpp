// Names of functions as every chat-completions endpoint takes them.

#include "model/function_names.hpp"

#include <gtest/gtest.h>

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

TEST(FunctionNames, tells_apart_what_would_become_one) {
  FunctionNames names;
  names.expect("a_b");
  EXPECT_EQ(names.of("a b"), "a_b_2");
  EXPECT_EQ(names.of("a.b"), "a_b_3");
  EXPECT_EQ(names.of("a b"), "a_b_2");
  EXPECT_EQ(names.of("a_b"), "a_b");
  EXPECT_EQ(names.of(std::string(65, 'y')), std::string(64, 'y'));
  EXPECT_EQ(names.of(std::string(66, 'y')), std::string(62, 'y') + "_2");
}

}  // namespace
}  // namespace parley
