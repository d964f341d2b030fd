#include "store/engine/raw_snapshot.hpp"
#include "store/side/pending_erasures.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

/// Rows of a table that belong to the result.
std::size_t rows_of(const World& world, TableId table, const Id& result) {
  const Snapshot snapshot = world.store->snapshot();
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[table]);
  std::size_t rows = 0;
  for (bool there = cursor.seek(result.key()); there && cursor.key().starts_with(result.key());
       there = cursor.next())
    ++rows;
  return rows;
}

/// A finished result with entries, a case and two verdicts.
ResultHead stored_result(World& world, std::uint32_t entries, const std::string& json = "{}") {
  ResultHead head = world.result(world.run());
  head.run.reset();
  head.status = ResultStatus::completed;
  head.rescored = 1;
  ChangeSet set;
  set.create(head);
  set.put_part(head.stamp.id, TestCase{});
  set.put_verdict(head.stamp.id, 1, {});
  set.put_verdict(head.stamp.id, 2, {});
  head.stamp.revision = 1;
  for (std::uint32_t ordinal = 0; ordinal < entries; ++ordinal) {
    StoredEntry entry;
    entry.id = world.id();
    entry.json = json;
    set.append_entry(head.stamp, ordinal, entry);
  }
  set.guards.clear();  // the head is added by the same set
  world.must_commit(set);
  return head;
}

TEST(Erasures, remove_a_result_in_steps_that_continue_after_a_restart) {
  World world;
  const ResultHead head = stored_result(world, 25);
  ChangeSet deletion;
  deletion.erase_result_head(head, 25);
  world.must_commit(deletion);
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::test_result, head.stamp.id));
  EXPECT_EQ(rows_of(world, TableId::entries, head.stamp.id), 25U);
  constexpr ErasureBound ten{10, SIZE_MAX};
  ChangeSet first;
  EXPECT_TRUE(erase_leftovers(world.store->snapshot(), ten, first).has_more);
  world.must_commit(first);
  world.reopen();
  EXPECT_EQ(rows_of(world, TableId::entries, head.stamp.id), 15U);
  int steps = 1;
  for (ChangeSet step; erase_leftovers(world.store->snapshot(), ten, step).has_more; step = {}, ++steps)
    world.must_commit(step);
  EXPECT_EQ(steps, 3);
  for (const TableId table : {TableId::entries, TableId::result_cases, TableId::result_verdicts,
                              TableId::later_verdicts, TableId::erasures})
    EXPECT_EQ(rows_of(world, table, head.stamp.id), 0U) << name_of(table);
}

TEST(Erasures, do_not_touch_other_results) {
  World world;
  const ResultHead gone = stored_result(world, 3);
  const ResultHead kept = stored_result(world, 3);
  ChangeSet deletion;
  deletion.erase_result_head(gone, 3);
  world.must_commit(deletion);
  ChangeSet step;
  EXPECT_TRUE(erase_leftovers(world.store->snapshot(), {1'000, SIZE_MAX}, step).has_more);
  world.must_commit(step);
  EXPECT_EQ(rows_of(world, TableId::entries, kept.stamp.id), 3U);
  EXPECT_EQ(rows_of(world, TableId::result_cases, kept.stamp.id), 1U);
  EXPECT_EQ(rows_of(world, TableId::later_verdicts, kept.stamp.id), 1U);
}

/// Replaces the result's row of `erasures` with one that does not verify.
void damage(World& world, const Id& result) {
  ChangeSet damage;
  damage.writes.push_back({TableId::erasures, std::string(result.key()), any_revision, "junk"});
  world.must_commit(damage);
}

TEST(Erasures, find_what_is_left_without_the_row_if_it_is_damaged_I13_D25) {
  World world;
  const ResultHead first = stored_result(world, 3);
  const ResultHead second = stored_result(world, 3);
  const ResultHead kept = stored_result(world, 3);
  for (const ResultHead& gone : {first, second}) {
    ChangeSet deletion;
    deletion.erase_result_head(gone, 3);
    world.must_commit(deletion);
  }
  damage(world, first.stamp.id);
  damage(world, kept.stamp.id);
  ChangeSet step;
  const ErasureStep taken = erase_leftovers(world.store->snapshot(), {1'000, SIZE_MAX}, step);
  EXPECT_EQ(taken.damaged, (std::vector{first.stamp.id, kept.stamp.id}));
  world.must_commit(step);
  for (const ResultHead& gone : {first, second}) {
    for (const TableId table :
         {TableId::entries, TableId::result_cases, TableId::later_verdicts, TableId::erasures})
      EXPECT_EQ(rows_of(world, table, gone.stamp.id), 0U) << name_of(table);
  }
  EXPECT_EQ(rows_of(world, TableId::entries, kept.stamp.id), 3U) << "its head is there";
  EXPECT_EQ(rows_of(world, TableId::erasures, kept.stamp.id), 0U);
  ChangeSet nothing;
  EXPECT_FALSE(erase_leftovers(world.store->snapshot(), {1'000, SIZE_MAX}, nothing).has_more);
}

TEST(Erasures, remove_at_most_the_limit_and_one_entry_per_step) {
  World world;
  const std::string large = "\"" + std::string(100'000, 'x') + "\"";
  const ResultHead head = stored_result(world, 9, large);
  ChangeSet deletion;
  deletion.erase_result_head(head, 9);
  world.must_commit(deletion);
  std::vector<std::size_t> left;
  for (ChangeSet step; erase_leftovers(world.store->snapshot(), {1'000, 250'000}, step).has_more; step = {}) {
    world.must_commit(step);
    left.push_back(rows_of(world, TableId::entries, head.stamp.id));
  }
  EXPECT_EQ(left, (std::vector<std::size_t>{6, 3, 0}));
}

}  // namespace
}  // namespace parley::store
