// A part of a result that its head mentions but that is missing was lost: no reader treats it as empty (I13).

#include <functional>

#include "store/engine/lmdb.hpp"
#include "store/engine/row_keys.hpp"
#include "store/list.hpp"
#include "store/tables.hpp"
#include "store/views/verify.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

bool visit_all(std::uint32_t, const StoredEntry&) {
  return true;
}

/// A scored result of four entries with every possible part.
class ResultParts : public ::testing::Test {
 protected:
  ResultParts() {
    head = created(world.result(created(world.run())));
    head.status = ResultStatus::completed;
    head.end_reason = EndReason::tester_ended;
    head.entries = 4;
    head.has_extras = head.has_review = head.has_claims = true;
    const Id& id = head.stamp.id;
    ChangeSet set;
    set.create(head);
    set.put_part(id, TestCase{"say: hi", {}});
    set.put_part(id, ResultExtras{});
    set.put_part(id, ResultVerdict{});
    set.put_part(id, StoredReview{});
    set.put_part(id, StoredClaims{});
    for (std::uint32_t ordinal = 0; ordinal < 4; ++ordinal)
      set.writes.push_back({TableId::entries, entry_key(id, ordinal), any_revision,
                            frame(entry_key(id, ordinal), 1, encode(message(world.id(), "{}")))});
    world.must_commit(set);
  }

  /// Removes only the row, as damage does, without touching other tables.
  void lose(TableId table, const std::string& key) {
    ChangeSet set;
    set.writes.push_back({table, key, any_revision, {}});
    world.must_commit(set);
  }
  void lose(TableId table) { lose(table, std::string(head.stamp.id.key())); }
  [[nodiscard]] std::vector<TableId> told() const {
    const auto verdict = verify(world.store->snapshot());
    std::vector<TableId> tables;
    for (const Corrupt& one : verdict.value().corrupt) tables.push_back(one.table);
    return tables;
  }

  World world;
  ResultHead head;
};

TEST_F(ResultParts, that_exist_are_read) {
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_TRUE(snapshot.part<TestCase>(head)->has_value());
  EXPECT_TRUE(snapshot.part<ResultExtras>(head)->has_value());
  EXPECT_TRUE(snapshot.verdict(head)->has_value());
  EXPECT_TRUE(snapshot.for_each_entry(head, visit_all).ok());
  EXPECT_TRUE(verify(snapshot)->is_good());
  EXPECT_EQ(world.store->usage().corrupt_reads, 0U);
}

TEST_F(ResultParts, that_the_head_mentions_and_are_missing_are_damage_I13) {
  const auto lost = [&](TableId table, const std::function<bool(const Snapshot&)>& is_damage) {
    lose(table);
    const Snapshot snapshot = world.store->snapshot();
    const std::uint64_t before = world.store->usage().corrupt_reads;
    EXPECT_TRUE(is_damage(snapshot)) << name_of(table);
    EXPECT_EQ(world.store->usage().corrupt_reads, before + 1) << name_of(table);
    const std::vector<TableId> places = told();
    EXPECT_EQ(std::count(places.begin(), places.end(), table), 1) << name_of(table);
  };
  const auto is_internal = [](const auto& read) {
    return !read.ok() && read.problem().kind == ProblemKind::internal;
  };
  lost(TableId::result_cases, [&](const Snapshot& s) { return is_internal(s.part<TestCase>(head)); });
  lost(TableId::result_extras, [&](const Snapshot& s) { return is_internal(s.part<ResultExtras>(head)); });
  lost(TableId::result_verdicts, [&](const Snapshot& s) { return is_internal(s.verdict(head)); });
  lost(TableId::result_reviews, [&](const Snapshot& s) { return is_internal(s.part<StoredReview>(head)); });
  lost(TableId::result_claims, [&](const Snapshot& s) { return is_internal(s.part<StoredClaims>(head)); });
}

TEST_F(ResultParts, that_the_head_does_not_mention_may_be_missing) {
  ResultHead old = head;
  old.status = ResultStatus::running;
  old.entries.reset();
  old.has_extras = old.has_review = old.has_claims = std::nullopt;
  for (const TableId table : {TableId::result_extras, TableId::result_verdicts, TableId::result_reviews})
    lose(table);
  lose(TableId::entries, entry_key(head.stamp.id, 3));
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_TRUE(snapshot.part<ResultExtras>(old).ok());
  EXPECT_TRUE(snapshot.part<StoredReview>(old).ok());
  EXPECT_TRUE(snapshot.verdict(old).ok());
  EXPECT_TRUE(snapshot.for_each_entry(old, visit_all).ok());
}

TEST_F(ResultParts, of_a_deleted_result_are_not_damage) {
  ChangeSet gone;
  gone.erase_result(head, 4);
  world.must_commit(gone);
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_TRUE(snapshot.part<TestCase>(head).ok());
  EXPECT_TRUE(snapshot.verdict(head).ok());
  EXPECT_TRUE(snapshot.for_each_entry(head, visit_all).ok());
  EXPECT_EQ(world.store->usage().corrupt_reads, 0U);
}

