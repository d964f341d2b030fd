#include "tester/compose.hpp"

#include <gtest/gtest.h>

#include "model/limits.hpp"
#include "model/placeholder.hpp"

namespace parley::tester {
namespace {

Assertion named(std::string id, std::string name, std::string criteria = "") {
  Assertion assertion;
  assertion.id = std::move(id);
  if (!name.empty()) assertion.name = std::move(name);
  if (!criteria.empty()) assertion.criteria = std::move(criteria);
  return assertion;
}

struct Fields {
  explicit Fields(std::string_view test_text, std::string_view scenario_text = "{}")
      : test(json::parse(test_text).value()), scenario(json::parse(scenario_text).value()) {}
  json::Document test;
  json::Document scenario;

  [[nodiscard]] std::string in(std::string_view text) const {
    return substitute(text, test.root(), scenario.root());
  }
};

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

TEST(Compose, lets_an_id_win_over_an_earlier_name) {
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

TEST(Substitute, puts_fields_in_the_tests_before_the_scenarios_D22) {
  const Fields fields(R"({"city":"Oslo","n":1.50,"on":true,"none":null,"list":[1],"self":"{{city}}"})",
                      R"({"city":"Bergen","tier":"gold","none":"scenario"})");
  struct SubstituteRow {
    std::string text;
    std::string wanted;
  };
  const std::vector<SubstituteRow> rows{
      {"to {{city}}!", "to Oslo!"},
      {"{{ city }}{{\ttier}}", "Oslogold"},
      {"{{n}} {{on}}", "1.50 true"},
      {"{{none}}", "scenario"},
      {"{{list}} {{unknown}} {{ }} {{}}", "{{list}} {{unknown}} {{ }} {{}}"},
      {"{{self}}", "{{city}}"},
      {"{\"n\":{{n}}}", "{\"n\":1.50}"},
      {"{{{n}}}", "{1.50}"},
      {"{{a {{city}} b}}", "{{a Oslo b}}"},
      {"{{city}", "{{city}"},
      {"{ {city}}", "{ {city}}"},
      {"{{city}}}", "Oslo}"},
      {"{{", "{{"},
      {"", ""},
  };
  for (const SubstituteRow& row : rows) EXPECT_EQ(fields.in(row.text), row.wanted) << row.text;
}

TEST(Substitute, stays_linear_on_braces_without_end_F23) {
  const Fields fields(R"({"a":"b"})");
  const std::string braces(256 * 1024, '{');
  EXPECT_EQ(fields.in(braces), braces);
  EXPECT_EQ(fields.in(braces + "x}"), braces + "x}");
  std::string pairs;
  while (pairs.size() < 256 * 1024) pairs += "{{x ";
  EXPECT_EQ(fields.in(pairs), pairs);
}

TEST(Substitute, bounds_what_it_writes) {
  const Fields fields("{\"a\":\"" + std::string(200'000, 'x') + "\"}");
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "{{a}}";
  EXPECT_LT(fields.in(text).size(), limits::content_bytes_max + 200'000 + text.size() + 1);
  Assertion assertion;
  assertion.config = json::Text{"[\"{{a}}\""};
  for (int i = 0; i < 10'000; ++i) assertion.config->text += ",\"{{a}}\"";
  assertion.config->text += "]";
  apply_fields(assertion, fields.test.root(), fields.scenario.root());
  EXPECT_LT(assertion.config->text.size(), limits::content_bytes_max + 400'000);
  EXPECT_TRUE(json::parse(assertion.config->text).ok());
}

TEST(ApplyFields, replaces_in_name_criteria_and_strings_of_config_D22) {
  const Fields fields(R"({"city":"a \"b\"\n","n":3})");
  Assertion assertion = named("{{n}}", "in {{city}}", "about {{n}}");
  assertion.type = "{{n}}";
  assertion.config = json::Text{R"({"value":"{{city}}","{{n}}":[{"x":"-{{n}}-"},1.50,null,true]})"};
  apply_fields(assertion, fields.test.root(), fields.scenario.root());
  EXPECT_EQ(assertion.id, "{{n}}");
  EXPECT_EQ(assertion.type, "{{n}}");
  EXPECT_EQ(assertion.name, "in a \"b\"\n");
  EXPECT_EQ(assertion.criteria, "about 3");
  EXPECT_EQ(assertion.config->text, R"({"value":"a \"b\"\n","{{n}}":[{"x":"-3-"},1.50,null,true]})");
}

TEST(ApplyFields, leaves_a_config_without_placeholders_as_it_was_sent) {
  const Fields fields(R"({"n":3})");
  Assertion assertion;
  assertion.config = json::Text{R"({"value":"\u0041","n":-0})"};
  const Assertion before = assertion;
  apply_fields(assertion, fields.test.root(), fields.scenario.root());
  EXPECT_EQ(assertion, before);
}

TEST(HasPlaceholder, finds_a_key_in_double_braces) {
  EXPECT_TRUE(has_placeholder("a {{b}} c"));
  EXPECT_FALSE(has_placeholder("a {{b} } {c}} {{}}"));
}

}  // namespace
}  // namespace parley::tester
