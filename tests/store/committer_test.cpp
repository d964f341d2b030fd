#include "store/committer.hpp"

#include <gmock/gmock.h>

#include <cerrno>

#include "store/engine/row_keys.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

using Kind = Outcome::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ChangeSet renaming(const Scenario& before, std::string name) {
  Scenario after = before;
  after.name = std::move(name);
  ChangeSet set;
  set.replace(before, after);
  return set;
}

TEST(Committer, a_record_is_read_with_its_stamp_and_revision) {
  World world;
  Scenario scenario = world.scenario("first");
  scenario.stamp.updated_at.ms += 5;
  scenario.folders = {{world.id()}};
  world.create(scenario);
  const auto read = world.get<Scenario>(scenario.stamp.id);
  EXPECT_EQ(read.stamp, created(scenario).stamp);
  EXPECT_EQ(read.name, "first");
  EXPECT_EQ(read.folders, scenario.folders);
  world.must_commit(renaming(read, "second"));
  EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).name, "second");
  EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).stamp.revision, 2U);
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, a_record_is_not_created_twice) {
  World world;
  const Scenario scenario = world.scenario();
  world.create(scenario);
  EXPECT_EQ(world.commit(creation(scenario)).kind, Kind::conflict);
}

TEST(Committer, an_older_revision_conflicts_and_changes_nothing) {
  World world;
  const Scenario scenario = created(world.scenario("first"));
  world.create(scenario);
  world.must_commit(renaming(scenario, "second"));
  ChangeSet late = renaming(scenario, "third");
  const Scenario other = world.scenario();
  late.create(other);
  EXPECT_EQ(world.commit(late).kind, Kind::conflict);
  EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).name, "second");
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::scenario, other.stamp.id));
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, guards_see_the_effects_of_earlier_sets_of_the_batch) {
  World world;
  const Scenario scenario = created(world.scenario("first"));
  const auto kinds = commit_all(world, {creation(scenario), renaming(scenario, "second"),
                                        renaming(scenario, "third"), creation(world.scenario())});
  EXPECT_THAT(kinds, ElementsAre(Kind::committed, Kind::committed, Kind::conflict, Kind::committed));
  EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).name, "second");
  EXPECT_EQ(world.store->committer().figures().batches, 1U);
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, a_guard_on_a_record_that_is_not_written_can_fail_the_set) {
  World world;
  const Scenario scenario = created(world.scenario("first"));
  world.create(scenario);
  const auto guarded = [&] {
    ChangeSet set = creation(world.scenario());
    set.guard_revision(scenario);
    return set;
  };
  EXPECT_EQ(world.commit(guarded()).kind, Kind::committed);
  world.must_commit(renaming(scenario, "second"));
  EXPECT_EQ(world.commit(guarded()).kind, Kind::conflict);
}

TEST(Committer, an_erased_record_leaves_no_trace_in_the_views) {
  World world;
  const parley::Run run = created(world.run());
  const ResultHead head = created(world.result(run));
  world.create(head);
  ChangeSet set;
  set.erase(head);
  world.must_commit(set);
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::test_result, head.stamp.id));
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, I60_of_two_claims_of_one_name_the_second_conflicts) {
  World world;
  const Id first = world.id();
  const auto claim = [](std::string_view name, const Id& owner) {
    ChangeSet set;
    set.claim_unique(Namespace::external_id, name, owner);
    return set;
  };
  const std::string longest(name_bytes_max, 'n');
  EXPECT_THAT(commit_all(world, {claim("a", first), claim("a", world.id()), claim(longest, first)}),
              ElementsAre(Kind::committed, Kind::conflict, Kind::committed));
  const auto owner = [&](Namespace space, std::string_view name) {
    return world.store->snapshot().unique(space, name).value();
  };
  EXPECT_EQ(owner(Namespace::external_id, "a"), first);
  EXPECT_EQ(owner(Namespace::external_id, longest), first);
  EXPECT_EQ(owner(Namespace::local_agent, "a"), std::nullopt) << "another namespace";
  EXPECT_EQ(owner(Namespace::external_id, ""), std::nullopt);
  EXPECT_EQ(owner(Namespace::external_id, longest + "n"), std::nullopt);
  ChangeSet release;
  release.release_unique(Namespace::external_id, "a");
  world.must_commit(release);
  EXPECT_EQ(world.commit(release).kind, Kind::conflict) << "it is free already";
  EXPECT_EQ(owner(Namespace::external_id, "a"), std::nullopt);
}

