// Several threads carry the calls: bounds hold for all threads together, and one of them carries all calls to an
// origin.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "model/id.hpp"
#include "outbound/client/wire_permits.hpp"
#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound {
namespace {

using namespace support;

CallLimits threaded(std::size_t threads) {
  CallLimits limits = small_limits();
  limits.threads = threads;
  return limits;
}

/// Servers, one per origin, that count their concurrent requests.
class Origins {
 public:
  explicit Origins(int count, std::chrono::milliseconds latency = std::chrono::milliseconds(1)) {
    for (int i = 0; i < count; ++i)
      servers_.push_back(std::make_unique<Server>([this, latency](Peer& peer) {
        while (!peer.request().empty()) {
          note(++held_);
          std::this_thread::sleep_for(latency);
          --held_;
          peer.answer("x");
        }
      }));
  }
  [[nodiscard]] std::string url(int number) const {
    return servers_.at(static_cast<std::size_t>(number) % servers_.size())->url();
  }
  [[nodiscard]] int most_held() const { return most_; }

 private:
  void note(int held) {
    int most = most_;
    while (held > most && !most_.compare_exchange_weak(most, held)) {
    }
  }

  std::atomic<int> held_ = 0;
  std::atomic<int> most_ = 0;
  std::vector<std::unique_ptr<Server>> servers_;
};

TEST(HttpClientThreads, carry_each_origin_on_one_thread_and_origins_on_several) {
  const Origins origins(6);
  std::mutex mutex;
  std::map<int, std::set<std::thread::id>> threads_of;
  std::atomic<int> left = 300;
  HttpClient client(threaded(3), open_guard());
  for (int i = 0; i < 300; ++i) {
    client.start(to(origins.url(i)), {}, [&, i](const HttpOutcome& outcome, int) {
      EXPECT_TRUE(std::holds_alternative<HttpAnswer>(outcome));
      const std::lock_guard lock(mutex);
      threads_of[i % 6].insert(std::this_thread::get_id());
      --left;
    });
  }
  while (left > 0) std::this_thread::yield();
  std::map<std::thread::id, int> origins_of;
  for (const auto& [origin, threads] : threads_of) {
    EXPECT_EQ(threads.size(), 1U);
    ++origins_of[*threads.begin()];
  }
  EXPECT_EQ(origins_of.size(), 3U);
  for (const auto& [thread, count] : origins_of) EXPECT_EQ(count, 2);
}

TEST(HttpClientThreads, keep_the_bound_of_all_calls_exactly_and_starve_none) {
  const Origins origins(8);
  auto limits = threaded(4);
  limits.calls_max = 3;
  HttpClient client(limits, open_guard());
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 400; ++i) ends.push_back(begin(client, to(origins.url(i))));
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "200");
  EXPECT_EQ(origins.most_held(), 3);
}

TEST(HttpClientThreads, continue_after_cancels_removed_the_calls_that_waited_for_a_permit) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  const Origins origins(7);
  auto limits = threaded(4);
  limits.calls_max = 1;
  HttpClient client(limits, open_guard());
  CallId hangs = 0;
  auto held = begin(client, to(hanging.url()), {}, &hangs);
  while (hanging.connections() < 1) std::this_thread::yield();
  std::vector<std::future<Ended>> ends;
  std::vector<CallId> ids(60);
  for (int i = 0; i < 60; ++i)
    ends.push_back(begin(client, to(origins.url(i)), {}, &ids[static_cast<std::size_t>(i)]));
  for (std::size_t i = 0; i < 60; ++i) {
    if (i % 3 != 0) client.cancel(ids[i]);
  }
  client.cancel(hangs);
  EXPECT_EQ(word_of(held.get()), "canceled");
  for (std::size_t i = 0; i < 60; ++i) {
    const auto word = word_of(ends[i].get());
    if (i % 3 == 0) {
      EXPECT_EQ(word, "200");
    }
  }
  EXPECT_EQ(origins.most_held(), 1);
}

TEST(HttpClientThreads, refuse_calls_beyond_the_bound_of_all) {
  const Server one([](Peer& peer) { peer.wait_until_closed(); });
  const Server two([](Peer& peer) { peer.wait_until_closed(); });
  auto limits = threaded(2);
  limits.calls_max = 2;
  limits.waiting_max = 3;
  HttpClient client(limits, open_guard());
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 5; ++i) ends.push_back(begin(client, to((i % 2 == 0 ? one : two).url())));
  while (client.figures().calls < 5) std::this_thread::yield();
  EXPECT_EQ(word_of(ask(client, to(two.url()))), "overloaded");
  EXPECT_EQ(client.figures().on_wire + client.figures().waiting, 5U);
}

