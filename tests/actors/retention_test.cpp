#include "actors/records/retention.hpp"

#include <gtest/gtest.h>

#include "store/side/pending_erasures.hpp"
#include "tests/store/world.hpp"

namespace parley::actors {
namespace {

constexpr Time cutoff{store::noon.ms + 1'000'000};
constexpr std::int64_t late_ms = cutoff.ms + 1;

/// A store with records of each kind, old and young.
class SweepOfRetention : public ::testing::Test {
 protected:
  Id run(RunStatus status, std::int64_t updated_ms = 0, bool archived = false) {
    parley::Run made = world.run();
    made.status = status;
    made.is_archived = archived;
    return stored(made, updated_ms);
  }
  Id preview(ResultStatus status, std::int64_t updated_ms = 0) {
    ResultHead made = world.result(parley::Run{});
    made.run.reset();
    made.status = status;
    if (is_terminal(status)) made.end_reason = EndReason::tester_ended;
    return stored(made, updated_ms);
  }
  template <class T>
  Id stored(T record, std::int64_t updated_ms = 0) {
    if (updated_ms != 0) record.stamp.updated_at = Time{updated_ms};
    world.create(record);
    return record.stamp.id;
  }

  /// What one sweep finds, without deleting anything.
  std::vector<Id> sweep() {
    std::vector<Id> found;
    RetentionWalk all;
    do {
      const auto one = all.check(world.store->snapshot(), cutoff);
      EXPECT_TRUE(one.ok());
      if (*one) found.push_back((*one)->id);
    } while (!all.is_over());
    return found;
  }

  store::World world;
};

TEST_F(SweepOfRetention, finds_what_has_ended_and_is_old_D25) {
  const Id completed = run(RunStatus::completed);
  run(RunStatus::running);
  run(RunStatus::fresh);
  run(RunStatus::failed, late_ms);
  const Id canceled = run(RunStatus::canceled);
  const Id archived = run(RunStatus::completed, 0, true);
  const Id shown = preview(ResultStatus::completed);
  preview(ResultStatus::running);
  preview(ResultStatus::failed, late_ms);
  ExternalLog log;
  log.stamp.id = world.id();
  log.stamp.updated_at = log.stamp.created_at();
  log.external_id = "x";
  stored(log);
  world.create(world.scenario());
  EXPECT_EQ(sweep(), (std::vector<Id>{completed, canceled, archived, shown, log.stamp.id}));
}

TEST_F(SweepOfRetention, leaves_results_to_their_run) {
  parley::Run live = world.run();
  live.status = RunStatus::running;
  world.create(live);
  ResultHead result = world.result(live);
  result.status = ResultStatus::completed;
  result.end_reason = EndReason::tester_ended;
  world.create(result);
  EXPECT_EQ(sweep(), std::vector<Id>{});
}

TEST_F(SweepOfRetention, looks_at_a_bounded_number_at_a_time_and_ends) {
  for (int i = 0; i < 1'100; ++i) run(RunStatus::running);
  const Id last = run(RunStatus::completed);
  RetentionWalk all;
  int looks = 0;
  std::optional<Expired> found;
  do {
    found = *all.check(world.store->snapshot(), cutoff);
    ++looks;
  } while (!found && !all.is_over());
  EXPECT_EQ(found, (Expired{RecordKind::run, last}));
  EXPECT_EQ(looks, 3);
}

TEST_F(SweepOfRetention, decides_again_when_the_step_is_made) {
  const Id old = run(RunStatus::completed);
  const Expired expired{RecordKind::run, old};
  parley::Run before = world.get<parley::Run>(old);
  parley::Run after = before;
  after.status = RunStatus::running;
  after.stamp.updated_at = Time{late_ms};
  store::ChangeSet change;
  change.replace(before, after);
  world.must_commit(change);
  const auto deletion = deletion_of(world.store->snapshot(), expired, cutoff, cutoff);
  ASSERT_TRUE(deletion.ok());
  EXPECT_TRUE(deletion->writes.empty()) << "a retry has opened it again";
}

TEST_F(SweepOfRetention, deletes_a_large_run_in_one_step_and_its_texts_afterwards_I56) {
  parley::Run large = world.run();
  large.status = RunStatus::canceled;
  world.create(large);
  std::vector<Id> results;
  for (int i = 0; i < 1'100; ++i) {
    ResultHead result = world.result(large);
    result.status = ResultStatus::canceled;
    result.end_reason = EndReason::canceled;
    store::ChangeSet change;
    change.create(result);
    change.put_part(result.stamp.id, TestCase{});
    change.put_lineage(result.stamp.id, result.stamp.id, 0);
    world.must_commit(change);
    results.push_back(result.stamp.id);
  }
  const auto deletion =
      deletion_of(world.store->snapshot(), {RecordKind::run, large.stamp.id}, cutoff, cutoff);
  ASSERT_TRUE(deletion.ok());
  world.must_commit(*deletion);
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::run, large.stamp.id));
  for (const Id& id : results) {
    EXPECT_FALSE(world.store->snapshot().has(RecordKind::test_result, id));
    EXPECT_FALSE((*world.store->snapshot().lineage(id)).has_value());
  }
  EXPECT_TRUE((*world.store->snapshot().find<TestCase>(results.front())).has_value()) << "nobody sees it";
  EXPECT_EQ(world.differences(), std::vector<std::string>{});
  int steps = 0;
  constexpr store::ErasureBound bound{500, SIZE_MAX};
  for (store::ChangeSet step; store::erase_leftovers(world.store->snapshot(), bound, step).has_more;
       step = {}) {
    world.must_commit(step);
    ++steps;
  }
  EXPECT_EQ(steps, 3);
  for (const Id& id : results) EXPECT_FALSE((*world.store->snapshot().find<TestCase>(id)).has_value());
}

}  // namespace
}  // namespace parley::actors
