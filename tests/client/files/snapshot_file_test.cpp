// The snapshot file: comments and unchanged calls stay as they are.
#include "client/files/snapshot_file.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

const SnapshotCall lookup{"lookup_order", R"({"order":"42"})"};
const SnapshotCall place{"place_order", R"({"size":"large"})"};

TEST(SnapshotFile, is_read_as_it_was_written) {
  const std::vector<SnapshotCall> calls{
      lookup, {"no arguments: at all", "{}"}, {"pay", R"({"text":"$5: \"a, b\""})"}};
  const std::string text = snapshot_text("Orders a latte", calls, "");
  EXPECT_TRUE(
      text.starts_with("# Tool calls of \"Orders a latte\", accepted by `parley run --update`.\ncalls:\n"));
  EXPECT_NE(text.find("$$5"), std::string::npos) << text;
  EXPECT_EQ(snapshot_calls(text), calls) << text;
}

TEST(SnapshotFile, keeps_comments_and_the_text_of_calls_that_stay) {
  const std::string before =
      "# by hand\ncalls:\n  # first\n  - {name: lookup_order, arguments: {order: \"42\"}}\n  # second\n"
      "  - name: place_order\n    arguments: {size: small}\n# the end\n";
  EXPECT_EQ(snapshot_text("x", {lookup, place}, before),
            "# by hand\ncalls:\n  # first\n  - {name: lookup_order, arguments: {order: \"42\"}}\n  # second\n"
            "  - name: place_order\n    arguments: {\"size\": \"large\"}\n# the end\n");
}

TEST(SnapshotFile, of_other_form_is_written_again_below_its_head) {
  const std::string text = snapshot_text("x", {place}, "# by hand\ncalls: [{name: a}, {name: b}]\n");
  EXPECT_EQ(text, "# by hand\ncalls:\n  - name: place_order\n    arguments: {\"size\": \"large\"}\n");
  EXPECT_EQ(snapshot_text("x", {}, text), "# by hand\ncalls: []\n");
}

TEST(LineDiff, shows_what_changed_with_the_lines_around_it) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("a\nb\nc\n", "a\nB\nc\n"), "  a\n- b\n+ B\n  c\n");
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n"), "  ...\n  3\n  4\n  5\n+ 6\n");
}

}  // namespace
}  // namespace parley::client
