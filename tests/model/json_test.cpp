// Strict parsing of JSON (D5, I58): which texts are refused, and that accepted ones are preserved exactly.

#include "model/json/json.hpp"

#include <gtest/gtest.h>

#include "model/json/json_number.hpp"
#include "model/json/json_writer.hpp"
#include "model/limits.hpp"

namespace parley::json {
namespace {

using namespace std::string_literals;

std::string nested(std::size_t levels, char open, char close) {
  return std::string(levels, open) + std::string(levels, close);
}
std::string objects(std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i + 1 < levels; ++i) text += R"({"a":)";
  return text + "{}" + std::string(levels - 1, '}');
}
std::string with_keys(std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  return text + "}";
}
Document parsed(std::string_view text) {
  auto document = parse(text);
  EXPECT_TRUE(document.ok()) << text;
  return std::move(document).value();
}

struct Bad {
  std::string name;
  std::string text;
  std::string reason;  ///< part of the detail
};

TEST(Json, refuses_with_the_offset) {
  const std::vector<Bad> rows{
      {"nothing", "", "byte 0"},
      {"white space", " \n", "byte 2"},
      {"a byte order mark", "\xef\xbb\xbf{}", "byte 0"},
      {"trailing bytes", "{} x", "byte 3"},
      {"a second value", "{}{}", "byte 2"},
      {"a NUL behind the value", "{}\0"s, "byte 2"},
      {"a NUL in a string", "\"a\0b\""s, "byte 2"},
      {"a raw control character", "\"a\x01\"", "byte 2: a control character in a string: write \\u0001"},
      {"a raw newline in a string", "\"a\nb\"", "byte 2: a control character in a string: write \\n"},
      {"a raw newline behind a backslash", "\"a\\\nb\"", "byte 2: Invalid escape character"},
      {"a duplicate key", R"({"a":1, "a":2,"b":"......"})", "byte 8: duplicate key 'a'"},
      {"a duplicate key in escapes", R"({"a":1,"\u0061":2})", "byte 7: duplicate key 'a'"},
      {"a duplicate key after escapes", R"({"\n\ud83d\ude00":1,"a":"\u0061","a":2})",
       "byte 33: duplicate key 'a'"},
      {"a duplicate empty key", R"({"":1,"":2})", "byte 6: duplicate key ''"},
      {"a duplicate key inside", R"([{"x":{"b":1,"b":1}}])", "byte 13: duplicate key 'b'"},
      {"a duplicate among many",
       with_keys(20).substr(0, with_keys(20).size() - 1) + ",\"7\":1" + std::string(50, ' ') + "}",
       "byte " + std::to_string(with_keys(20).size()) + ": duplicate key '7'"},
      {"65 arrays", nested(65, '[', ']'), "64 levels"},
      {"65 objects", objects(65), "64 levels"},
      {"a very deep one", std::string(1'000'000, '['), "64 levels"},
      {"1,001 keys", with_keys(1'001), "1,000 keys"},
      {"a number of 65 characters", std::string(65, '1'), "64 characters"},
      {"a cut-off object", R"({"a":1)", "byte 6"},
      {"a missing value", R"({"a":})", "byte 5"},
      {"a trailing comma", "[1,]", "byte 3"},
      {"a comma in front", "[,1]", "byte 1"},
      {"a comment", "{/*x*/}", "byte 1"},
      {"single quotes", "{'a':1}", "byte 1"},
      {"a bare word", "nope", "byte"},
      {"capital letters", "True", "byte 0"},
      {"NaN", "NaN", "byte 0"},
      {"an infinity", "-Infinity", "byte"},
      {"a plus sign", "+1", "byte 0"},
      {"a leading zero", "01", "byte 1"},
      {"a bare dot", "1.", "byte"},
      {"a dot in front", ".5", "byte 0"},
      {"a bare exponent", "1e", "byte"},
      {"a hexadecimal number", "0x1", "byte 1"},
      {"beyond the range of a double", "1e309", "byte"},
      {"an overlong slash", "\"\xc0\xaf\"", "byte"},
      {"a lone continuation byte", "\"\x80\"", "byte"},
      {"a cut-off character", "\"\xe2\x82\"", "byte"},
      {"a raw surrogate", "\"\xed\xa0\x80\"", "byte"},
      {"beyond U+10FFFF", "\"\xf4\x90\x80\x80\"", "byte"},
      {"Latin-1", "\"\xfc\"", "byte"},
      {"invalid UTF-8 in a key", "{\"\xff\":1}", "byte"},
      {"a lone high surrogate", R"("\ud800")", "byte"},
      {"a high surrogate before text", R"("\ud800x")", "byte"},
      {"two high surrogates", R"("\ud800\ud800")", "byte"},
      {"a lone low surrogate", R"("\udc00")", "half a surrogate pair"},
      {"a lone low surrogate in a key", R"({"\udfff":1})", "half a surrogate pair"},
      {"an unknown escape", R"("\x41")", "byte"},
      {"a short escape", R"("\u12")", "byte"},
  };
  for (const Bad& row : rows) {
    const auto document = parse(row.text, outside);
    ASSERT_FALSE(document.ok()) << row.name;
    EXPECT_EQ(document.problem().kind, ProblemKind::invalid_json) << row.name;
    EXPECT_NE(document.problem().detail.find(row.reason), std::string::npos)
        << row.name << ": " << document.problem().detail;
  }
}

TEST(Json, reports_the_first_of_several_faults) {
  for (const Bad& row : std::vector<Bad>{
           {"an encoding before a syntax", "[\"abc\xff\", x]", "byte 5: Invalid encoding in string."},
           {"a syntax before an encoding", "[x, \"\xff\"]", "byte 1: Invalid value."},
           {"an encoding in a text that is cut off", "[\"\xff", "byte 2: Invalid encoding"},
           {"an encoding before a duplicate key", "{\"a\":\"\xff\",\"a\":1}", "byte 6: Invalid encoding"},
           {"a duplicate key before an encoding", "[{\"a\":1,\"a\":2},\"\xff\"]", "duplicate key 'a'"},
           {"a duplicate key before an encoding in the same object", "{\"a\":1,\"a\":2,\"b\":\"\xff\"}",
            "byte 7: duplicate key 'a'"},
           {"one outside a string", "[1,\xff]", "byte 3: Invalid value."}}) {
    const auto document = parse(row.text, outside);
    ASSERT_FALSE(document.ok()) << row.name;
    EXPECT_NE(document.problem().detail.find(row.reason), std::string::npos)
        << row.name << ": " << document.problem().detail;
  }
}

/// One of them is easily missed by code that scans many bytes at a time.
TEST(Json, refuses_a_raw_control_character_at_any_position) {
  for (char control = 1; control < 0x20; ++control) {
    for (std::size_t before = 0; before < 36; ++before) {
      const std::string text = std::string(before, 'a') + control + std::string(36 - before, 'a');
      for (const std::string& body :
           {"\"" + text + "\"", "[\"x\",\"" + text + "\"]", "{\"" + text + "\":1}"}) {
        const auto document = parse(body, outside);
        ASSERT_FALSE(document.ok()) << body;
        const std::string place =
            "byte " + std::to_string(body.find(control)) + ": a control character in a string: write \\";
        EXPECT_NE(document.problem().detail.find(place), std::string::npos) << document.problem().detail;
      }
    }
    const bool is_blank = control == '\t' || control == '\n' || control == '\r';
    EXPECT_EQ(parse("[1," + std::string(20, ' ') + control + "2]").ok(), is_blank);
  }
}

/// The ends of strings are searched many bytes at a time, so every length, position and kind of end matters.
TEST(Json, reads_a_string_of_any_length_at_any_place) {
  for (std::size_t blanks = 0; blanks < 17; ++blanks) {
    for (std::size_t size = 0; size < 40; ++size) {
      for (const std::string_view end : {"", "\\n", "\\u00e9", "\xc3\xa9", "\\\"", "\\\\"}) {
        const std::string plain(size, 'a');
        const std::string text = std::string(blanks, ' ') + "[\"" + plain + std::string(end) + plain + "\"]";
        const auto document = parse(text);
        ASSERT_TRUE(document.ok()) << text;
        const std::string_view decoded = end == "\\n"                ? "\n"
                                         : end.substr(0, 2) == "\\u" ? "\xc3\xa9"
                                         : end.substr(0, 1) == "\\"  ? end.substr(1)
                                                                     : end;
        EXPECT_EQ(document->root().children().front().string(), plain + std::string(decoded) + plain);
      }
    }
  }
}

TEST(Json, takes_everything_up_to_the_bounds) {
  for (const std::string& text :
       {nested(64, '[', ']'), objects(64), with_keys(1'000), std::string(64, '1'), "\"\\u0000\""s,
        R"("\ud83d\ude00")"s, "\"\xf0\x9f\x98\x80\""s, "\"\xed\x9f\xbf\xee\x80\x80\""s, " \t\r\n null \n"s}) {
    EXPECT_TRUE(parse(text, outside).ok()) << text.substr(0, 80);
  }
}

TEST(Json, reads_stored_values_that_have_grown_beyond_the_bounds_of_requests) {
  for (const std::string& text : {nested(65, '[', ']'), objects(100), with_keys(1'001), with_keys(20'000)}) {
    EXPECT_TRUE(parse(text).ok()) << text.substr(0, 80);
  }
  EXPECT_TRUE(parse(nested(256, '[', ']')).ok());
  EXPECT_FALSE(parse(nested(257, '[', ']')).ok()) << "whoever walks it has a stack";
}

TEST(Json, keeps_numbers_as_they_were_sent_I58) {
  for (const std::string text : {"1.0", "-0", "1e2", "1E+02", "9223372036854775808", "18446744073709551616",
                                 "0.1000000000000000055", "1e-400", "123456789012345678901234567890"}) {
    const Document document = parsed("[" + text + "]");
    EXPECT_EQ(document.root().children().front().raw(), text);
    EXPECT_EQ(document.root().compact().text, "[" + text + "]");
  }
}

TEST(Json, finds_the_text_of_each_value) {
  const Document document = parsed(R"( { "a" : [ 1 , "x\"]" , { } ] , "b":true, "c" : null } )");
  const Value root = document.root();
  EXPECT_EQ(root.raw(), R"({ "a" : [ 1 , "x\"]" , { } ] , "b":true, "c" : null })");
  EXPECT_EQ(root.compact().text, R"({"a":[1,"x\"]",{}],"b":true,"c":null})");
  EXPECT_EQ(root.find("a")->raw(), R"([ 1 , "x\"]" , { } ])");
  EXPECT_EQ(root.find("a")->children().at(1).raw(), R"("x\"]")");
  EXPECT_EQ(root.find("a")->children().at(2).raw(), "{ }");
  EXPECT_EQ(root.find("b")->raw(), "true");
  EXPECT_TRUE(root.find("b")->boolean());
  EXPECT_EQ(root.find("c")->kind(), Kind::null);
  EXPECT_FALSE(root.find("d").has_value());
  EXPECT_FALSE(root.find("a")->find("x").has_value()) << "an array has no members";
  EXPECT_EQ(root.children().at(2).key(), "c");
}

