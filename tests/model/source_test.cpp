// Files with positions, faults printed as a compiler prints them, and the parsers of YAML, JSON and CSV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/source/csv_reader.hpp"
#include "model/source/json_reader.hpp"
#include "model/source/yaml_reader.hpp"

namespace parley::source {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReadTree yaml(std::string text, const TreeBounds& bounds = {}) {
  return read_yaml(source_file("a.yaml", std::move(text)), bounds);
}
ReadTree json(std::string text) {
  return read_json(source_file("a.json", std::move(text)));
}
std::string as_json(const ReadTree& read) {
  if (!read.tree) return "faults";
  json::Writer out;
  write_json(out, read.tree->root());
  return std::move(out).text();
}
std::string first_fault(const ReadTree& read) {
  if (read.faults.empty()) return "";
  return place_text(read.faults.front().place) + ": " + read.faults.front().message;
}

TEST(SourceFile, counts_columns_in_characters) {
  const SourceFile file("f", "ab\nçé: x\n");
  EXPECT_EQ(file.position(0), (Position{1, 1}));
  EXPECT_EQ(file.position(3), (Position{2, 1}));
  EXPECT_EQ(file.position(7), (Position{2, 3}));
  EXPECT_EQ(file.position(1000), (Position{3, 1}));
  EXPECT_EQ(file.line(2), "çé: x");
}

TEST(SourceFault, is_printed_with_its_line_and_a_caret) {
  const auto file = source_file("coffee.yaml", "x:\n\t- contians: \"4.50\"\n");
  const SourceFault fault{Level::error, "unknown-key", "unknown key \"contians\"", {file, {6, 14}}};
  EXPECT_EQ(fault_text(fault),
            "coffee.yaml:2:4: error: unknown key \"contians\"\n"
            "    2 | \t- contians: \"4.50\"\n"
            "      | \t  ^~~~~~~~\n");
}

TEST(SourceFault, masks_what_is_hidden_and_keeps_the_caret) {
  const auto file = source_file("f", "key: sk-12345678 x\n");
  SourceFault fault{Level::error, "c", "m", {file, {17, 18}}};
  fault.hidden = {{5, 16}};
  EXPECT_EQ(fault_text(fault), "f:1:18: error: m\n    1 | key: **** x\n      |           ^\n");
  fault.place.at = {5, 16};
  EXPECT_EQ(fault_text(fault), "f:1:6: error: m\n    1 | key: **** x\n      |      ^~~~\n");
}

TEST(SourceFault, shows_no_control_characters_of_the_source) {
  const auto file = source_file("f", "a\x1b[31mb");
  EXPECT_THAT(fault_text({Level::error, "c", "m\x1b", {file, {0, 1}}}), HasSubstr("a?[31mb"));
}

TEST(SourceFault, is_an_annotation_of_GitHub) {
  const auto file = source_file("a,b.yaml", "x");
  EXPECT_EQ(fault_annotation({Level::warning, "code", "50 %\nline", {file, {0, 1}}}),
            "::warning file=a%2Cb.yaml,line=1,col=1,title=code::50 %25%0Aline\n");
}

TEST(SourceFault, report_sorts_and_counts) {
  const auto file = source_file("f", "a\nb\n");
  const std::vector<SourceFault> faults{{Level::error, "c", "second", {file, {2, 3}}},
                                        {Level::warning, "c", "first", {file, {0, 1}}}};
  const std::string text = report_of(faults, FaultFormat::text);
  EXPECT_LT(text.find("first"), text.find("second"));
  EXPECT_TRUE(text.ends_with("1 error, 1 warning in 1 file.\n")) << text;
}

TEST(YamlReader, reads_values_as_json) {
  struct Row {
    const char* yaml;
    const char* json;
  };
  const Row rows[] = {
      {"", "null"},
      {"a: 1\nb: [x, 'y', \"z\", true, ~, 012, yes, 1.5e3]\n",
       R"({"a":1,"b":["x","y","z",true,null,"012","yes",1.5e3]})"},
      {"a: '1'\nb: \"true\"\nc: !!str 5\n", R"({"a":"1","b":"true","c":"5"})"},
      {"a: !!int 1\nb: !!float 1.5\nc: !!bool true\nd: !!null ~\ne: !!map {}\nf: !!seq []\n",
       R"({"a":1,"b":1.5,"c":true,"d":null,"e":{},"f":[]})"},
      {"a: |\n  one\n  two\nb: >\n  one\n  two\n", "{\"a\":\"one\\ntwo\\n\",\"b\":\"one two\\n\"}"},
      {"- |\n a\n  b\n- >-\n\n   c\n   d\n", R"(["a\n b\n","\nc d"])"},
      {">-\n a\n  b\n", R"("a\n b")"},
      {"a: &x {k: 1}\nb: *x\n", R"({"a":{"k":1},"b":{"k":1}})"},
      {"a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}\n", R"({"a":{"k":1,"l":2},"b":{"k":3,"l":2}})"},
      {"a:\nb:\n", R"({"a":null,"b":null})"},
      {"---\na: 1\n", R"({"a":1})"},
  };
  for (const Row& row : rows) EXPECT_EQ(as_json(yaml(row.yaml)), row.json) << row.yaml;
}

TEST(YamlReader, reads_numbers_that_json_refuses_as_text) {
  const std::string longest(64, '7');
  EXPECT_EQ(as_json(yaml("a: " + longest)), R"({"a":)" + longest + "}");
  EXPECT_EQ(as_json(yaml("a: " + longest + "7")), R"({"a":")" + longest + "7\"}");
  EXPECT_EQ(as_json(yaml("a: 7e999")), R"({"a":"7e999"})");
}

