#include <gtest/gtest.h>

#include "model/limits.hpp"
#include "model/values/placeholder.hpp"
#include "tester/template_fields.hpp"

namespace parley::tester {
namespace {

struct Fields {
  explicit Fields(std::string_view test_text, std::string_view scenario_text = "{}")
      : test(json::parse(test_text).value()), scenario(json::parse(scenario_text).value()) {}
  json::Document test;
  json::Document scenario;

  [[nodiscard]] TemplateFields texts() const { return {test.root(), scenario.root()}; }
  [[nodiscard]] std::string in(std::string_view text) const { return texts().put_in(text, SIZE_MAX); }
};

TEST(TemplateFields, of_the_test_take_precedence_over_those_of_the_scenario_D22) {
  const Fields fields(R"({"city":"Oslo","n":1.50,"on":true,"none":null,"list":[1],"self":"{{city}}"})",
                      R"({"city":"Bergen","tier":"gold","none":"scenario"})");
  struct Row {
    std::string text;
    std::string wanted;
  };
  const std::vector<Row> rows{
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
  for (const Row& row : rows) EXPECT_EQ(fields.in(row.text), row.wanted) << row.text;
}

TEST(TemplateFields, stay_linear_on_braces_without_end_F23) {
  const Fields fields(R"({"a":"b"})");
  const std::string braces(256 * 1024, '{');
  EXPECT_EQ(fields.in(braces), braces);
  EXPECT_EQ(fields.in(braces + "x}"), braces + "x}");
  std::string pairs;
  while (pairs.size() < 256 * 1024) pairs += "{{x ";
  EXPECT_EQ(fields.in(pairs), pairs);
}

TEST(TemplateFields, stop_once_a_text_exceeds_its_bound) {
  const Fields fields("{\"a\":\"" + std::string(1'000, 'x') + "\"}");
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "{{a}}";
  const std::string out = fields.texts().put_in(text, 20'000);
  EXPECT_GT(out.size(), 20'000U);
  EXPECT_LT(out.size(), 21'001U + text.size());
}

Assertion worded(std::string name, std::string criteria, std::string config) {
  Assertion assertion;
  assertion.name = std::move(name);
  assertion.criteria = std::move(criteria);
  assertion.config = json::Text{std::move(config)};
  return assertion;
}

TEST(TemplateFields, are_filled_into_name_criteria_and_strings_of_config_D22) {
  const Fields fields(R"({"city":"a \"b\"\n","n":3})");
  std::vector<Assertion> assertions{worded(
      "in {{city}}", "about {{n}}", R"({"value":"{{city}}","{{n}}":[{"x":"-{{n}}-"},1.50,null,true]})")};
  assertions[0].id = "{{n}}";
  assertions[0].type = "{{n}}";
  ASSERT_TRUE(fields.texts().put_in(assertions));
  EXPECT_EQ(assertions[0].id, "{{n}}");
  EXPECT_EQ(assertions[0].type, "{{n}}");
  EXPECT_EQ(assertions[0].name, "in a \"b\"\n");
  EXPECT_EQ(assertions[0].criteria, "about 3");
  EXPECT_EQ(assertions[0].config->text, R"({"value":"a \"b\"\n","{{n}}":[{"x":"-3-"},1.50,null,true]})");
}

TEST(TemplateFields, are_filled_into_a_config_even_if_its_encoder_escaped_the_braces) {
  const Fields fields(R"({"n":3})");
  for (const char* spelt : {R"({"value":"\u007b\u007bn}}"})", R"({"value":"{\u007Bn}\u007d"})"}) {
    std::vector<Assertion> assertions{worded("", "", spelt)};
    ASSERT_TRUE(fields.texts().put_in(assertions));
    EXPECT_EQ(assertions[0].config->text, R"({"value":"3"})") << spelt;
  }
}

TEST(TemplateFields, leave_a_config_without_placeholders_as_it_was_sent) {
  const Fields fields(R"({"n":3})");
  std::vector<Assertion> assertions(1);
  assertions[0].config = json::Text{R"({"value":"\u0041","n":-0})"};
  const std::vector<Assertion> before = assertions;
  EXPECT_TRUE(fields.texts().put_in(assertions));
  EXPECT_EQ(assertions, before);
}

/// Assertions that use the whole capacity for values: a quarter in a name, in each of two strings of a config, and in a
/// criteria.
std::vector<Assertion> full_of_values() {
  return {worded("{{quarter}}", "", R"({"values":["{{quarter}}",{"x":"{{quarter}}"}]})"),
          worded("", "{{quarter}}", "{}")};
}

TEST(TemplateFields, are_not_filled_in_beyond_the_limit_of_all_assertions_D55) {
  const std::string quarter(limits::field_texts_bytes_max / 4, 'x');
  const Fields fields("{\"quarter\":\"" + quarter + "\",\"one\":1}");
  std::vector<Assertion> assertions = full_of_values();
  ASSERT_TRUE(fields.texts().put_in(assertions));
  EXPECT_EQ(assertions[0].name, quarter);
  EXPECT_EQ(assertions[0].config->text, R"({"values":[")" + quarter + R"(",{"x":")" + quarter + R"("}]})");
  EXPECT_EQ(assertions[1].criteria, quarter) << "whole, however long one text becomes";
  for (const bool in_config : {false, true}) {
    assertions = full_of_values();
    assertions.push_back(worded("", in_config ? "" : "{{one}}", in_config ? R"(["{{one}}"])" : "{}"));
    const std::vector<Assertion> before = assertions;
    EXPECT_FALSE(fields.texts().put_in(assertions));
    EXPECT_EQ(assertions, before);
  }
}

TEST(TemplateFields, count_as_the_bytes_of_their_shortest_json_D53) {
  const std::size_t half = limits::field_texts_bytes_max / 2;
  std::string sent_long = "{\"k\":\"";
  for (std::size_t i = 0; i < half; ++i) sent_long += "\\u0041";
  std::vector<Assertion> twice{worded("{{k}}", "{{k}}", "{}")};
  EXPECT_TRUE(Fields(sent_long + "\"}").texts().put_in(twice)) << "a byte each, whatever they were sent as";
  std::string quotes = "{\"k\":\"";
  for (std::size_t i = 0; i < half / 2 + 1; ++i) quotes += "\\\"";
  twice = {worded("{{k}}", "{{k}}", "{}")};
  EXPECT_FALSE(Fields(quotes + "\"}").texts().put_in(twice)) << "two bytes each in every record";
}

TEST(TemplateFields, fit_into_assertions_of_the_maximum_length_D55) {
  const Fields fields(R"({"product":"Reisekostenabrechnung","city":"Bern"})");
  std::string criteria;
  while (criteria.size() + 60 < limits::criteria_bytes_max)
    criteria += "The chatbot names {{product}} and the office in {{city}}. ";
  std::vector<Assertion> assertions(2 * limits::assertions_max, worded("{{city}}", criteria, "{}"));
  ASSERT_TRUE(fields.texts().put_in(assertions));
  for (const Assertion& each : assertions) EXPECT_FALSE(has_placeholder(*each.criteria));
}

TEST(HasPlaceholder, finds_a_key_in_double_braces) {
  EXPECT_TRUE(has_placeholder("a {{b}} c"));
  EXPECT_FALSE(has_placeholder("a {{b} } {c}} {{}}"));
}

}  // namespace
}  // namespace parley::tester
