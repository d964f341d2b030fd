#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/reading/csv.hpp"
#include "convert/reading/node.hpp"
#include "convert/reading/zip.hpp"
#include "convert/records/escapes.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  Faults faults;
  const auto table = parse_csv({"t.csv", text}, faults);
  std::vector<std::vector<std::string>> rows;
  if (!table) return rows;
  for (const auto& row : table->rows) {
    rows.emplace_back();
    for (const Cell& cell : row) rows.back().push_back(cell.text);
  }
  return rows;
}

TEST(Csv, reads_quotes_newlines_and_other_separators) {
  const std::vector<std::vector<std::string>> wanted{{"x\ny", "say \"hi\""}, {"1", ""}};
  EXPECT_EQ(rows_of("a,b\n\"x\ny\",\"say \"\"hi\"\"\"\n\n1\n"), wanted);
  EXPECT_EQ(rows_of("a;b\n1,5;2\n"), (std::vector<std::vector<std::string>>{{"1,5", "2"}}));
  EXPECT_EQ(rows_of("a\tb\n1\t2"), (std::vector<std::vector<std::string>>{{"1", "2"}}));
}

TEST(Csv, names_the_place_of_a_fault) {
  struct Row {
    std::string text;
    std::string fault;
  };
  for (const Row& row : {Row{"", "t.csv:1:1: error: the file is empty"},
                         Row{"a,b\n1,2,3\n", "t.csv:2:5: error: the row has 3 cells"},
                         Row{"a\nx\n\"y\n", "t.csv:3:1: error: an unterminated quoted cell"}}) {
    Faults faults;
    EXPECT_FALSE(parse_csv({"t.csv", row.text}, faults).has_value());
    EXPECT_THAT(faults.text(), HasSubstr(row.fault));
  }
}

TEST(Sources, refuse_what_is_not_UTF_8) {
  struct Row {
    std::string bytes;
    std::string fault;
  };
  for (const Row& row :
       {Row{std::string("a\0b", 3), "f:1:2: error: a NUL byte"}, Row{"ab\n\xff", "f:2:1: error: not UTF-8"},
        Row{"\xff\xfe\x61", "f:1:1: error: the file is UTF-16"}}) {
    Faults faults;
    EXPECT_FALSE(source_of("f", row.bytes, faults).has_value());
    EXPECT_THAT(faults.text(), HasSubstr(row.fault));
  }
  Faults faults;
  EXPECT_EQ(source_of("f",
                      "\xef\xbb\xbf"
                      "a\r\nb",
                      faults)
                ->text,
            "a\nb");
}

TEST(Sources, name_pointers_of_git_lfs) {
  Faults faults;
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  EXPECT_FALSE(source_of("f.jsonl", pointer, faults).has_value());
  EXPECT_THAT(faults.text(), HasSubstr("f.jsonl:1:1: error: the file is a pointer of Git LFS"));
}

TEST(Nodes, have_places_in_characters) {
  Faults faults;
  const auto node = parse_json({"f", "{\n  \"ä\": \"ö\", \"b\": [1,\n 22]}"}, faults);
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ(node->find("ä")->place, (Place{2, 8}));
  EXPECT_EQ(node->find("b")->items[1].place, (Place{3, 2}));
  EXPECT_FALSE(parse_json({"f", "{\n \"a\": 1,\n \"a\": 2}"}, faults).has_value());
  EXPECT_THAT(faults.text(), HasSubstr("f:3:"));
}

TEST(Nodes, of_YAML_follow_aliases_and_bound_them) {
  Faults faults;
  const auto node = parse_yaml({"f", "a: &x {b: yes}\nc: *x\nd:\n  <<: *x\n  e: 1\n"}, faults);
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ(to_json(*node), R"({"a":{"b":"yes"},"c":{"b":"yes"},"d":{"e":1,"b":"yes"}})");
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int n = 1; n < 12; ++n) {
    laughs += "a" + std::to_string(n) + ": &a" + std::to_string(n) + " [";
    for (int i = 0; i < 10; ++i) laughs += (i == 0 ? "*a" : ", *a") + std::to_string(n - 1);
    laughs += "]\n";
  }
  EXPECT_FALSE(parse_yaml({"f", laughs}, faults).has_value());
}

TEST(Nodes, follow_each_other_in_a_text) {
  const std::vector<Part> values = json_values("\n{\"a\": \"}\"}\n{\n}[1]\n");
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0].line, 2U);
  EXPECT_EQ(values[0].begin, 1U);
  EXPECT_EQ(values[0].end, 11U);
  EXPECT_EQ(values[1].line, 3U);
  EXPECT_EQ(values[2].line, 4U);
  for (const char* text : {"", "{}, {}", "{\"a\"", "{} x", "}{"})
    EXPECT_TRUE(json_values(text).empty()) << text;
}

TEST(Zip, refuses_damage_and_names_that_lead_out) {
  Faults faults;
  EXPECT_FALSE(zip_members("z", "PK\3\4 and no directory", faults).has_value());
  EXPECT_THAT(faults.text(), HasSubstr("z: error: is not a whole zip archive"));
}

TEST(Zip, reads_members_compressed_with_zstandard) {
  // Two frames with one uncompressed block each, "te" and "a".
  const std::string frames(
      "\x28\xb5\x2f\xfd\x20\x02\x11\0\0te\x28\xb5\x2f\xfd\x20\x01\x09\0\0"
      "a",
      21);
  const std::string archive = "PK\3\4" + std::string(26, '\0') + frames;
  const ZipMember whole{"tea.json", 93, 0x8e86d7b2, frames.size(), 3, 0};
  Faults faults;
  Inputs inputs(faults);
  EXPECT_EQ(zip_content("z", archive, whole, inputs, faults), "tea");
  ZipMember longer = whole;
  longer.size = 4;
  EXPECT_EQ(zip_content("z", archive, longer, inputs, faults), std::nullopt);
  EXPECT_THAT(faults.text(), HasSubstr("z/tea.json: error: is damaged"));
}

TEST(Escapes, let_a_user_turn_say_exactly_its_text) {
  EXPECT_EQ(say_line("say: \"x\"\n{{a}}"), R"(say: "say: \"x\"\n\u007b{a}}")");
  EXPECT_EQ(quoted_text("a\x7f\xc2\x85\xe2\x80\xa8"), R"("a\u007f\u0085\u2028")");
  EXPECT_EQ(dollars_doubled("${A} $1"), "$${A} $$1");
  EXPECT_EQ(glob_to_wildcard("a*b?c\\"), "a*b\\?c\\\\");
}

TEST(Escapes, keep_prose_from_being_a_script) {
  const Prose prose = safe_prose("You call.\nsay: hello\nif /x/ say: y\nfirst: \"a\"\nUse {{name}}.");
  EXPECT_TRUE(prose.was_changed);
  EXPECT_EQ(prose.text, "You call.\n- say: hello\n- if /x/ say: y\n- first: \"a\"\nUse { {name}}.");
  EXPECT_FALSE(safe_prose("You want a latte.").was_changed);
}

TEST(Faults, show_only_the_first_ones) {
  Faults faults;
  for (std::size_t i = 0; i <= Faults::shown_max; ++i) faults.add("a.csv", "odd");
  EXPECT_TRUE(faults.text().ends_with("a.csv: error: odd\nMore errors follow.\n"));
}

}  // namespace
}  // namespace parley::convert