TEST(YamlReader, keeps_the_first_value_of_a_duplicate_key) {
  const ReadTree read = yaml("a: 1\nb: {c: 2, c: [3]}\na: 4\nd: 5\n");
  EXPECT_EQ(as_json(read), R"({"a":1,"b":{"c":2},"d":5})");
  EXPECT_EQ(read.faults.size(), 2U);
  EXPECT_EQ(as_json(yaml("a: 1\na: 2\nb: *nothing\n")), "faults");
}

TEST(YamlReader, reports_faults_with_their_place) {
  struct Row {
    const char* yaml;
    const char* fault;
  };
  const Row rows[] = {
      {"a: 1\nb: 2\na: 3\n", "a.yaml:3:1: duplicate key \"a\"; it is first used at a.yaml:1:1"},
      {"a: !custom x\n", "a.yaml:1:4: tag \"!custom\" is not supported; remove it"},
      {"a: !!binary eA==\n", "a.yaml:1:4: tag \"tag:yaml.org,2002:binary\" is not supported; remove it"},
      {"a: !!python/object:x y\n",
       "a.yaml:1:4: tag \"tag:yaml.org,2002:python/object:x\" is not supported; remove it"},
      {"a: *nothing\n", "a.yaml:1:4: alias \"nothing\" has no anchor before it; define \"&nothing\" first"},
      {"a: 1\n---\nb: 2\n", "a.yaml:2:1: a second document; a file has one, so remove the \"---\""},
      {"[a, b]: 1\n", "a.yaml:1:1: a key must be a text, not a list or a mapping"},
      {"x:\n  s: |\n  t\n  s: |\n    u\n      v\n  f: >\n    w\n    z\n",
       "a.yaml:3:1: indent the block text more than its key and the line above it"},
      {" >-\n a\n  b\n", "a.yaml:2:1: indent the block text more than its key and the line above it"},
      {"x:\n |-\n\n a\n  b\n", "a.yaml:3:1: indent the block text more than its key and the line above it"},
      {"a: {<<: 5}\n", "a.yaml:1:5: \"<<\" takes a mapping or a list of mappings"},
      {"a: \xff\n", "a.yaml:1:4: the file is not UTF-8; save it as UTF-8"},
  };
  for (const Row& row : rows) EXPECT_EQ(first_fault(yaml(row.yaml)), row.fault) << row.yaml;
}

TEST(YamlReader, reports_malformed_text_where_it_is) {
  struct Row {
    const char* yaml;
    std::uint32_t line;
  };
  const Row rows[] = {{"a: [1, 2\nb: 3\n", 3},
                      {"a: \"x\nb: 2\n", 1},
                      {"a: 1\n\tb: 2\n", 1},
                      {"a: {b c: d\n", 2},
                      {"a: b: c\n", 1}};
  for (const Row& row : rows) {
    const ReadTree read = yaml(row.yaml);
    ASSERT_EQ(read.faults.size(), 1U) << row.yaml;
    const Place& place = read.faults.front().place;
    EXPECT_EQ(place.file->position(place.at.begin).line, row.line)
        << row.yaml << fault_text(read.faults.front());
  }
}