TEST(Json, decodes_strings_and_keys) {
  const Document document = parsed(R"({"\u00e4\n\/\\\"":"\ud83d\ude00\u0000."})");
  EXPECT_EQ(document.root().children().front().key(), "\xc3\xa4\n/\\\"");
  EXPECT_EQ(document.root().children().front().string(), "\xf0\x9f\x98\x80\0."s);
}

struct Pointed {
  std::string pointer;
  std::optional<std::string> raw;
};

TEST(Json, follows_pointers_as_RFC_6901_says) {
  const Document document =
      parsed(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"m~n":8,"k\"l":6,"~1":9,"o":{"":{"x":7}}})");
  const std::vector<Pointed> rows{
      {"/foo", R"(["bar","baz"])"},
      {"/foo/0", R"("bar")"},
      {"/foo/1", R"("baz")"},
      {"/", "0"},
      {"/a~1b", "1"},
      {"/c%d", "2"},
      {"/m~0n", "8"},
      {"/k\"l", "6"},
      {"/~01", "9"},
      {"/o//x", "7"},
      {"/foo/2", {}},
      {"/foo/-", {}},
      {"/foo/01", {}},
      {"/foo/+1", {}},
      {"/foo/", {}},
      {"/foo/0/x", {}},
      {"/nope", {}},
      {"foo", {}},
      {"/m~n", {}},
      {"/m~", {}},
      {"/m~2n", {}},
      {"/foo/99999999999999999999", {}},
  };
  for (const Pointed& row : rows) {
    const auto found = at_pointer(document.root(), row.pointer);
    EXPECT_EQ(found.has_value(), row.raw.has_value()) << row.pointer;
    if (found && row.raw) {
      EXPECT_EQ(found->raw(), *row.raw) << row.pointer;
    }
  }
  EXPECT_EQ(at_pointer(document.root(), "")->raw(), document.root().raw());
  EXPECT_EQ(pointer_token("a/b~c"), "a~1b~0c");
}

