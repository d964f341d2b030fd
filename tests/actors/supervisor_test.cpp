// The supervisor with real threads: start, work, stop, start again.

#include "actors/supervisor.hpp"

#include <chrono>
#include <future>

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
