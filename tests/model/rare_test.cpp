// Rare behaves as std::optional does.

#include "model/rare.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley {
namespace {

using Word = Rare<std::string>;

TEST(Rare, is_absent_at_first_and_costs_a_pointer) {
  EXPECT_FALSE(Word().has_value());
  EXPECT_EQ(Word(), Word(std::nullopt));
  EXPECT_EQ(Word().copy(), std::nullopt);
  static_assert(sizeof(Word) == sizeof(void*));
}

TEST(Rare, copies_its_value) {
  Word one = std::string("one");
  Word other = one;
  *other += "!";
  EXPECT_EQ(*one, "one");
  EXPECT_EQ(other.copy(), "one!");
  one = other;
  EXPECT_EQ(one, other);
  one = Word(one);
  EXPECT_EQ(one, std::string("one!"));
  other.reset();
  EXPECT_FALSE(other == one);
  one = other;
  EXPECT_FALSE(one);
  one.emplace() = "anew";
  EXPECT_EQ(one->size(), 4U);
}

TEST(Rare, moves_its_value) {
  Word one = std::optional<std::string>("one");
  const Word other = std::move(one);
  EXPECT_EQ(*other, "one");
  EXPECT_FALSE(Word(std::optional<std::string>()));
}

}  // namespace
}  // namespace parley