struct Pair {
  std::string a;
  std::string b;
  bool same;
};

TEST(Json, compares_by_value_D31) {
  const std::vector<Pair> rows{
      {"1", "1.0", true},
      {"1", "10e-1", true},
      {"100", "1E2", true},
      {"0", "-0.000", true},
      {"0", "0e99", true},
      {"1", "-1", false},
      {"9007199254740993", "9007199254740992", false},
      {"0.1", "0.1000000000000000055", false},
      {"1", "\"1\"", false},
      {"null", "false", false},
      {"\"a\"", R"("\u0061")", true},
      {"[1,2]", "[2,1]", false},
      {"[1]", "[1,1]", false},
      {R"({"a":1,"b":2})", R"({"b":2.0,"a":1})", true},
      {R"({"a":1})", R"({"a":1,"b":null})", false},
      {R"({"a":1})", R"({"b":1})", false},
      {R"({"a":[{"x":"y"}]})", R"( { "a" : [ { "x" : "y" } ] } )", true},
  };
  for (const Pair& row : rows) {
    const Document a = parsed(row.a);
    const Document b = parsed(row.b);
    EXPECT_EQ(equal(a.root(), b.root()), row.same) << row.a << " and " << row.b;
    EXPECT_EQ(equal(b.root(), a.root()), row.same) << row.b << " and " << row.a;
    EXPECT_EQ(canonical(a.root()) == canonical(b.root()), row.same) << row.a << " and " << row.b;
  }
}

