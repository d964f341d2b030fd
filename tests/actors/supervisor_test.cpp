// The supervisor with real threads: start, work, stop, restart.

#include "actors/lifecycle/supervisor.hpp"

#include "model/records/agent.hpp"
#include "model/records/scheduled_run.hpp"
#include "tests/actors/support/machine.hpp"
#include "tests/actors/support/waits.hpp"
#include "tests/store/world.hpp"

namespace parley::actors::test {
namespace {

template <class Record>
Record stamped(store::World& home) {
  Record record;
  record.stamp.id = home.id();
  record.stamp.updated_at = record.stamp.created_at();
  return record;
}

/// A schedule that is due at noon.
ScheduledRun due_at_noon(store::World& home, const Scenario& scenario, const Agent& agent) {
  auto schedule = stamped<ScheduledRun>(home);
  schedule.scenario.id = scenario.stamp.id;
  schedule.agent.id = agent.stamp.id;
  schedule.cron = "0 0 * * *";
  schedule.next_run_at = noon;
  return schedule;
}

/// Runs that schedules have started.
std::vector<Id> scheduled_runs(store::World& home) {
  const store::Slice of_schedules{RecordKind::run, store::Facet::scheduled, store::value_of(true)};
  return home.store->snapshot().ids_in(of_schedules, Id{}, 10);
}

TEST(Supervisor, works_from_start_to_stop_and_starts_again) {
  store::TemporaryDirectory home;
  store::Options options;
  options.directory = home.path() / "data";
  options.fsync = false;
  options.map_bytes = std::uint64_t{1} << 30;
  options.free_bytes_min = 0;
  const ManualClock clock(noon);
  RandomIds ids;
  Id result;
  for (int start = 0; start < 2; ++start) {
    auto store = store::Store::open(options);
    ASSERT_TRUE(store.ok());
    Services world{**store, clock, ids, {}, {}};
    Supervisor supervisor(world, 2);
    Gateway& gateway = supervisor.gateway();
    ASSERT_TRUE(supervisor.recover().ok());
    if (start == 0) {
      CreateResult command;
      command.agent.id = ids.next(noon);
      command.test_case.instruction = "say: one\nend";
      const auto made =
          wait_for<ResultReply>([&](auto done) { gateway.create_preview(command, {}, std::move(done)); });
      ASSERT_TRUE(made.ok()) << made.problem().detail;
      result = made->head.stamp.id;
    }
    const auto turn = wait_for<ResultReply>(
        [&](auto done) { gateway.to_result(result, NextMessage{}, {}, std::move(done)); });
    ASSERT_TRUE(turn.ok());
    EXPECT_EQ(turn->turn->message, "one");
    supervisor.stop();
    supervisor.stop();  // a second stop does nothing
  }
}

TEST(Supervisor, starts_the_runs_of_schedules_although_their_number_and_one_of_them_are_damaged_I13) {
  store::World home;
  const Scenario scenario = home.scenario();
  const auto agent = stamped<Agent>(home);
  const std::array schedules{due_at_noon(home, scenario, agent), due_at_noon(home, scenario, agent)};
  store::ChangeSet changes;
  changes.create(scenario);
  changes.create(agent);
  for (const ScheduledRun& one : schedules) changes.create(one);
  home.must_commit(changes);
  const store::Slice enabled{RecordKind::scheduled_run, store::Facet::scheduled, store::value_of(true)};
  store::ChangeSet damage;
  damage.writes.push_back(
      {store::TableId::counts, store::slice_key(enabled), store::any_revision, "no value"});
  damage.writes.push_back({store::table_of<ScheduledRun>().id, std::string(schedules[0].stamp.id.key()),
                           store::any_revision, "no value"});
  home.must_commit(damage);
  const ManualClock clock(noon);
  RandomIds ids;
  Services world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  EXPECT_TRUE(comes([&] { return !scheduled_runs(home).empty(); }));
  EXPECT_EQ(scheduled_runs(home).size(), 1U);
  supervisor.stop();
}

TEST(Supervisor, skips_the_instant_of_a_schedule_whose_scenario_or_tests_no_longer_allow_it_D42_D43) {
  store::World home;
  const auto agent = stamped<Agent>(home);
  Scenario closed = home.scenario();
  closed.agents = {{home.id()}};
  const Scenario open = home.scenario();
  auto archived = stamped<parley::Test>(home);
  archived.scenario.id = open.stamp.id;
  archived.is_archived = true;
  store::ChangeSet changes;
  changes.create(agent);
  changes.create(closed);
  changes.create(open);
  changes.create(archived);
  std::array schedules{due_at_noon(home, closed, agent), due_at_noon(home, open, agent),
                       due_at_noon(home, open, agent)};
  schedules[1].test_configs = {{Ref<RecordKind::test>{archived.stamp.id}, {}, {}, {}}};
  for (const ScheduledRun& one : schedules) changes.create(one);
  home.must_commit(changes);
  const ManualClock clock(noon);
  RandomIds ids;
  Services world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  const auto is_over = [&](const ScheduledRun& schedule) {
    const auto found = home.store->snapshot().find<ScheduledRun>(schedule.stamp.id);
    return found.ok() && *found && (*found)->last_run_at && !(*found)->starting;
  };
  EXPECT_TRUE(comes([&] { return std::all_of(schedules.begin(), schedules.end(), is_over); }));
  const auto runs = scheduled_runs(home);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(home.store->snapshot().find<parley::Run>(runs[0]).value()->scheduled_run->id,
            schedules[2].stamp.id);
  supervisor.stop();
}

TEST(Supervisor, corrects_a_schedule_that_a_fast_clock_left_in_the_future_F38) {
  store::World home;
  const Scenario scenario = home.scenario();
  ScheduledRun schedule;
  schedule.stamp.id = home.id();
  schedule.stamp.updated_at = schedule.stamp.created_at();
  schedule.scenario.id = scenario.stamp.id;
  schedule.cron = "0 0 * * *";
  constexpr std::int64_t ten_years_ms = 10LL * 365 * 86'400'000;
  schedule.last_run_at = Time{noon.ms + ten_years_ms};
  schedule.next_run_at = Time{noon.ms + ten_years_ms + 1'000};
  store::ChangeSet changes;
  changes.create(scenario);
  changes.create(schedule);
  home.must_commit(changes);
  const ManualClock clock(noon);
  RandomIds ids;
  Services world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::optional<Time> next = schedule.next_run_at;
  while (next == schedule.next_run_at && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto found = home.store->snapshot().find<ScheduledRun>(schedule.stamp.id);
    ASSERT_TRUE(found.ok() && *found);
    next = (*found)->next_run_at;
  }
  ASSERT_TRUE(next);
  EXPECT_LT(next->ms, noon.ms + 86'400'001);
  supervisor.stop();
}

TEST(Supervisor, forgets_idempotency_keys_whose_day_is_over_D9) {
  store::World home;
  const Time long_ago{noon.ms - 48 * 3'600'000};
  store::ChangeSet changes;
  for (int i = 0; i < 1'500; ++i) {  // more than one step of the sweeper
    const std::string name = "old" + std::to_string(i);
    store::remember(changes, {store::idempotency_key(long_ago, name), "hash", 201, long_ago},
                    std::vector{home.id()});
  }
  store::remember(changes, {store::idempotency_key(noon, "new"), "hash", 201, noon}, std::vector{home.id()});
  home.must_commit(changes);
  const ManualClock clock(noon);
  RandomIds ids;
  Services world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  std::size_t left = 1'500;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (left > 0 && std::chrono::steady_clock::now() < until) {
    // This decision is made after the sweeper's, so that the test waits no longer than necessary.
    const auto looked = wait_for<Done>([&](auto done) {
      supervisor.gateway().change_records(
          [&](const store::Snapshot& snapshot, Time now, IdSource&) -> Expected<store::ChangeSet> {
            store::ChangeSet would;
            left = store::forget_expired(snapshot, now, 1'500, would);
            return store::ChangeSet{};
          },
          std::move(done));
    });
    ASSERT_TRUE(looked.ok());
  }
  EXPECT_EQ(left, 0u);
  const auto kept = store::find_idempotency_record(home.store->snapshot(), "new", noon);
  EXPECT_TRUE(kept.ok() && *kept);
  supervisor.stop();
}

}  // namespace
}  // namespace parley::actors::test
