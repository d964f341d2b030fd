#include "tester/compose.hpp"

#include <gtest/gtest.h>

namespace parley::tester {
namespace {

Assertion named(std::string id, std::string name, std::string criteria = "") {
  Assertion assertion;
  assertion.id = std::move(id);
  if (!name.empty()) assertion.name = std::move(name);
  if (!criteria.empty()) assertion.criteria = std::move(criteria);
  return assertion;
}

TEST(Compose, joins_instructions_with_a_blank_line_D41) {
  EXPECT_EQ(compose({"a\nb", {}}, {"c", {}}).instruction, "a\nb\n\nc");
  EXPECT_EQ(compose({"", {}}, {"c", {}}).instruction, "c");
  EXPECT_EQ(compose({"a", {}}, {"", {}}).instruction, "a");
  EXPECT_EQ(compose({"", {}}, {"", {}}), Composed{});
}

TEST(Compose, replaces_by_id_then_by_name_and_appends_the_rest_D41) {
  const std::vector<Assertion> parent{named("1", "polite", "p1"), named("2", "short", "p2"),
                                      named("3", "", "p3")};
  const std::vector<Assertion> overlay{named("9", "short", "by name"), named("3", "polite", "by id"),
                                       named("8", "new", "appended"), named("", "", "appended too")};
  EXPECT_EQ(compose({"", parent}, {"", overlay}).assertions,
            (std::vector<Assertion>{parent[0], overlay[0], overlay[1], overlay[2], overlay[3]}));
}

TEST(Compose, gives_an_id_precedence_over_an_earlier_name) {
  const std::vector<Assertion> parent{named("1", "same"), named("2", "same")};
  const std::vector<Assertion> overlay{named("7", "same", "a"), named("1", "", "b"), named("8", "same", "c")};
  EXPECT_EQ(compose({"", parent}, {"", overlay}).assertions,
            (std::vector<Assertion>{overlay[1], overlay[0], overlay[2]}));
}

TEST(Compose, matches_no_assertions_without_id_or_name) {
  const std::vector<Assertion> parent{named("", "", "a")};
  const std::vector<Assertion> overlay{named("", "", "b")};
  EXPECT_EQ(compose({"", parent}, {"", overlay}).assertions.size(), 2u);
}

}  // namespace
}  // namespace parley::tester
