// find_where agrees with a search character by character, for every length, start and position.

#include "model/text/text_scan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley {
namespace {

constexpr auto is_special = [](auto c) { return (c < 0x20) | (c == '"'); };

TEST(FindWhere, finds_the_first_from_every_start_in_texts_of_every_length) {
  for (std::size_t length = 0; length <= 50; ++length) {
    for (std::size_t special = 0; special <= length; ++special) {
      std::string text(length, 'a');
      if (special < length) text[special] = '"';
      for (std::size_t start = 0; start <= length; ++start) {
        const std::size_t wanted = start <= special ? special : length;
        ASSERT_EQ(find_where(text, start, is_special), wanted) << length << ' ' << special << ' ' << start;
      }
    }
  }
}

TEST(FindWhere, treats_bytes_above_ASCII_as_unsigned) {
  const std::string text(40, '\xff');
  EXPECT_EQ(find_where(text, 0, is_special), text.size());
  EXPECT_EQ(find_where(text, 3, [](auto c) { return c >= 0x80; }), 3u);
}

}  // namespace
}  // namespace parley