TEST(Committer, lineages_move_from_clone_to_clone_under_their_own_revision) {
  World world;
  const Id root = world.id();
  const auto put = [&](const Id& newest, std::uint64_t expected) {
    ChangeSet set;
    set.put_lineage(root, newest, expected);
    return world.commit(set).kind;
  };
  const Id first = world.id();
  const Id second = world.id();
  EXPECT_FALSE(world.store->snapshot().lineage(root).value());
  EXPECT_EQ(put(first, 0), Kind::committed);
  EXPECT_EQ(put(second, 0), Kind::conflict);
  EXPECT_EQ(put(second, 1), Kind::committed);
  const auto lineage = world.store->snapshot().lineage(root).value();
  ASSERT_TRUE(lineage);
  EXPECT_EQ(lineage->newest, second);
  EXPECT_EQ(lineage->revision, 2U);
}

TEST(Committer, idempotency_keys_are_kept_once_and_forgotten) {
  World world;
  ChangeSet keep;
  keep.remember("user/key", R"({"status":201})");
  world.must_commit(keep);
  EXPECT_EQ(world.commit(keep).kind, Kind::conflict);
  EXPECT_EQ(world.store->snapshot().remembered("user/key").value(), R"({"status":201})");
  ChangeSet drop;
  drop.forget("user/key");
  world.must_commit(drop);
  EXPECT_EQ(world.store->snapshot().remembered("user/key").value(), std::nullopt);
  EXPECT_EQ(world.store->snapshot().remembered("").value(), std::nullopt);
}

TEST(Committer, the_cases_of_a_run_are_preserved) {
  World world;
  const Id run = world.id();
  const std::vector<ExpectedCase> cases{{world.id(), 3}, {world.id(), 1}};
  ChangeSet set;
  set.put_run_cases(run, cases);
  world.must_commit(set);
  EXPECT_EQ(world.store->snapshot().run_cases(run).value(), cases);
  EXPECT_THAT(world.store->snapshot().run_cases(world.id()).value(), IsEmpty());
}

TEST(Committer, a_run_is_idle_when_no_result_is_pending_or_running) {
  World world;
  const parley::Run run = created(world.run());
  world.create(run);
  const auto close = [&] {
    ChangeSet set;
    set.guard_idle(run.stamp.id);
    set.create(world.scenario());
    return set;
  };
  EXPECT_EQ(world.commit(close()).kind, Kind::committed);
  ResultHead head = created(world.result(run));
  head.is_archived = true;
  EXPECT_THAT(commit_all(world, {creation(head), close()}), ElementsAre(Kind::committed, Kind::conflict));
  ResultHead failed = head;
  failed.status = ResultStatus::failed;
  ChangeSet end;
  end.replace(head, failed);
  EXPECT_THAT(commit_all(world, {end, close()}), ElementsAre(Kind::committed, Kind::committed));
}

TEST(Committer, a_run_is_live_while_a_result_is_pending_or_running) {
  World world;
  const parley::Run run = created(world.run());
  world.create(run);
  const auto cancel = [&] {
    ChangeSet set;
    set.guard_live(run.stamp.id);
    set.cancel_live({run.stamp.id, noon});
    return set;
  };
  EXPECT_EQ(world.commit(cancel()).kind, Kind::conflict);
  EXPECT_THAT(commit_all(world, {creation(created(world.result(run))), cancel(), cancel()}),
              ElementsAre(Kind::committed, Kind::committed, Kind::conflict));
}

