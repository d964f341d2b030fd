// Long work with real threads: which thread does it, in which order, and what happens to it when the server stops (I65,
// I66).

#include <array>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "actors/lifecycle/supervisor.hpp"
#include "tests/actors/support/machine.hpp"
#include "tests/actors/support/waits.hpp"
#include "tests/store/world.hpp"

namespace parley::actors::test {
namespace {

/// The actors over an empty store, with a pool of one thread.
struct Service {
  store::World home;
  const ManualClock clock{noon};
  RandomIds ids;
  Services world{*home.store, clock, ids, {}, {}};
  Supervisor supervisor{world, 1};
};

TEST(Background, does_long_work_in_parallel_and_bounds_its_queue) {
  Service service;
  ASSERT_TRUE(service.supervisor.recover().ok());
  Gateway& gateway = service.supervisor.gateway();
  std::promise<void> gate;
  const std::shared_future<void> open = gate.get_future().share();
  std::atomic<std::size_t> done{0};
  const auto piece = [&done, open](const Expected<Done>& turn) {
    EXPECT_TRUE(turn.ok());
    open.wait();
    ++done;
  };
  for (std::size_t i = 0; i < limits::background_max; ++i) gateway.in_background(piece);
  std::optional<Problem> refused;  // pieces in progress count too
  gateway.in_background([&](Expected<Done> turn) {
    if (turn.ok()) return piece(turn);
    refused = std::move(turn).problem();
  });
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->kind, ProblemKind::busy);
  // Connections and actors do not wait for the long work.
  CreateResult command;
  command.agent.id = service.ids.next(noon);
  EXPECT_TRUE(
      wait_for<ResultReply>([&](auto reply) { gateway.create_preview(command, {}, std::move(reply)); }).ok());
  EXPECT_EQ(done, 0u);
  std::thread opener([&] { gate.set_value(); });
  service.supervisor.stop();  // waits for the pieces in progress
  opener.join();
  const std::size_t ended = done;
  EXPECT_GE(ended, 1u);
}

/// A piece of long work that ends when the test says so.
class HeldWork {
 public:
  explicit HeldWork(Gateway& gateway) {
    gateway.in_background([this](const Expected<Done>&) {
      begun_.set_value();
      gate_.get_future().wait();
    });
  }
  /// Whether it begins within a time that is ample for an idle thread.
  [[nodiscard]] bool begins() {
    return begun_.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  }
  void end() { gate_.set_value(); }

 private:
  std::promise<void> begun_, gate_;
};

TEST(Background, gives_long_work_to_a_thread_that_idles) {
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

TEST(Background, gives_long_work_to_the_thread_that_idles_first) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  HeldWork longest(gateway);
  ASSERT_TRUE(longest.begins());
  // A client gets its answer a moment before the thread has finished the work, and may request the next page at once.
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

/// The outcomes of pieces of queued work, in order.
class Turns {
 public:
  explicit Turns(Gateway& gateway) : gateway_(gateway) {}

  void ask(const Id& owner, char piece, std::size_t bytes = 1) {
    gateway_.in_turn(owner, bytes, [this, piece](const Expected<Done>& turn) {
      const std::lock_guard lock(mutex_);
      if (turn.ok()) done_ += piece;
      if (!turn.ok()) refused_[turn.problem().kind] += piece;
    });
  }
  [[nodiscard]] std::string done() const {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  [[nodiscard]] std::string refused(ProblemKind kind) const {
    const std::lock_guard lock(mutex_);
    const auto found = refused_.find(kind);
    return found == refused_.end() ? std::string() : found->second;
  }

 private:
  Gateway& gateway_;
  mutable std::mutex mutex_;
  std::string done_;
  std::map<ProblemKind, std::string> refused_;
};

/// Holds all threads for queued work until the test releases one.
struct HeldTurns {
  explicit HeldTurns(Gateway& gateway) {
    for (std::size_t i = 0; i < limits::check_threads; ++i) {
      const auto started = std::make_shared<std::promise<void>>();
      gateway.in_turn(Id{}, 1, [started, open = gates[i].get_future().share()](const Expected<Done>&) {
        started->set_value();
        open.wait();
      });
      started->get_future().wait();
    }
  }
  std::array<std::promise<void>, limits::check_threads> gates;
};

TEST(Background, gives_owners_turns_alongside_other_long_work_I65) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  Turns turns(gateway);
  HeldTurns held(gateway);
  const Id many = service.ids.next(noon);
  for (const char piece : {'a', 'b', 'c', 'd'}) turns.ask(many, piece);
  turns.ask(service.ids.next(noon), 'x');
  HeldWork other(gateway);
  EXPECT_TRUE(other.begins()) << "it waits behind them";
  other.end();
  EXPECT_EQ(turns.done(), "");
  held.gates[0].set_value();
  EXPECT_TRUE(comes([&] { return turns.done().size() == 5; }));
  EXPECT_EQ(turns.done(), "axbcd");
  held.gates[1].set_value();
  service.supervisor.stop();
}

TEST(Background, refuses_all_queued_work_immediately_when_it_stops_I66) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  Turns turns(gateway);
  HeldTurns held(gateway);
  turns.ask(service.ids.next(noon), 'a');
  turns.ask(service.ids.next(noon), 'b');
  gateway.end_waits();
  turns.ask(service.ids.next(noon), 'c');
  EXPECT_TRUE(comes([&] { return turns.refused(ProblemKind::draining).size() == 3; }));
  for (auto& gate : held.gates) gate.set_value();
  service.supervisor.stop();
  EXPECT_EQ(turns.done(), "");
}

TEST(Background, refuses_an_owner_whose_queue_is_full) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  Turns turns(gateway);
  HeldTurns held(gateway);
  const Id many = service.ids.next(noon);
  for (std::size_t i = 0; i < limits::checks_of_user_max; ++i) turns.ask(many, 'a');
  turns.ask(many, 'b');
  turns.ask(service.ids.next(noon), 'c', limits::checked_bytes_of_user_max);
  EXPECT_TRUE(comes([&] { return turns.refused(ProblemKind::busy).size() == 1; }));
  EXPECT_EQ(turns.refused(ProblemKind::busy), "b");
  EXPECT_EQ(gateway.counters().refused_busy, 1U);
  for (auto& gate : held.gates) gate.set_value();
  EXPECT_TRUE(comes([&] { return turns.done().find('c') != std::string::npos; }));
  service.supervisor.stop();
}

TEST(Background, frees_the_place_of_long_work_that_throws) {
  Service service;
  Gateway& gateway = service.supervisor.gateway();
  for (std::size_t i = 0; i <= limits::background_max; ++i) {
    const auto started = std::make_shared<std::promise<bool>>();
    auto was_let_in = started->get_future();
    gateway.in_background([started](const Expected<Done>& turn) {
      started->set_value(turn.ok());
      throw std::runtime_error("broken work");
    });
    ASSERT_TRUE(was_let_in.get()) << "piece " << i;
  }
  service.supervisor.stop();
}

}  // namespace
}  // namespace parley::actors::test
