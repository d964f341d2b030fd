#include "store/engine/entry_codec.hpp"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

StoredEntry full_entry() {
  StoredEntry entry;
  entry.id = CountingIds().next(Time{1});
  entry.type = EntryType::public_event;
  entry.role = Role::tester;
  entry.registers_actions = true;
  entry.turn = 70'000;
  entry.origin = 12;
  entry.touched_at = Time{1'700'000'000'123};
  entry.measures = {1.5, std::nullopt, -0.0, 1e-9};
  entry.json = R"({"id":"x"})";
  return entry;
}

TEST(EntryCodec, every_field_is_preserved) {
  const std::string bytes = encode(full_entry());
  EXPECT_EQ(decode_entry(bytes), full_entry());
  const std::string plain = encode(StoredEntry{});
  EXPECT_EQ(decode_entry(plain), StoredEntry{});
  StoredEntry inserted;
  inserted.is_inserted = true;
  const std::string bytes_of_inserted = encode(inserted);
  EXPECT_EQ(decode_entry(bytes_of_inserted), inserted);
}

TEST(EntryCodec, every_set_of_measures_is_preserved) {
  for (unsigned mask = 0; mask < 16; ++mask) {
    StoredEntry entry = full_entry();
    const auto number = [&](unsigned bit) {
      return (mask & bit) != 0 ? std::optional<double>(bit) : std::nullopt;
    };
    entry.measures = {number(1), number(2), number(4), number(8)};
    const std::string bytes = encode(entry);
    EXPECT_EQ(decode_entry(bytes), entry) << mask;
  }
}

TEST(EntryCodec, refuses_bytes_that_it_does_not_write) {
  const std::string good = encode(full_entry());
  const auto with = [&](std::size_t at, char byte) {
    std::string bad = good;
    bad[at] = byte;
    return bad;
  };
  EXPECT_FALSE(decode_entry(""));
  EXPECT_FALSE(decode_entry(good.substr(0, 35)));
  EXPECT_FALSE(decode_entry(good.substr(0, 40))) << "the measures are cut off";
  EXPECT_FALSE(decode_entry(with(16, 5))) << "there are five types";
  EXPECT_FALSE(decode_entry(with(17, 2))) << "there are two roles";
  EXPECT_FALSE(decode_entry(with(18, 8))) << "there are three flags";
  EXPECT_FALSE(decode_entry(with(35, 16))) << "there are four measures";
}

}  // namespace
}  // namespace parley::store