TEST(Json, compares_numbers_digit_by_digit) {
  EXPECT_TRUE(same_number("1e999999999", "10e999999998"));
  EXPECT_FALSE(same_number("1e999999999", "1e999999998"));
  EXPECT_FALSE(same_number("1e-999999999999999999999", "0"));
}

struct Whole {
  std::string text;
  std::optional<std::int64_t> value;
};

TEST(Json, reads_whole_numbers_exactly) {
  const std::vector<Whole> rows{
      {"0", 0},
      {"-0", 0},
      {"7.0", 7},
      {"70e-1", 7},
      {"1e2", 100},
      {"1.5", {}},
      {"15e-1", {}},
      {"1e-1", {}},
      {"9223372036854775807", INT64_MAX},
      {"9223372036854775808", {}},
      {"-9223372036854775808", INT64_MIN},
      {"-9223372036854775809", {}},
      {"1e18", 1'000'000'000'000'000'000},
      {"1e19", {}},
      {"1e99999999999999999999", {}},
      {"0e99999999999999999999", 0},
      {"123456789012345678901234567890", {}},
  };
  for (const Whole& row : rows) EXPECT_EQ(to_integer(row.text), row.value) << row.text;
}

TEST(JsonWriter, places_commas_and_escapes) {
  Writer out;
  out.begin_object()
      .member("a\"\\\n\x01", "\xc3\xa4/")
      .key("b")
      .begin_array()
      .integer(-1)
      .boolean(true)
      .null();
  out.number(0.1).raw("[]").begin_object().end_object().end_array().key("c").begin_object().end_object();
  out.member("d", "").end_object();
  EXPECT_EQ(std::move(out).text(),
            "{\"a\\\"\\\\\\n\\u0001\":\"\xc3\xa4/\",\"b\":[-1,true,null,0.1,[],{}],\"c\":{},\"d\":\"\"}");
}

TEST(JsonWriter, escapes_each_byte_at_any_position) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::string alone;
    append_quoted(alone, std::string(1, c));
    const bool is_plain = byte >= 0x20 && c != '"' && c != '\\';
    EXPECT_EQ(alone.size(), is_plain                                                               ? 3U
                            : std::string_view("\b\f\n\r\t\"\\").find(c) != std::string_view::npos ? 4U
                                                                                                   : 8U);
    for (std::size_t before = 0; before < 18; ++before) {
      std::string quoted;
      append_quoted(quoted, std::string(before, '!') + c + std::string(17 - before, '\xff'));
      EXPECT_EQ(quoted, '"' + std::string(before, '!') + alone.substr(1, alone.size() - 2) +
                            std::string(17 - before, '\xff') + '"');
    }
  }
}

TEST(JsonWriter, writes_what_the_parser_reads_back) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  std::string text;
  append_quoted(text, all);
  EXPECT_EQ(parsed(text).root().string(), all);
}

TEST(JsonWriter, writes_the_shortest_number_and_no_infinity) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(100), "100");
  EXPECT_EQ(number_text(1e308 * 10), "null");
  EXPECT_EQ(to_double(number_text(1.0 / 3)), 1.0 / 3);
}

TEST(Json, measures_a_value_in_its_shortest_form_D53) {
  struct Measured {
    std::string text;
    std::size_t bytes;
  };
  for (const Measured& row : std::vector<Measured>{{"{}", 2},
                                                   {R"( { "a" : [ 1 , 2.50 ] } )", 14},
                                                   {R"("a b")", 5},
                                                   {R"("\u0041")", 3},
                                                   {R"("\u007f")", 3},
                                                   {R"("\u00e4")", 4},
                                                   {R"("\u20AC")", 5},
                                                   {R"("\ud83d\uDE00")", 6},
                                                   {R"("\/")", 3},
                                                   {R"("\"")", 4},
                                                   {R"("\u0022\u005c")", 6},
                                                   {R"("\u0008\u0009\u000a\u000c\u000d")", 12},
                                                   {R"("\u0000")", 8},
                                                   {R"("\u001f")", 8},
                                                   {R"({"\u00e4":1.0e2})", 12},
                                                   {R"(["\\", "x  y"])", 13}}) {
    EXPECT_EQ(measured_bytes(row.text), row.bytes) << row.text;
  }
}

}  // namespace
}  // namespace parley::json
