// The outcomes that a committer with a log reports, and that they are true after each fault of the log.

#include <gmock/gmock.h>

#include "tests/store/changelog/memory_log.hpp"

namespace parley::store {
namespace {

using Kind = Outcome::Kind;
using Fault = MemoryLogRows::Fault;
using testing::ElementsAre;

class LoggedCommit : public testing::Test {
 protected:
  LoggedCommit() { follow(world, log, 1, clock); }

  ManualClock clock{noon};
  MemoryLogRows log;
  World world;
};

TEST_F(LoggedCommit, is_refused_at_a_node_that_does_not_lead) {
  const Outcome outcome = world.commit(creation(world.scenario()));
  EXPECT_EQ(outcome.kind, Kind::refused);
  EXPECT_EQ(outcome.problem.kind, ProblemKind::no_leader);
  EXPECT_EQ(outcome.problem.retry_after_s, 1);
  EXPECT_TRUE(log.rows.empty());
}

TEST_F(LoggedCommit, appends_one_row_for_a_batch_without_the_sets_that_conflict) {
  lead(world, log, 1);
  const Scenario scenario = world.scenario();
  EXPECT_THAT(commit_all(world, {creation(scenario), creation(scenario), creation(world.scenario())}),
              ElementsAre(Kind::committed, Kind::conflict, Kind::committed));
  ASSERT_EQ(log.rows.size(), 1U);
  EXPECT_EQ(decode_changes(log.rows[0].body)->sets.size(), 2U);
  EXPECT_EQ(world.store->committer().position(), log.head);
  EXPECT_THAT(commit_all(world, {creation(scenario)}), ElementsAre(Kind::conflict));
  EXPECT_EQ(log.rows.size(), 1U) << "a batch that changes nothing is not a row";
}

TEST_F(LoggedCommit, keeps_the_place_in_the_transaction) {
  lead(world, log, 1);
  world.create(world.scenario());
  const auto place = log_place(world.store->snapshot());
  ASSERT_TRUE(place.ok() && *place);
  EXPECT_EQ((*place)->at, log.head);
  EXPECT_EQ((*place)->log, log_id);
}

TEST_F(LoggedCommit, is_refused_once_another_term_has_begun) {
  lead(world, log, 1);
  world.create(world.scenario());
  log.lease_is_valid = false;
  ASSERT_TRUE(MemoryLog(log, Id{{2}}).lead(std::nullopt).ok());
  const Scenario late = world.scenario();
  const Outcome outcome = world.commit(creation(late));
  EXPECT_EQ(outcome.problem.kind, ProblemKind::no_leader);
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::scenario, late.stamp.id));
  EXPECT_TRUE(world.store->committer().log_state().is_fenced);
  EXPECT_FALSE(world.store->committer().log_state().is_leading);
  EXPECT_EQ(world.commit(creation(late)).problem.kind, ProblemKind::no_leader);
}

TEST_F(LoggedCommit, in_doubt_is_answered_as_committed_if_the_row_is_there) {
  lead(world, log, 1);
  log.fault = Fault::lost_after;
  const Scenario scenario = world.scenario();
  EXPECT_EQ(world.commit(creation(scenario)).kind, Kind::committed);
  EXPECT_TRUE(world.store->snapshot().has(RecordKind::scenario, scenario.stamp.id));
  EXPECT_EQ(world.store->committer().position(), log.head);
  const LogState state = world.store->committer().log_state();
  EXPECT_EQ(state.term, 2U) << "a higher term fences the connection that was lost";
  EXPECT_TRUE(state.is_leading);
  EXPECT_FALSE(state.is_in_doubt);
  EXPECT_EQ(state.figures.in_doubt, 1U);
  world.create(world.scenario());
  EXPECT_EQ(log.rows.size(), 2U);
}

TEST_F(LoggedCommit, in_doubt_is_refused_if_the_row_is_not_there) {
  lead(world, log, 1);
  log.fault = Fault::lost_before;
  const Scenario scenario = world.scenario();
  const Outcome outcome = world.commit(creation(scenario));
  EXPECT_EQ(outcome.kind, Kind::refused);
  EXPECT_EQ(outcome.problem.kind, ProblemKind::no_leader);
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::scenario, scenario.stamp.id));
  EXPECT_EQ(world.commit(creation(scenario)).kind, Kind::committed) << "this node still leads";
}

TEST_F(LoggedCommit, waits_for_a_log_that_cannot_be_reached) {
  lead(world, log, 1);
  log.unsent = 3;
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed);
  EXPECT_EQ(log.rows.size(), 1U);
}

TEST_F(LoggedCommit, is_refused_after_waiting_and_later_ones_do_not_wait_again) {
  World other;
  follow(other, log, 2, clock, true, 100);
  lead(other, log, 2);
  log.unsent = 1'000;
  const Outcome outcome = other.commit(creation(other.scenario()));
  EXPECT_EQ(outcome.problem.kind, ProblemKind::no_leader);
  EXPECT_EQ(outcome.problem.detail, "The write did not happen. PostgreSQL is away.");
  EXPECT_EQ(outcome.problem.retry_after_s, 1);
  EXPECT_LT(log.unsent, 999U) << "it was sent more than once";
  const std::size_t left = log.unsent;
  EXPECT_EQ(other.commit(creation(other.scenario())).problem.kind, ProblemKind::no_leader);
  EXPECT_EQ(log.unsent, left - 1);
  log.unsent = 0;
  EXPECT_EQ(other.commit(creation(other.scenario())).kind, Kind::committed);
}

TEST_F(LoggedCommit, what_the_log_refuses_is_not_in_the_data_file) {
  lead(world, log, 1);
  log.fault = Fault::refused;
  const Scenario scenario = world.scenario();
  const Outcome outcome = world.commit(creation(scenario));
  EXPECT_EQ(outcome.kind, Kind::refused);
  EXPECT_EQ(outcome.problem.kind, ProblemKind::store_refuses);
  EXPECT_EQ(outcome.problem.detail, "The write did not happen. no space");
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::scenario, scenario.stamp.id));
}

TEST_F(LoggedCommit, what_the_disk_refuses_is_not_in_the_log) {
  lead(world, log, 1);
  world.store->committer().surround({[] { return std::uint64_t{0}; }, {}});
  world.reopen();
  world.options.free_bytes_min = 1 << 20;
  world.reopen();
  MemoryLogRows fresh;
  follow(world, fresh, 1, clock);
  lead(world, fresh, 1);
  world.store->committer().surround({[] { return std::uint64_t{0}; }, {}});
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::refused);
  EXPECT_TRUE(fresh.rows.empty());
}

TEST_F(LoggedCommit, a_row_that_the_data_file_cannot_take_ends_the_process) {
  lead(world, log, 1);
  world.store->committer().surround({[] { return UINT64_MAX; }, [] { return EIO; }});
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::broken);
  EXPECT_TRUE(world.store->committer().is_broken());
  EXPECT_EQ(log.rows.size(), 1U) << "a restart replays it";
}

}  // namespace
}  // namespace parley::store