TEST(Committer, I45_cancel_live_takes_every_live_result_of_the_run_and_no_other) {
  World world;
  const parley::Run run = created(world.run());
  const parley::Run other = created(world.run());
  std::vector<ResultHead> heads;
  ChangeSet set;
  set.create(run);
  set.create(other);
  for (int i = 0; i < 1'000; ++i) {
    ResultHead head = created(world.result(i % 10 == 0 ? other : run, world.id()));
    head.status = static_cast<ResultStatus>(i % 5);
    head.is_archived = i % 7 == 0;
    if (i % 3 == 0) head.end_reason = EndReason::tester_ended;
    heads.push_back(head);
    set.create(head);
  }
  world.must_commit(set);

  const Time late{noon.ms + 1'000'000};
  parley::Run stopped = run;
  stopped.status = RunStatus::canceled;
  stopped.stamp.updated_at = late;
  ChangeSet cancel;
  cancel.replace(run, stopped);
  cancel.cancel_live({run.stamp.id, late});
  const Outcome outcome = world.commit(cancel);
  ASSERT_EQ(outcome.kind, Kind::committed);

  std::vector<Id> expected;
  for (const ResultHead& head : heads) {
    const bool hit = head.run->id == run.stamp.id && !is_terminal(head.status);
    const auto now = world.get<ResultHead>(head.stamp.id);
    EXPECT_EQ(now.status, hit ? ResultStatus::canceled : head.status);
    EXPECT_EQ(now.stamp.revision, hit ? 2U : 1U);
    EXPECT_EQ(now.stamp.updated_at, hit ? late : head.stamp.updated_at);
    EXPECT_EQ(now.end_reason, hit && !head.end_reason ? EndReason::canceled : head.end_reason);
    if (hit) expected.push_back(head.stamp.id);
  }
  EXPECT_EQ(outcome.canceled, expected);
  EXPECT_EQ(world.get<parley::Run>(run.stamp.id).status, RunStatus::canceled);
  EXPECT_EQ(world.store->snapshot().run_counters(run.stamp.id).value().live, 0);
  EXPECT_THAT(world.store->snapshot().live_of_run(run.stamp.id), IsEmpty());
  EXPECT_FALSE(world.store->snapshot().live_of_run(other.stamp.id).empty());
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, I11_cancel_live_never_moves_updatedAt_back) {
  World world;
  const parley::Run run = created(world.run());
  ResultHead head = created(world.result(run));
  head.stamp.updated_at = Time{noon.ms + 5'000};
  world.create(head);
  ChangeSet cancel;
  cancel.cancel_live({run.stamp.id, noon});
  world.must_commit(cancel);
  EXPECT_EQ(world.get<ResultHead>(head.stamp.id).stamp.updated_at, Time{noon.ms + 5'001});
}

TEST(Committer, I11_D7_cancel_live_is_newer_than_the_last_entry) {
  World world;
  const parley::Run run = created(world.run());
  const ResultHead head = created(world.result(run));
  world.create(head);
  StoredEntry entry = message(world.id(), "{}");
  entry.touched_at = Time{noon.ms + 5'000};
  ChangeSet append;
  append.append_entry(head.stamp, 0, entry);
  world.must_commit(append);
  EXPECT_EQ(world.store->snapshot().newest_change(head).value(), entry.touched_at);
  ChangeSet cancel;
  cancel.cancel_live({run.stamp.id, noon});
  world.must_commit(cancel);
  EXPECT_EQ(world.get<ResultHead>(head.stamp.id).stamp.updated_at, Time{noon.ms + 5'001});
}

TEST(Committer, cancels_a_result_whose_last_entry_is_damaged_I13) {
  World world;
  const parley::Run run = created(world.run());
  const ResultHead head = created(world.result(run));
  world.create(head);
  ChangeSet damage;
  damage.writes.push_back({TableId::entries, entry_key(head.stamp.id, 0), any_revision, "no value"});
  world.must_commit(damage);
  EXPECT_FALSE(world.store->snapshot().newest_change(head).ok());
  ChangeSet cancel;
  cancel.cancel_live({run.stamp.id, noon});
  world.must_commit(cancel);
  EXPECT_EQ(world.get<ResultHead>(head.stamp.id).status, ResultStatus::canceled);
}

TEST(Committer, a_set_decided_before_a_cancel_in_the_same_batch_fails_its_guard) {
  World world;
  const parley::Run run = created(world.run());
  const ResultHead head = created(world.result(run));
  world.create(head);
  ChangeSet cancel;
  cancel.cancel_live({run.stamp.id, noon});
  ChangeSet append;
  append.append_entry(head.stamp, 0, message(world.id(), "{}"));
  EXPECT_THAT(commit_all(world, {cancel, append}), ElementsAre(Kind::committed, Kind::conflict));
  EXPECT_EQ(world.store->snapshot().entry_count(head.stamp.id), 0U);
}

TEST(Committer, a_set_that_LMDB_cannot_take_fails_alone) {
  World world;
  ChangeSet bad = creation(world.scenario());
  bad.writes.push_back({TableId::idempotency, std::string(600, 'k'), any_revision, "v"});
  const Scenario good = world.scenario();
  EXPECT_THAT(commit_all(world, {creation(world.scenario()), bad, creation(good)}),
              ElementsAre(Kind::committed, Kind::refused, Kind::committed));
  EXPECT_TRUE(world.store->snapshot().has(RecordKind::scenario, good.stamp.id));
  EXPECT_FALSE(world.store->snapshot().has(RecordKind::scenario, id_at(bad.writes.front().key)));
  EXPECT_FALSE(world.store->committer().is_broken());
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, I13_a_damaged_record_fails_only_its_own_set) {
  World world;
  const Scenario scenario = created(world.scenario());
  ChangeSet damage;
  damage.writes.push_back({TableId::scenarios, std::string(scenario.stamp.id.key()), any_revision, "junk"});
  world.must_commit(damage);
  const auto outcomes =
      world.store->committer().commit(std::vector{renaming(scenario, "x"), creation(world.scenario())});
  EXPECT_EQ(outcomes[0].kind, Kind::refused);
  EXPECT_EQ(outcomes[0].problem.kind, ProblemKind::internal);
  EXPECT_EQ(outcomes[1].kind, Kind::committed);
  EXPECT_GT(world.store->usage().corrupt_reads, 0U);
}

TEST(Committer, a_batch_beyond_its_limits_is_split_into_transactions) {
  World world;
  std::vector<ChangeSet> batch;
  for (std::size_t i = 0; i < limits::batch_change_sets_max + 1; ++i)
    batch.push_back(creation(world.scenario()));
  EXPECT_THAT(commit_all(world, batch), testing::Each(Kind::committed));
  EXPECT_EQ(world.store->committer().figures().batches, 2U);
  batch.clear();
  for (int i = 0; i < 3; ++i)
    batch.push_back(creation(world.scenario(std::string(limits::batch_bytes_max / 2, 'x'))));
  EXPECT_THAT(commit_all(world, batch), testing::Each(Kind::committed));
  EXPECT_EQ(world.store->committer().figures().batches, 5U)
      << "each alone: two exceed the bound by their frames";
}

TEST(Committer, figures_count_commits_and_records) {
  World world;
  const Scenario scenario = world.scenario();
  commit_all(world, {creation(scenario), creation(scenario)});
  const CommitFigures figures = world.store->committer().figures();
  EXPECT_EQ(figures.batches, 1U);
  EXPECT_EQ(figures.committed, 1U);
  EXPECT_EQ(figures.conflicts, 1U);
  EXPECT_EQ(figures.records, 1U);
  EXPECT_EQ(figures.bytes, creation(scenario).bytes());
  EXPECT_GE(figures.total_us, figures.max_us);
  std::uint64_t batches = 0;
  for (const std::uint64_t count : figures.latency) batches += count;
  EXPECT_EQ(batches, 1U);
}

}  // namespace
}  // namespace parley::store
