// The supervisor with real threads: start, work, stop, start again.

#include "actors/supervisor.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "model/agent.hpp"
#include "model/scheduled_run.hpp"
#include "tests/actors/support/machine.hpp"
#include "tests/store/world.hpp"

namespace parley::actors::test {
namespace {

/// Calls and waits for the answer.
template <class T>
Result<T> wait_for(const std::function<void(Completion<T>)>& call) {
  std::promise<Result<T>> promise;
  call([&promise](Result<T> answer) { promise.set_value(std::move(answer)); });
  return promise.get_future().get();
}

/// Looks again and again for what another thread does; whether it came in time.
bool comes(const std::function<bool()>& is_there) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!is_there()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

template <class Record>
Record stamped(store::World& home) {
  Record record;
  record.stamp.id = home.id();
  record.stamp.updated_at = record.stamp.created_at();
  return record;
}

/// A schedule whose instant is noon.
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
    World world{**store, clock, ids, {}, {}};
    Supervisor supervisor(world, 2);
    Gateway& gateway = supervisor.gateway();
    ASSERT_TRUE(supervisor.recover().ok());
    if (start == 0) {
      CreateResult command;
      command.agent.id = ids.next(noon);
      command.generated.instruction = "say: one\nend";
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

/// The actors over an empty store, with a pool of one thread.
struct Service {
  store::World home;
  const ManualClock clock{noon};
  RandomIds ids;
  World world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor{world, 1};
};

TEST(Supervisor, does_long_work_beside_everything_and_bounds_what_waits_for_it) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  std::promise<void> gate;
  const std::shared_future<void> open = gate.get_future().share();
  std::atomic<std::size_t> done{0};
  const auto piece = [&done, open](const Result<Done>& turn) {
    EXPECT_TRUE(turn.ok());
    open.wait();
    ++done;
  };
  for (std::size_t i = 0; i < limits::background_max; ++i) gateway.in_background(piece);
  std::optional<Problem> refused;  // those under way count too
  gateway.in_background([&](Result<Done> turn) {
    if (turn.ok()) return piece(turn);
    refused = std::move(turn).problem();
  });
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->kind, ProblemKind::busy);
  // Connections and actors do not wait for it.
  CreateResult command;
  command.agent.id = service.ids.next(noon);
  EXPECT_TRUE(
      wait_for<ResultReply>([&](auto reply) { gateway.create_preview(command, {}, std::move(reply)); }).ok());
  EXPECT_EQ(done, 0u);
  std::thread opener([&] { gate.set_value(); });
  service.supervisor.stop();  // waits for the pieces under way
  opener.join();
  const std::size_t ended = done;
  EXPECT_GE(ended, 1u);
}

/// A piece of long work that has begun and ends when the test says so.
class HeldWork {
 public:
  explicit HeldWork(Gateway& gateway) {
    gateway.in_background([this](const Result<Done>&) {
      begun_.set_value();
      gate_.get_future().wait();
    });
  }
  /// Whether it begins within a time that no idle thread needs.
  [[nodiscard]] bool begins() {
    return begun_.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  }
  void end() { gate_.set_value(); }

 private:
  std::promise<void> begun_, gate_;
};

TEST(Supervisor, gives_long_work_to_a_thread_that_idles) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  HeldWork longest(gateway);
  ASSERT_TRUE(longest.begins());
  HeldWork next(gateway);
  EXPECT_TRUE(next.begins()) << "it waits behind the long one";
  next.end();
  longest.end();
  service.supervisor.stop();
}

TEST(Supervisor, gives_long_work_to_the_thread_that_idles_first) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  HeldWork longest(gateway);
  ASSERT_TRUE(longest.begins());
  // A client has its answer a moment before the thread is done with it, and asks for the next page in that moment.
  auto last = std::make_unique<HeldWork>(gateway);
  ASSERT_TRUE(last->begins());
  std::vector<std::unique_ptr<HeldWork>> ended;
  for (int page = 0; page < 20; ++page) {
    auto next = std::make_unique<HeldWork>(gateway);
    last->end();
    ASSERT_TRUE(next->begins()) << page << " waits behind the long one";
    ended.push_back(std::exchange(last, std::move(next)));
  }
  last->end();
  longest.end();
  service.supervisor.stop();
}

TEST(Supervisor, counts_long_work_out_that_throws) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  for (std::size_t i = 0; i <= limits::background_max; ++i) {
    const auto begun = std::make_shared<std::promise<bool>>();
    auto was_let_in = begun->get_future();
    gateway.in_background([begun](const Result<Done>& turn) {
      begun->set_value(turn.ok());
      throw std::runtime_error("broken work");
    });
    ASSERT_TRUE(was_let_in.get()) << "piece " << i;
  }
  service.supervisor.stop();
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
  World world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  EXPECT_TRUE(comes([&] { return !scheduled_runs(home).empty(); }));
  EXPECT_EQ(scheduled_runs(home).size(), 1U);
  supervisor.stop();
}

TEST(Supervisor, skips_the_instant_of_a_schedule_whose_scenario_or_tests_allow_it_no_more_D42_D43) {
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
  schedules[1].test_configs = {{{archived.stamp.id}, {}, {}}};
  for (const ScheduledRun& one : schedules) changes.create(one);
  home.must_commit(changes);
  const ManualClock clock(noon);
  RandomIds ids;
  World world{*home.store, clock, ids, {}, {}};
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

TEST(Supervisor, sets_a_schedule_right_that_a_clock_which_was_ahead_left_in_the_future_F38) {
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
  World world{*home.store, clock, ids, {}, {}};
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
  for (int i = 0; i < 1'500; ++i) {  // more than one step
    const std::string name = "old" + std::to_string(i);
    store::remember(changes, {store::remembered_key(long_ago, name), "hash", 201, long_ago},
                    std::vector{home.id()});
  }
  store::remember(changes, {store::remembered_key(noon, "new"), "hash", 201, noon}, std::vector{home.id()});
  home.must_commit(changes);
  const ManualClock clock(noon);
  RandomIds ids;
  World world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor(world, 1);
  ASSERT_TRUE(supervisor.recover().ok());
  std::size_t left = 1'500;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (left > 0 && std::chrono::steady_clock::now() < until) {
    // A decision behind the sweeper's, so that the wait costs no more than it must.
    const auto looked = wait_for<Done>([&](auto done) {
      supervisor.gateway().change_records(
          [&](const store::Snapshot& snapshot, Time now, IdSource&) -> Result<store::ChangeSet> {
            store::ChangeSet would;
            left = store::forget_expired(snapshot, now, 1'500, would);
            return store::ChangeSet{};
          },
          std::move(done));
    });
    ASSERT_TRUE(looked.ok());
  }
  EXPECT_EQ(left, 0u);
  const auto kept = store::find_remembered(home.store->snapshot(), "new", noon);
  EXPECT_TRUE(kept.ok() && *kept);
  supervisor.stop();
}

}  // namespace
}  // namespace parley::actors::test
