#include "store/engine/value.hpp"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

bool verifies(std::string_view key, std::string_view stored) {
  return std::holds_alternative<ValueView>(unframe(TableId::runs, key, stored));
}

TEST(Value, is_read_with_its_revision) {
  const std::string stored = frame("key", 7, "{}");
  const auto read = unframe(TableId::runs, "key", stored);
  ASSERT_TRUE(std::holds_alternative<ValueView>(read));
  EXPECT_EQ(std::get<ValueView>(read).revision, 7U);
  EXPECT_EQ(std::get<ValueView>(read).payload, "{}");
  EXPECT_EQ(stored.size(), frame_bytes + 2);
}

TEST(Value, I13_any_flipped_bit_is_noticed) {
  const std::string good = frame("key", 1, R"({"name":"x"})");
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(verifies("key", bad)) << bit;
  }
  EXPECT_TRUE(verifies("key", good));
}

TEST(Value, I13_a_value_under_another_key_or_cut_short_does_not_verify) {
  const std::string good = frame("key", 1, "payload");
  EXPECT_FALSE(verifies("kez", good));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(verifies("key", good.substr(0, size))) << size;
}

TEST(Value, damage_is_reported_with_table_and_key) {
  const auto read = unframe(TableId::runs, "\x01\xff", "junk");
  ASSERT_TRUE(std::holds_alternative<Corrupt>(read));
  const Problem told = problem_of(std::get<Corrupt>(read));
  EXPECT_EQ(told.kind, ProblemKind::internal);
  EXPECT_NE(told.detail.find("table runs, key 01ff"), std::string::npos) << told.detail;
}

TEST(Value, numbers_sort_as_bytes) {
  std::string small;
  std::string large;
  append_u32(small, 255);
  append_u32(large, 256);
  EXPECT_LT(small, large);
  EXPECT_EQ(u32_at(large), 256U);
  std::string wide;
  append_u64(wide, 0x0102030405060708ULL);
  EXPECT_EQ(wide, "\x01\x02\x03\x04\x05\x06\x07\x08");
  EXPECT_EQ(u64_at(wide), 0x0102030405060708ULL);
}

}  // namespace
}  // namespace parley::store
