// One text per value, whichever escapes its encoder uses, and numbers as they appear in prose (D31).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/json/json.hpp"
#include "model/json/json_number.hpp"

namespace parley::json {
namespace {

TEST(JsonPlain, is_the_same_for_each_spelling_of_a_value) {
  const std::string wanted =
      "{\"city\":\"K\u00f6ln "
      "\U0001f600\",\"url\":\"a/b\",\"n\":[1.50,-0,1E2,true,null,{}],\"\":\"\\\"\\\\\\n\\u0001\"}";
  for (
      const char* spelt :
      {R"({"city":"Köln 😀","url":"a/b","n":[1.50,-0,1E2,true,null,{}],"":"\"\\\n\u0001"})",
       R"({"city":"K\u00f6ln \ud83d\ude00","url":"a\/b","n":[1.50,-0,1E2,true,null,{}],"":"\u0022\u005C\u000a\u0001"})",
       R"( { "cit\u0079" : "\u004b\u00F6ln \uD83D\uDE00" , "url":"a\u002fb", "n" : [ 1.50,-0,1E2,true , null,{ } ],
            "" : "\"\\\n\u0001" } )"}) {
    const auto document = parse(spelt);
    ASSERT_TRUE(document.ok()) << spelt;
    EXPECT_EQ(plain(document->root()), wanted);
    EXPECT_EQ(plain(document->root().compact()), wanted);
    EXPECT_EQ(plain(document->root()).size(), measured_bytes(spelt)) << "as long as it counts (D53)";
    const auto again = parse(wanted);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(equal(document->root(), again->root()));
  }
}

TEST(JsonPlain, gives_a_string_its_characters_as_text) {
  const auto document = parse(R"(["K\u00f6\"",{"a":"\/"},7.0])");
  ASSERT_TRUE(document.ok());
  std::vector<std::string> texts;
  for (const Value& item : document->root().children()) texts.push_back(as_text(item));
  EXPECT_EQ(texts, (std::vector<std::string>{"K\u00f6\"", R"({"a":"/"})", "7.0"}));
}

TEST(JsonNumber, is_written_without_exponent_where_that_takes_few_zeros) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"1.2E7", "12000000"},  {"5e-05", "0.00005"},
      {"48e-1", "4.8"},       {"-1.5e1", "-15"},
      {"123e-2", "1.23"},     {"0e9", "0"},
      {"-0.0e3", "0"},        {"1e40", "1" + std::string(40, '0')},
      {"1e41", "1e41"},       {"1e-999", "1e-999"},
      {"12000.0", "12000.0"}, {"-0", "-0"},
      {"1e-3", "0.001"},      {"10.50e0", "10.5"}};
  for (const auto& [number, wanted] : rows) EXPECT_EQ(without_exponent(number), wanted) << number;
}

}  // namespace
}  // namespace parley::json
