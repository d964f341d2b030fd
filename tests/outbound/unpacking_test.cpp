// gzip that arrives piece by piece: what it unpacks to, and when it is complete.

#include <gtest/gtest.h>

#include <string>

#include "outbound/client/gunzip.hpp"

namespace parley::outbound {
namespace {

/// "hello" and the empty text in the format of RFC 1952.
const std::string hello(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00",
    25);

TEST(Gunzip, unpacks_pieces_of_any_size_and_is_whole_only_with_the_last_byte) {
  for (std::size_t step = 1; step <= hello.size(); ++step) {
    Gunzip unpacker;
    EXPECT_TRUE(unpacker.is_whole()) << "nothing is begun";
    std::string text;
    for (std::size_t at = 0; at < hello.size(); at += step) {
      EXPECT_EQ(unpacker.feed(std::string_view(hello).substr(at, step),
                              [&](std::string_view piece) {
                                text += piece;
                                return true;
                              }),
                Gunzip::Fed::all);
      EXPECT_EQ(unpacker.is_whole(), at + step >= hello.size()) << at << " by " << step;
    }
    EXPECT_EQ(text, "hello");
  }
}

TEST(Gunzip, ends_if_the_consumer_refuses_more_or_the_input_is_not_gzip) {
  Gunzip refused;
  EXPECT_EQ(refused.feed(hello, [](std::string_view) { return false; }), Gunzip::Fed::refused);
  const auto take = [](std::string_view) { return true; };
  Gunzip garbage;
  EXPECT_EQ(garbage.feed("no gzip", take), Gunzip::Fed::broken);
  Gunzip followed;
  EXPECT_EQ(followed.feed(hello + "?!", take), Gunzip::Fed::broken);
  std::string wrong = hello;
  wrong[18] = '?';
  Gunzip other_sum;
  EXPECT_EQ(other_sum.feed(wrong, take), Gunzip::Fed::broken);
}

}  // namespace
}  // namespace parley::outbound