TEST(YamlReader, takes_brackets_and_quoted_texts_that_are_not_indented) {
  const ReadTree read = yaml("a:\n  b: {\n    \"c\": 1\n  }\n  d: [\n    x\n  ]\ne: \"one\ntwo\"\n");
  EXPECT_EQ(as_json(read), R"({"a":{"b":{"c":1},"d":["x"]},"e":"one two"})");
}

TEST(YamlReader, bounds_depth_and_expansion) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "[";
  EXPECT_EQ(yaml(deep).faults.size(), 1U);
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) laughs += ", " + before;
    laughs += "]\n";
  }
  EXPECT_THAT(first_fault(yaml(laughs)), HasSubstr("more than 1000000 values"));
}

TEST(YamlReader, finds_a_part_of_a_scalar_in_the_file) {
  const std::string text = "a: x${V}\nb: \"y${V}\"\nc: |\n  one\n   ${V}\nd: >\n  f ${V}\n  g ${V}\n";
  const ReadTree read = yaml(text);
  ASSERT_TRUE(read.tree);
  const SourceFile& file = *read.tree->file();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const Member& member : read.tree->root().members) {
    const std::size_t at = member.value->text.rfind("${V}");
    const Position position = file.position(span_in(file, *member.value, {at, at + 4}).begin);
    found.emplace_back(position.line, position.column);
  }
  using Found = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(found, ElementsAre(Found{1, 5}, Found{2, 6}, Found{5, 4}, Found{8, 5}));
}

TEST(JsonReader, reads_values_and_their_places) {
  const ReadTree read = json("{\"a\": [1, true, null, \"x\\n\"],\n \"b\": {}}");
  EXPECT_EQ(as_json(read), R"({"a":[1,true,null,"x\n"],"b":{}})");
  const Member* b = read.tree->root().find("b");
  EXPECT_EQ(read.tree->file()->position(b->name_at.begin), (Position{2, 2}));
}

TEST(JsonReader, reports_faults_with_their_place) {
  struct Row {
    const char* json;
    const char* fault;
  };
  const Row rows[] = {
      {"", "a.json:1:1: expected a value, not the end of the text"},
      {"{\"a\": 1,\n \"a\": 2}", "a.json:2:2: duplicate key \"a\"; it is first used at a.json:1:2"},
      {"[1, 2", "a.json:1:6: expected \",\" or \"]\", not the end of the text"},
      {"{\"a\" 1}", "a.json:1:6: expected \":\", not \"1\""},
      {"[01]", "a.json:1:2: expected a value, not \"0\""},
      {"[1] x", "a.json:1:5: text after the end of the JSON value"},
      {"[\"a]", "a.json:1:2: an unterminated string; add a quotation mark"},
  };
  for (const Row& row : rows) EXPECT_EQ(first_fault(json(row.json)), row.fault) << row.json;
  for (const std::string& number : {std::string(65, '7'), std::string("-7e999")})
    EXPECT_EQ(first_fault(json("[" + number + "]")),
              "a.json:1:2: a number of more than 64 characters or outside the range of a double");
}

TEST(JsonReader, reads_lines_independently) {
  const auto read = read_json_lines(source_file("a.jsonl", "{\"a\":1}\n\n{\"a\":\n[2]\n"));
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(as_json(read[0]), R"({"a":1})");
  EXPECT_EQ(as_json(read[1]), "faults");
  EXPECT_EQ(as_json(read[2]), "[2]");
}

TEST(CsvReader, reads_cells_with_quotation_marks_and_line_ends) {
  const ReadCsv read = read_csv(source_file("a.csv", "id,text\r\n1,\"a \"\"b\"\"\nc\"\r\n\r\n2,\n"));
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[1][1].text, "a \"b\"\nc");
  EXPECT_EQ(read.rows[2][1].text, "");
}

TEST(CsvReader, reports_a_quotation_mark_without_its_end) {
  const ReadCsv read = read_csv(source_file("a.csv", "id\n\"x\n"));
  ASSERT_EQ(read.faults.size(), 1U);
  EXPECT_EQ(place_text(read.faults[0].place), "a.csv:2:1");
}

}  // namespace
}  // namespace parley::source