TEST_F(ResultParts, of_a_deleted_result_are_not_damage_at_any_step_of_its_erasure) {
  ChangeSet order;
  order.put_order(head.stamp.id, std::vector<std::uint32_t>{3, 0, 1, 2});
  world.must_commit(order);
  ChangeSet gone;
  gone.erase_result_head(head, 4);
  world.must_commit(gone);
  for (std::uint32_t left = 4; left > 0; --left) {
    const Snapshot snapshot = world.store->snapshot();
    EXPECT_TRUE(snapshot.for_each_entry(head, visit_all).ok()) << left;
    EXPECT_TRUE(snapshot.for_each_entry(head, visit_all, 4).ok()) << left;
    EXPECT_TRUE(snapshot.newest_change(head).ok()) << left;
    for (std::uint32_t ordinal = 0; ordinal < 4; ++ordinal)
      EXPECT_EQ(snapshot.entry(head, ordinal)->has_value(), ordinal < left) << left;
    ChangeSet step;
    step.erase_texts(head.stamp.id, 0, left, left - 1);
    world.must_commit(step);
  }
  EXPECT_EQ(world.store->usage().corrupt_reads, 0U);
}

TEST_F(ResultParts, an_entry_that_is_looked_up_by_its_head_and_lost_is_damage_I13) {
  EXPECT_TRUE(world.store->snapshot().entry(head, 1)->has_value());
  lose(TableId::entries, entry_key(head.stamp.id, 1));
  EXPECT_EQ(world.store->snapshot().entry(head, 1).problem().kind, ProblemKind::internal);
  EXPECT_EQ(world.store->usage().corrupt_reads, 1U);
}

TEST_F(ResultParts, entries_that_are_lost_anywhere_are_damage_I13) {
  for (const std::uint32_t ordinal : {0U, 2U, 3U}) {
    lose(TableId::entries, entry_key(head.stamp.id, ordinal));
    const Snapshot snapshot = world.store->snapshot();
    EXPECT_FALSE(snapshot.for_each_entry(head, visit_all).ok()) << ordinal;
    EXPECT_EQ(told(), std::vector{TableId::entries}) << ordinal;
    ChangeSet back;
    const std::string key = entry_key(head.stamp.id, ordinal);
    back.writes.push_back(
        {TableId::entries, key, any_revision, frame(key, 1, encode(message(world.id(), "{}")))});
    world.must_commit(back);
  }
  lose(TableId::entries, entry_key(head.stamp.id, 3));
  EXPECT_FALSE(world.store->snapshot().newest_change(head).ok());
  EXPECT_FALSE(world.store->snapshot().for_each_entry(head, visit_all, 4).ok())
      << "a bound tells how many too";
  EXPECT_TRUE(world.store->snapshot().for_each_entry(head, visit_all, 3).ok());
}

TEST_F(ResultParts, the_place_of_an_inserted_entry_that_is_lost_is_damage) {
  StoredEntry inserted = message(world.id(), "{}");
  inserted.is_inserted = true;
  ChangeSet set;
  set.append_entry(head.stamp, 4, inserted);
  set.put_order(head.stamp.id, std::vector<std::uint32_t>{4, 0, 1, 2, 3});
  world.must_commit(set);
  EXPECT_TRUE(world.store->snapshot().for_each_entry(head, visit_all).ok());
  lose(TableId::entry_orders);
  EXPECT_FALSE(world.store->snapshot().for_each_entry(head, visit_all).ok());
}

TEST_F(ResultParts, a_key_that_damage_has_shortened_is_never_read) {
  EXPECT_THROW(static_cast<void>(id_at("short")), LmdbError);
  EXPECT_THROW(static_cast<void>(u32_at("s")), LmdbError);
}

TEST_F(ResultParts, a_list_never_shows_fewer_rows_than_were_counted) {
  const Slice all{RecordKind::test_result};
  ListQuery query;
  query.kind = RecordKind::test_result;
  ASSERT_EQ(list(world.store->snapshot(), query)->total, 1);
  lose(TableId::counts, slice_key(all));
  EXPECT_FALSE(list(world.store->snapshot(), query).ok()) << "rows that nobody counted";
  World other;
  const ResultHead one = other.result(created(other.run()));
  other.create(one);
  ChangeSet set;
  set.writes.push_back({TableId::index, index_key(all, one.stamp.id), any_revision, {}});
  other.must_commit(set);
  EXPECT_FALSE(list(other.store->snapshot(), query).ok()) << "a counted row is gone";
  EXPECT_FALSE(all_ids(other.store->snapshot(), query).ok());
}

}  // namespace
}  // namespace parley::store
