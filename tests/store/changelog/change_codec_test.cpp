#include "store/changelog/change_codec.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

class RandomSets {
 public:
  explicit RandomSets(unsigned seed) : random_(seed) {}

  ChangeSet next() {
    ChangeSet set;
    for (std::size_t i = random_() % 5; i > 0; --i)
      set.writes.push_back({table(), text(1, 60), revision(), text(0, 300)});
    for (std::size_t i = random_() % 3; i > 0; --i) set.guards.push_back({table(), text(1, 40), revision()});
    for (std::size_t i = random_() % 3; i > 0; --i) set.runs.push_back({id(), random_() % 2 == 0});
    for (std::size_t i = random_() % 4; i > 0; --i) set.views.index[text(1, 35)] = number();
    for (std::size_t i = random_() % 4; i > 0; --i) set.views.counts[text(1, 19)] = number();
    for (std::size_t i = random_() % 3; i > 0; --i)
      RunCounters::each(set.views.runs[id()],
                        [&](std::int64_t& one) { one = random_() % 3 == 0 ? number() : 0; });
    for (std::size_t i = random_() % 3; i > 0; --i)
      CaseCounters::each(set.views.cases[{id(), id()}], [&](std::int64_t& one) { one = number(); });
    if (random_() % 2 == 0) set.authors.push_back({id(), Address{1, 2, 3}, "createRun"});
    return set;
  }
  std::string text(std::size_t least, std::size_t most) {
    std::string bytes(least + random_() % (most - least + 1), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_());
    return bytes;
  }

 private:
  TableId table() { return static_cast<TableId>(1 + random_() % (all_tables.size() - 1)); }
  std::uint64_t revision() { return random_() % 4 == 0 ? any_revision : random_() % 100; }
  std::int64_t number() { return static_cast<std::int64_t>(random_()) - (std::int64_t{1} << 31); }
  Id id() {
    Id made;
    for (auto& byte : made.bytes) byte = static_cast<std::uint8_t>(random_());
    return made;
  }
  std::mt19937 random_;
};

std::string encoded(const std::vector<ChangeSet>& sets, const AuditRules& audit) {
  std::vector<const ChangeSet*> pointers;
  for (const ChangeSet& set : sets) pointers.push_back(&set);
  return encode_changes(pointers, audit);
}

TEST(ChangeCodec, reads_what_it_wrote) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomSets random(seed);
    std::vector<ChangeSet> sets(seed % 7);
    for (ChangeSet& set : sets) set = random.next();
    const AuditRules audit{seed % 2 == 0, seed * std::int64_t{1000}};
    const std::string body = encoded(sets, audit);
    const auto batch = decode_changes(body);
    ASSERT_TRUE(batch.ok()) << seed;
    EXPECT_EQ(batch->audit, audit);
    ASSERT_EQ(batch->sets.size(), sets.size());
    // Every field is in the bytes, so equal bytes are equal sets.
    EXPECT_EQ(encoded(batch->sets, batch->audit), body) << seed;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      EXPECT_EQ(batch->sets[i].writes.size(), sets[i].writes.size());
      EXPECT_EQ(batch->sets[i].views.runs, sets[i].views.runs);
      EXPECT_EQ(batch->sets[i].views.cases, sets[i].views.cases);
      for (std::size_t w = 0; w < sets[i].writes.size(); ++w) {
        EXPECT_EQ(batch->sets[i].writes[w].value, sets[i].writes[w].value);
        EXPECT_EQ(batch->sets[i].writes[w].expected, sets[i].writes[w].expected);
      }
    }
  }
}

TEST(ChangeCodec, refuses_every_flipped_bit) {
  RandomSets random(5);
  const std::string body = encoded({random.next(), random.next(), random.next()}, {true, 0});
  for (std::size_t bit = 0; bit < body.size() * 8; ++bit) {
    std::string changed = body;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(decode_changes(changed).ok()) << "bit " << bit;
  }
}

TEST(ChangeCodec, refuses_a_body_that_is_cut_off_or_longer) {
  RandomSets random(6);
  const std::string body = encoded({random.next(), random.next()}, {});
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_FALSE(decode_changes(body.substr(0, size)).ok()) << size;
  EXPECT_FALSE(decode_changes(body + '\0').ok());
}

TEST(ChangeCodec, survives_any_bytes) {
  std::mt19937 random(7);
  RandomSets sets(8);
  for (int i = 0; i < 20'000; ++i) {
    std::string body = sets.text(0, 200);
    if (!body.empty()) body[0] = '\1';
    EXPECT_FALSE(decode_changes(body).ok());
  }
}

TEST(ChangeCodec, refuses_tables_that_are_each_nodes_own_or_unknown) {
  for (const auto table : {TableId::meta, static_cast<TableId>(all_tables.size())}) {
    ChangeSet set;
    set.writes.push_back({table, "key", 0, "value"});
    EXPECT_FALSE(decode_changes(encoded({set}, {})).ok());
  }
}

}  // namespace
}  // namespace parley::store
