// The one-pass reader of stored values agrees with the strict parser, and falls back to it.

#include "model/description/stored_reader.hpp"

#include <gtest/gtest.h>

#include "model/description/record_write.hpp"
#include "model/records/test.hpp"
#include "model/records/test_result.hpp"

namespace parley {
namespace {

Test awkward_test() {
  Test test;
  test.stamp.updated_at = Time{1'790'000'000'123};
  test.name = "quotes \" back\\slash \n\t\b\f\r \x01 \x1f slash / caf\xc3\xa9 {[,]}";
  test.is_enabled = false;
  test.scenario.id = CountingIds(7).next(Time{5});
  test.instruction = std::string("line\nline") + std::string(1, '\0') + "nul";
  Assertion assertion;
  assertion.id = "a";
  assertion.type = "json";
  assertion.weight = 0;
  assertion.config = json::Text{R"({"pointer":"/a/b","equals":[1.0,-0,"}]\"",{"k":null}]})"};
  test.assertions = {assertion, Assertion{}};
  test.fields = json::Text{R"({"deep":{"list":[true,false,{}]}})"};
  return test;
}

TEST(StoredReader, gives_back_every_field_that_was_written) {
  const parley::Test test = awkward_test();
  const std::string text = write_stored(test);
  parley::Test read;
  ASSERT_TRUE(parse_stored(std::string_view(text), read));
  EXPECT_EQ(write_stored(read), text);
  EXPECT_EQ(read.name, test.name);
  EXPECT_EQ(read.instruction, test.instruction);
  EXPECT_EQ(read.assertions, test.assertions);
  EXPECT_EQ(read.fields, test.fields);
  EXPECT_EQ(read.scenario, test.scenario);
  EXPECT_FALSE(read.is_enabled);
}

TEST(StoredReader, agrees_with_the_strict_parser) {
  const std::string text = write_stored(awkward_test());
  const auto document = json::parse(text);
  ASSERT_TRUE(document.ok());
  parley::Test strict;
  parse_stored(document->root(), strict);
  parley::Test fast;
  ASSERT_TRUE(parse_stored(std::string_view(text), fast));
  EXPECT_EQ(write_stored(fast), write_stored(strict));
}

TEST(StoredReader, reads_members_in_another_order_and_skips_unknown_ones) {
  constexpr std::string_view text =
      R"({"gone":[1,{"a":"}"}],"score":70,"status":"completed","updatedAt":12,"agent":"00000000-0000-7000-8000-000000000001"})";
  ResultHead head;
  ASSERT_TRUE(parse_stored(text, head));
  EXPECT_EQ(head.score, 70);
  EXPECT_EQ(head.status, ResultStatus::completed);
  EXPECT_EQ(head.stamp.updated_at, Time{12});
}

TEST(StoredReader, refuses_text_that_is_not_an_object) {
  for (const std::string_view text : {"", "{", "[]", "{\"name\":\"x", "{\"name\":tru}", "{} "}) {
    parley::Test read;
    EXPECT_EQ(parse_stored(text, read), text == "{} ") << text;
  }
}

TEST(StoredMember, finds_strings_of_the_top_level_only) {
  constexpr std::string_view text =
      R"({"updatedAt":1,"inner":{"name":"no"},"list":["name"],"name":"y\"es","type":""})";
  EXPECT_EQ(stored_member(text, "name"), "y\"es");
  EXPECT_EQ(stored_member(text, "type"), "");
  EXPECT_EQ(stored_member(text, "absent"), "");
  EXPECT_EQ(stored_member("{\"name\":", "name"), "");
}

TEST(StoredMember, finds_several_members_in_one_pass) {
  constexpr std::string_view text =
      R"({"a":null,"b":{"c":"no"},"c":"first","d":["}"],"e":"la\\st","f":7,"tail":"x"})";
  const auto [e, a, c, f, absent] = stored_members(text, {"e", "a", "c", "f", "absent"});
  EXPECT_EQ(e, "la\\st");
  EXPECT_EQ(a, "") << "null is no string";
  EXPECT_EQ(c, "first");
  EXPECT_EQ(f, "") << "a number is no string";
  EXPECT_EQ(absent, "");
}

TEST(StoredMember, ends_at_text_that_is_cut) {
  constexpr std::string_view whole = R"({"a":"1","b":{"x":["y\""]},"c":"3"})";
  for (std::size_t bytes = 0; bytes < whole.size() - 1; ++bytes) {
    const auto [a, c] = stored_members(whole.substr(0, bytes), {"a", "c"});
    EXPECT_TRUE(a.empty() || a == "1") << bytes;
    EXPECT_EQ(c, "") << bytes;
  }
  EXPECT_EQ(stored_member(whole, "c"), "3");
}

TEST(StoredReader, reads_back_a_list_as_answers_show_it) {
  AssertionResult full;
  full.assertion.id = "a";
  full.assertion.name = "named";
  full.assertion.weight = 0;
  full.assertion.config = json::Text{R"({"value":"}]"})"};
  full.status = AssertionStatus::failed;
  full.reason = "why \"so\"\n";
  full.evidence = {"e1", "e2"};
  full.judge = json::Text{R"({"model":"m"})"};
  const std::vector<AssertionResult> written{full, AssertionResult{}};
  std::vector<AssertionResult> read;
  ASSERT_TRUE(parse_stored_list(shown_results(written).text, read));
  EXPECT_EQ(read, written);
  std::vector<AssertionResult> none;
  EXPECT_TRUE(parse_stored_list("[]", none));
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(parse_stored_list("{}", none));
  EXPECT_FALSE(parse_stored_list("[{}", none));
  // Members in another order need the strict parser.
  ASSERT_TRUE(parse_stored_list(R"([{"reason":"r","id":"b","status":"passed"},{"id":"c"}])", none));
  ASSERT_EQ(none.size(), 2u);
  EXPECT_EQ(none[0].reason, "r");
  EXPECT_EQ(none[0].assertion.id, "b");
  EXPECT_EQ(none[1].assertion.id, "c");
}

}  // namespace
}  // namespace parley
