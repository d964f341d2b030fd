// Foreign text, shown without invisible characters.

#include "model/text/shown_text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley {
namespace {

TEST(ShownText, escapes_what_is_invisible_and_leaves_the_rest) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"", ""},
      {"plain \"text\" \\ é 漢 🙂", "plain \"text\" \\ é 漢 🙂"},
      {"a\n\tb\r", "a\n\tb\r"},
      {std::string("a\0b", 3), "a\\u0000b"},
      {"\x1b[31m\x7f", "\\u001b[31m\\u007f"},
      {"\u0085\u00ad\u200b\u200d\u200e\u202e\u2028\u2066\ufeff",
       "\\u0085\\u00ad\\u200b\\u200d\\u200e\\u202e\\u2028\\u2066\\ufeff"},
      {"\u2800\u3164\u034f\ufe01", "\\u2800\\u3164\\u034f\\ufe01"},
      {"\U000e0041\U000e0100", "\\udb40\\udc41\\udb40\\udd00"},
      {"\ue000", "\\ue000"},
      {"❤\ufe0f", "❤\ufe0f"},
      {"\xff!", "\\ufffd!"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(shown_text(text), shown) << shown;
}

TEST(ShownText, is_cut_between_characters) {
  EXPECT_EQ(cut_text("aé", 3), "aé");
  EXPECT_EQ(cut_text("aé", 2), "a");
  EXPECT_EQ(cut_text("🙂", 3), "");
  EXPECT_EQ(cut_text("ab", 0), "");
}

}  // namespace
}  // namespace parley
