// Idempotency keys in the store (D9): stored once, found for 24 hours, removed in steps.

#include "store/side/idempotency_records.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

constexpr std::int64_t hour = 3'600'000;
constexpr std::int64_t day = 24 * hour;

NewIdempotencyRecord request_at(Time now, std::string_view fingerprint) {
  return {idempotency_key(now, fingerprint), "hash", 201, now};
}

void keep(World& world, Time now, std::string_view fingerprint, const std::vector<Id>& ids) {
  ChangeSet changes;
  remember(changes, request_at(now, fingerprint), ids);
  world.must_commit(changes);
}

bool is_found(const World& world, std::string_view fingerprint, Time now) {
  const auto found = find_idempotency_record(world.store->snapshot(), fingerprint, now);
  EXPECT_TRUE(found.ok());
  return found.ok() && *found;
}

std::size_t sweep(World& world, Time now, std::size_t most) {
  ChangeSet changes;
  const std::size_t count = forget_expired(world.store->snapshot(), now, most, changes);
  world.must_commit(changes);
  return count;
}

TEST(IdempotencyRecord, is_read_as_it_was_stored_D9) {
  World world;
  const std::vector<Id> ids{world.id(), world.id(), Id{}};
  keep(world, noon, "one", ids);
  const auto found = find_idempotency_record(world.store->snapshot(), "one", noon);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->body, "hash");
  EXPECT_EQ((*found)->status, 201);
  EXPECT_EQ((*found)->since, noon);
  EXPECT_EQ((*found)->ids, ids);
  EXPECT_FALSE(is_found(world, "two", noon));
}

TEST(IdempotencyRecord, is_stored_once_I4) {
  World world;
  ChangeSet changes;
  remember(changes, request_at(noon, "one"), std::vector{world.id()});
  EXPECT_TRUE(remembers(changes, idempotency_key(noon, "one")));
  EXPECT_FALSE(remembers(changes, idempotency_key(noon, "two")));
  EXPECT_EQ(commit_all(world, {changes, changes}),
            (std::vector{Outcome::Kind::committed, Outcome::Kind::conflict}));
}

TEST(IdempotencyRecord, stays_below_a_kibibyte_D9) {
  World world;
  ChangeSet changes;
  NewIdempotencyRecord request = request_at(noon, std::string(32, 'f'));
  request.body = std::string(64, 'a');
  remember(changes, request, std::vector<Id>(idempotency_ids_max, world.id()));
  EXPECT_LE(changes.bytes(), 1024u);
}

TEST(IdempotencyRecord, is_found_for_a_day_even_after_the_clock_was_set_back) {
  World world;
  for (std::int64_t at = 0; at < day; at += hour) {
    const Time kept{noon.ms + at};
    const std::string name = std::to_string(at);
    keep(world, kept, name, {world.id()});
    EXPECT_TRUE(is_found(world, name, kept));
    EXPECT_TRUE(is_found(world, name, Time{kept.ms + day - 1}));
    EXPECT_FALSE(is_found(world, name, Time{kept.ms + day}));
    EXPECT_TRUE(is_found(world, name, Time{kept.ms - hour}));
  }
}

TEST(IdempotencyRecord, may_be_stored_again_after_a_day) {
  World world;
  keep(world, noon, "one", {world.id()});
  const Time later{noon.ms + day};
  const Id second = world.id();
  keep(world, later, "one", {second});
  const auto found = find_idempotency_record(world.store->snapshot(), "one", later);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->ids.front(), second);
}

TEST(IdempotencyRecord, is_removed_in_steps_and_never_within_its_day) {
  World world;
  for (int i = 0; i < 5; ++i) keep(world, noon, "old" + std::to_string(i), {world.id()});
  const Time later{noon.ms + 40 * hour};
  keep(world, later, "new", {world.id()});
  EXPECT_EQ(sweep(world, Time{noon.ms + day - 1}, 10), 0u);
  EXPECT_EQ(sweep(world, later, 3), 3u);
  EXPECT_EQ(sweep(world, later, 3), 2u);
  EXPECT_EQ(sweep(world, later, 3), 0u);
  EXPECT_TRUE(is_found(world, "new", later));
}

}  // namespace
}  // namespace parley::store
