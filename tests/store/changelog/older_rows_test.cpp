// A node with a newer schema joins a log whose leader writes rows of an older schema.

#include "store/changelog/older_rows.hpp"

#include <gmock/gmock.h>

#include "tests/store/changelog/memory_log.hpp"

namespace parley::store {
namespace {

/// A leader that runs an older parley, and a node of the current version whose data file is still older.
class OlderRows : public testing::Test {
 protected:
  void SetUp() override {
    follow(older, log, 1, clock);
    lead(older, log, 1);
    log.rules = schema;
    newer.options.schema_max = schema;
    newer.options.directory = newer.home.path() / "older";
    newer.reopen();
    follow(newer, log, 2, clock);
    write();
  }

  void write() {
    for (int i = 0; i < 3; ++i) older.create(older.scenario());
  }
  Expected<std::uint32_t> apply() {
    MemoryLog view(log, Id{{2}});
    return rows_applied(*newer.store, view, {Id{{2}}, "http://127.0.0.1:1", "", "joining", 0, 0});
  }

  static inline const std::uint32_t schema = current_schema() - 1;
  ManualClock clock{noon};
  MemoryLogRows log;
  World older;
  World newer;
};

TEST_F(OlderRows, are_applied_while_the_older_leader_writes_more) {
  ASSERT_EQ(newer.store->schema(), schema);
  for (int round = 0; round < 2; ++round) {
    const auto next = apply();
    ASSERT_FALSE(next.ok());
    EXPECT_EQ(next.problem().kind, ProblemKind::busy);
    EXPECT_EQ(newer.store->committer().position(), log.head);
    EXPECT_EQ(newer.store->schema(), schema);
    write();
  }
}

TEST_F(OlderRows, end_when_this_node_takes_the_lead_and_the_migrated_file_is_the_same) {
  log.lease_is_valid = false;
  const auto next = apply();
  ASSERT_TRUE(next.ok()) << next.problem().detail;
  EXPECT_EQ(*next, current_schema());
  EXPECT_EQ(log.leader, Id{{2}});
  ChangeSet late;
  late.create(older.scenario());
  EXPECT_EQ(older.commit(late).kind, Outcome::Kind::refused) << "fenced";
  newer.options.schema_max = *next;
  newer.reopen();
  EXPECT_EQ(newer.store->schema(), current_schema());
  EXPECT_EQ(newer.store->migration()->from, schema);
  EXPECT_EQ(all_rows(newer), all_rows(older));
}

TEST_F(OlderRows, end_at_the_first_row_of_a_newer_leader) {
  const LogPosition last = log.head;
  log.rules = current_schema();
  write();
  const auto next = apply();
  ASSERT_TRUE(next.ok()) << next.problem().detail;
  EXPECT_EQ(*next, current_schema());
  EXPECT_EQ(newer.store->committer().position(), last);
}

TEST_F(OlderRows, are_complete_once_a_newer_node_leads_that_has_written_nothing) {
  log.rules = current_schema();
  const auto next = apply();
  ASSERT_TRUE(next.ok()) << next.problem().detail;
  EXPECT_EQ(*next, current_schema());
  EXPECT_EQ(newer.store->committer().position(), log.head);
}

}  // namespace
}  // namespace parley::store
