// Names that no call waits for any more, and names whose lookup hangs.

#include "outbound/client/resolver.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"
#include "tests/support/cpu_time.hpp"

namespace parley::outbound {
namespace {

using namespace support;

/// A name server that answers nothing until it is released, and records the names it is asked for.
struct Names {
  std::promise<void> proceed;
  std::shared_future<void> gate = proceed.get_future().share();
  std::mutex mutex;
  std::vector<std::string> asked;
  std::promise<void> first;

  std::vector<Address> look_up(const std::string& name) {
    {
      const std::lock_guard lock(mutex);
      asked.push_back(name);
      if (asked.size() == 1) first.set_value();
    }
    gate.wait();
    return {};
  }
};

TEST(Resolver, does_not_resolve_a_name_whose_callers_canceled) {
  Names names;
  auto limits = small_limits();
  limits.lookups_max = 1;
  limits.connect_attempts = 1;
  HttpClient client(limits, open_guard(), [&](const std::string& name) { return names.look_up(name); });
  auto slow = begin(client, to("http://slow.example/"));
  names.first.get_future().get();
  CallId left = 0, one_of_two = 0;
  auto gone = begin(client, to("http://gone.example/"), {}, &left);
  auto other = begin(client, to("http://shared.example/"), {}, &one_of_two);
  auto stays = begin(client, to("http://shared.example/"));
  HttpRequest brief = to("http://brief.example/");
  brief.connect_ms = 20;
  const auto overdue = begin(client, brief).get();
  EXPECT_EQ(word_of(overdue), "overloaded")
      << "its time is over while it waits for a thread: that is our fault";
  EXPECT_FALSE(failure_of(overdue).was_sent);
  EXPECT_EQ(overdue.attempts, 1);
  client.cancel(left);
  client.cancel(one_of_two);
  EXPECT_EQ(word_of(gone.get()), "canceled");
  EXPECT_EQ(word_of(other.get()), "canceled");
  auto again = begin(client, to("http://gone.example/again"), {}, &left);
  client.cancel(left);
  EXPECT_EQ(word_of(again.get()), "canceled");
  names.proceed.set_value();
  EXPECT_EQ(word_of(slow.get()), "connect");
  EXPECT_EQ(word_of(stays.get()), "connect");
  const std::lock_guard lock(names.mutex);
  EXPECT_EQ(std::set<std::string>(names.asked.begin(), names.asked.end()),
            (std::set<std::string>{"slow.example", "shared.example"}));
}

/// Names that begin with "slow" hang until `proceed`; the others resolve immediately.
struct SlowNames {
  std::promise<void> proceed;
  std::shared_future<void> gate = proceed.get_future().share();
  std::atomic<int> hanging = 0;

  std::vector<Address> look_up(const std::string& name) {
    if (!name.starts_with("slow")) return {*address_from_text("127.0.0.1")};
    ++hanging;
    gate.wait();
    return {};
  }
};

std::string named(const std::string& host, const Server& server) {
  return "http://" + host + ":" + std::to_string(server.port()) + "/";
}

TEST(Resolver, resolves_other_names_while_some_hang_F16) {
  SlowNames names;
  const Server server(always("x"));
  auto limits = small_limits();
  limits.lookups_max = 4;
  HttpClient client(limits, open_guard(), [&](const std::string& name) { return names.look_up(name); });
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 3; ++i) ends.push_back(begin(client, to(named("slow" + std::to_string(i), server))));
  while (names.hanging < 3) std::this_thread::yield();
  for (const std::string host : {"good.example", "a.good.example.", "plain"}) {
    auto request = to(named(host, server));
    request.connect_ms = 1'000;
    EXPECT_EQ(word_of(ask(client, request)), "200") << host;
  }
  names.proceed.set_value();
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "connect");
}

TEST(Resolver, keeps_a_thread_for_the_operators_names_while_others_hang) {
  SlowNames names;
  const Server server(always("x"));
  auto limits = small_limits();
  limits.lookups_max = 2;
  limits.connect_attempts = 1;
  HttpClient client(limits, open_guard(), [&](const std::string& name) { return names.look_up(name); });
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 4; ++i) ends.push_back(begin(client, to(named("slow" + std::to_string(i), server))));
  while (names.hanging < 2) std::this_thread::yield();
  // An agent's call waits for the name; an operator's call for the same name does not.
  ends.push_back(begin(client, to(named("judge.example", server))));
  auto request = to(named("judge.example", server));
  request.is_trusted = true;
  EXPECT_EQ(word_of(ask(client, request)), "200");
  EXPECT_EQ(word_of(ends.back().get()), "200");
  ends.pop_back();
  EXPECT_EQ(names.hanging, 2);
  names.proceed.set_value();
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "connect");
}

TEST(Resolver, forgets_a_name_immediately_however_many_wait_F23) {
  constexpr int many = 100'000;
  Names names;
  std::promise<void> looked_up;
  auto limits = small_limits();
  limits.lookups_max = 1;
  Resolver resolver(
      limits, [&](const std::string& name) { return names.look_up(name); }, [&] { looked_up.set_value(); });
  const auto named = [](int i) { return "agent-number-" + std::to_string(i) + ".of.example.org"; };
  EXPECT_FALSE(resolver.ask("first.example.org", 0, false));
  names.first.get_future().get();
  const double began = test::cpu_seconds();
  for (int i = 0; i < many; ++i) EXPECT_FALSE(resolver.ask(named(i), 0, false));
  for (int i = many; i-- > 0;) {
    EXPECT_TRUE(resolver.is_waiting(named(i)));
    resolver.withdraw(named(i));
    EXPECT_FALSE(resolver.is_waiting(named(i)));
  }
  EXPECT_LT(test::cpu_seconds() - began, 30)
      << "a second by itself, minutes were all that wait looked through";
  names.proceed.set_value();
  looked_up.get_future().get();
  EXPECT_EQ(resolver.take(0).size(), 1U) << "of the names that wait no more none was looked up";
}

}  // namespace
}  // namespace parley::outbound
