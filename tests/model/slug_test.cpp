#include "model/text/slug.hpp"

#include <gtest/gtest.h>

#include "model/stable_hash.hpp"

namespace parley {
namespace {

TEST(Slug, has_letters_and_digits_joined_by_hyphens) {
  EXPECT_EQ(slug_from("Coffee shop", 80), "coffee-shop");
  EXPECT_EQ(slug_from("  --Order  #7!  ", 80), "order-7");
  EXPECT_EQ(slug_from("Größe 40", 80), "gr-e-40");
  EXPECT_EQ(slug_from("", 80), "");
  EXPECT_EQ(slug_from("Привет", 80), "");
}

TEST(Slug, is_cut_and_does_not_end_with_a_hyphen) {
  EXPECT_EQ(slug_from("abc def", 5), "abc-d");
  EXPECT_EQ(slug_from("abc def", 4), "abc");
  EXPECT_EQ(slug_from("abc", 0), "");
}

TEST(StableHash, is_the_same_in_every_version) {
  EXPECT_EQ(stable_hash(""), 14695981039346656037ULL ^ (14695981039346656037ULL >> 32));
  EXPECT_NE(stable_hash("a"), stable_hash("b"));
}

}  // namespace
}  // namespace parley
