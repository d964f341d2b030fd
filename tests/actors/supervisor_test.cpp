// The supervisor with real threads: start, work, stop, start again.

#include "actors/supervisor.hpp"

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

}  // namespace
}  // namespace parley::actors::test
