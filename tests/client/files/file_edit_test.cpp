// Changes values of a suite file and keeps comments, order and layout.
#include "client/files/file_edit.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

constexpr std::string_view shop_file = R"(# the shop
version: 1
tests:
  - name: One   # its name
    script: |
      say: Hello   # not a comment
      say: bye

    tags: [a, b]
  - {name: "Two: 2", script: "say: Hi", must: [{contains: x}]}
  - name: Three
    script: ${TEXT}
)";

FileEdit edit() {
  auto made = FileEdit::of("parley.yaml", std::string(shop_file));
  EXPECT_TRUE(made.ok());
  return std::move(made).value();
}

TEST(FileEdit, replaces_scalars_and_keeps_comments) {
  FileEdit file = edit();
  const source::Node* test = file.mapping_at(4, 11);
  ASSERT_NE(test, nullptr);
  ASSERT_TRUE(file.set_text(*test, "name", "One, or $1: new").ok());
  ASSERT_TRUE(file.set_json(*test, "tags", "[\"c\"]").ok());
  EXPECT_NE(file.text().find("  - name: \"One, or $$1: new\"   # its name\n"), std::string::npos)
      << file.text();
  EXPECT_NE(file.text().find("    tags: [\"c\"]\n"), std::string::npos) << file.text();
  EXPECT_TRUE(file.text().starts_with("# the shop\n"));
}

TEST(FileEdit, replaces_a_block_with_its_indentation) {
  FileEdit file = edit();
  ASSERT_TRUE(file.set_text(*file.mapping_at(4, 11), "script", "say: Good morning\n\nsay: bye\n").ok());
  EXPECT_NE(
      file.text().find("    script: |\n      say: Good morning\n\n      say: bye\n\n    tags: [a, b]\n"),
      std::string::npos)
      << file.text();
}

TEST(FileEdit, adds_what_is_missing_to_a_block_mapping_only) {
  FileEdit file = edit();
  ASSERT_TRUE(file.set_json(*file.mapping_at(4, 11), "enabled", "false").ok());
  EXPECT_NE(file.text().find("  - enabled: false\n    name: One"), std::string::npos) << file.text();
  const source::Node* in_one_line = file.mapping_at(10, 12);
  ASSERT_NE(in_one_line, nullptr);
  EXPECT_FALSE(file.set_json(*in_one_line, "enabled", "false").ok());
  EXPECT_TRUE(file.set_text(*in_one_line, "script", "say: Hello").ok());
}

TEST(FileEdit, leaves_variables_alone) {
  FileEdit file = edit();
  const source::Node* test = file.mapping_at(11, 11);
  ASSERT_NE(test, nullptr);
  EXPECT_FALSE(file.set_text(*test, "script", "say: Hi").ok());
  EXPECT_EQ(file.mapping_at(1, 1), nullptr);
}

}  // namespace
}  // namespace parley::client