TEST(HttpClientThreads, cancel_a_group_on_all_of_them_before_they_confirm_it) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  const Origins origins(5);
  auto limits = threaded(3);
  limits.calls_max = 1;
  HttpClient client(limits, open_guard());
  CallId hangs = 0;
  auto held = begin(client, to(hanging.url()), {}, &hangs);
  while (hanging.connections() < 1) std::this_thread::yield();
  RandomIds ids;
  const Id group = ids.next(Time{});
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 30; ++i) {
    auto request = to(origins.url(i));
    request.group = group;
    request.epoch = client.epoch();
    ends.push_back(begin(client, std::move(request)));
  }
  std::promise<void> done;
  client.cancel_group(group, [&] { done.set_value(); });
  done.get_future().get();
  client.cancel(hangs);
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "canceled");
  EXPECT_EQ(origins.most_held(), 0);
}

TEST(HttpClientThreads, fetch_a_token_on_the_thread_of_its_service) {
  std::atomic<int> fetched = 0;
  const Server tokens([&](Peer& peer) {
    while (!peer.request().empty()) {
      ++fetched;
      peer.answer(R"({"access_token":"t0ken","token_type":"Bearer","expires_in":3600})");
    }
  });
  const auto checks_token = [](Peer& peer) {
    for (std::string request; !(request = peer.request()).empty();) {
      const bool is_known = request.find("Authorization: Bearer t0ken") != std::string::npos;
      peer.answer("x", is_known ? "200 OK" : "403 Forbidden");
    }
  };
  const Server one(checks_token), two(checks_token);
  HttpClient client(threaded(3), open_guard());
  const auto grant = std::make_shared<const TokenGrant>(TokenGrant{tokens.url("/token"), "c", "s", ""});
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 20; ++i) {
    auto request = to((i % 2 == 0 ? one : two).url());
    request.grant = grant;
    ends.push_back(begin(client, std::move(request)));
  }
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "200");
  EXPECT_LE(fetched, 2) << "once for each thread that needs it";
}

TEST(HttpClientThreads, complete_each_call_once_in_a_storm_of_cancels_and_a_stop) {
  const Origins origins(6, std::chrono::milliseconds(0));
  auto limits = threaded(4);
  limits.calls_max = 5;
  HttpClient client(limits, open_guard());
  constexpr std::size_t calls = 1'500;
  std::vector<std::atomic<int>> completions(calls);
  std::vector<std::atomic<CallId>> ids(calls);
  std::thread starter([&] {
    for (std::size_t i = 0; i < calls; ++i)
      ids[i] = client.start(to(origins.url(static_cast<int>(i))), {},
                            [&, i](const HttpOutcome&, int) { ++completions[i]; });
  });
  for (std::size_t i = 0; i < calls; i += 2) client.cancel(ids[i]);
  starter.join();
  for (std::size_t i = 0; i < calls; i += 3) client.cancel(ids[i]);
  while (client.in_flight() > calls / 4) std::this_thread::yield();
  client.stop();
  for (const auto& count : completions) EXPECT_EQ(count, 1);
  EXPECT_LE(origins.most_held(), 5);
}

TEST(WirePermits, are_never_more_than_there_are_and_reach_every_thread) {
  constexpr std::size_t threads = 4, most = 2, rounds = 3'000;
  WirePermits permits(most, threads);
  std::vector<std::atomic<bool>> woken(threads);
  std::atomic<int> out = 0;
  std::atomic<bool> is_over = false;
  const auto wake = [&](std::optional<std::size_t> other) {
    if (other) woken[*other] = true;
  };
  const auto work = [&](std::size_t mine) {
    for (std::size_t round = 0; round < rounds; ++round) {
      while (!permits.take(mine)) {
        while (!woken[mine].exchange(false)) std::this_thread::yield();
      }
      if (++out > static_cast<int>(most)) is_over = true;
      --out;
      wake(permits.give_back(mine));
    }
    // A thread that is passed a permit without needing one passes it on to the next thread.
    while (permits.out() > 0) {
      if (permits.passed_on(mine) > 0) wake(permits.decline(mine));
      std::this_thread::yield();
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < threads; ++i) workers.emplace_back(work, i);
  for (auto& worker : workers) worker.join();
  EXPECT_FALSE(is_over);
  EXPECT_EQ(permits.out(), 0U);
}

}  // namespace
}  // namespace parley::outbound
