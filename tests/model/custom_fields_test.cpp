// Custom fields (D20, D22): definitions, values, defaults.

#include "model/records/custom_fields.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace parley {
namespace {

FieldDef def(std::string key, FieldType type) {
  FieldDef made;
  made.key = std::move(key);
  made.type = type;
  return made;
}

std::vector<FieldDef> defs() {
  FieldDef size = def("size", FieldType::select);
  size.options = {"s", "m"};
  FieldDef city = def("city", FieldType::string);
  city.is_required = true;
  FieldDef count = def("count", FieldType::number);
  count.is_required = true;
  count.default_value = json::Text{"3"};
  return {size, city, count, def("vip", FieldType::boolean)};
}

std::vector<std::string> pointers_of(const Findings& findings) {
  std::vector<std::string> all;
  for (const Fault& fault : findings.faults) all.push_back(fault.pointer);
  return all;
}

/// The pattern that the OpenAPI document shows is the rule that is enforced.
TEST(CustomFields, have_keys_that_match_their_pattern) {
  const std::regex pattern{std::string(field_key_pattern)};
  for (const std::string key :
       {"a", "a b", "{", "}", "a{b", " a", "a ", "\ta", "a\t", "a\tb", " ", "-", "a\nb", "\n", ""}) {
    Findings findings;
    check_field_defs({def(key, FieldType::string)}, "", findings);
    const bool is_taken = findings.faults.empty() && !key.empty();  // never_empty
    EXPECT_EQ(std::regex_match(key, pattern), is_taken) << key;
  }
}

TEST(CustomFields, are_checked_against_their_definitions_D22) {
  struct Row {
    std::string own, beneath;
    std::vector<std::string> faults;
  };
  const std::vector<Row> rows{
      {R"({"city":"Rome"})", "{}", {}},
      {R"({"city":"Rome","size":"m","count":1.5,"vip":true})", "{}", {}},
      {"{}", "{}", {"/fields/city"}},
      {R"({"city":null})", "{}", {"/fields/city"}},
      {"{}", R"({"city":"Rome"})", {}},
      {R"({"city":1,"size":"xl","count":"1","vip":0})",
       "{}",
       {"/fields/size", "/fields/city", "/fields/count", "/fields/vip"}},
      {R"({"city":"Rome","a/b":1})", "{}", {"/fields/a~1b"}},
  };
  for (const Row& row : rows) {
    Findings findings;
    check_fields({json::Text{row.own}, json::Text{row.beneath}}, defs(), "/fields", findings);
    EXPECT_EQ(pointers_of(findings), row.faults) << row.own;
  }
}

TEST(CustomFields, have_definitions_that_fit_each_other_D20) {
  std::vector<FieldDef> bad{def("a", FieldType::string), def("a", FieldType::select),
                            def("{b", FieldType::number), def(" c", FieldType::boolean),
                            def("d", FieldType::select)};
  bad[2].default_value = json::Text{R"("1")"};
  bad[4].options = {"x"};
  bad[4].default_value = json::Text{R"("y")"};
  Findings findings;
  check_field_defs(bad, "/f", findings);
  EXPECT_EQ(pointers_of(findings), (std::vector<std::string>{"/f/1/key", "/f/1/options", "/f/2/key",
                                                             "/f/2/default", "/f/3/key", "/f/4/default"}));
  Findings none;
  check_field_defs(defs(), "/f", none);
  EXPECT_TRUE(none.faults.empty());
}

TEST(CustomFields, take_their_defaults_where_no_value_is_given_D20) {
  EXPECT_EQ(with_defaults({{R"({"city":"Rome"})"}, {}}, defs()).text, R"({"city":"Rome","count":3})");
  EXPECT_EQ(with_defaults({{R"({"count":null})"}, {}}, defs()).text, R"({"count":3})");
  EXPECT_EQ(with_defaults({{R"({"count":4})"}, {}}, defs()).text, R"({"count":4})");
  EXPECT_EQ(laid_over({{R"({"a":null,"b":1})"}, {R"({"a":2,"b":3,"c":null})"}}).text, R"({"b":1,"a":2})");
  EXPECT_EQ(with_defaults({{"{}"}, {R"({"count":4})"}}, defs()).text, "{}") << "the scenario's stands";
  EXPECT_EQ(with_defaults({{"{}"}, {R"({"count":null})"}}, defs()).text, R"({"count":3})");
}

}  // namespace
}  // namespace parley
