// Calls of a canceled group, over real sockets (I45: after cancel-run no call begins).

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "model/id.hpp"
#include "outbound/client/http_client.hpp"
#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

TEST(HttpClientGivenUp, a_canceled_group_starts_no_more_calls) {
  std::atomic<int> requests = 0;
  const Server hanging(hangs_and_counts(requests));
  HttpClient client(one_at_once(), open_guard());
  const Id mine = CountingIds(1).next(Time{1}), other = CountingIds(2).next(Time{1});
  const auto call_for = [&](const Id& group) {
    auto request = to(hanging.url());
    request.group = group;
    request.epoch = client.epoch();
    return request;
  };
  CallId on_wire = 0, of_other = 0, fresh = 0;
  auto answered = begin(client, call_for(mine), {}, &on_wire);
  auto queued = begin(client, call_for(mine));
  auto others = begin(client, call_for(other), {}, &of_other);
  const auto late = call_for(mine);  // created before the cancelation, posted after it
  while (requests == 0) std::this_thread::yield();
  std::promise<void> canceled;
  client.cancel_group(mine, [&] { canceled.set_value(); });
  canceled.get_future().get();
  EXPECT_EQ(queued.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(word_of(queued.get()), "canceled");
  EXPECT_EQ(word_of(begin(client, late).get()), "canceled");
  auto asked_again = begin(client, call_for(mine), {}, &fresh);
  EXPECT_EQ(client.in_flight(), 3U)
      << "what is on the wire, the other group's, and what was asked afterwards";
  for (const CallId id : {on_wire, of_other, fresh}) client.cancel(id);
  EXPECT_EQ(word_of(answered.get()), "canceled");
  EXPECT_EQ(word_of(others.get()), "canceled");
  EXPECT_EQ(word_of(asked_again.get()), "canceled");
  client.stop();
  bool was_reported = false;
  client.cancel_group(mine, [&] { was_reported = true; });
  EXPECT_TRUE(was_reported) << "nothing begins once the client has stopped";
}

/// Cancels the group once `read` requests have been read, and waits until that is done.
void cancel_after(HttpClient& client, const Id& group, const std::atomic<int>& requests, int read) {
  while (requests < read) std::this_thread::yield();
  std::promise<void> canceled;
  client.cancel_group(group, [&] { canceled.set_value(); });
  canceled.get_future().get();
}

TEST(HttpClientGivenUp, a_canceled_group_is_not_retried) {
  std::atomic<int> requests = 0;
  std::promise<void> gate;
  const std::shared_future<void> open = gate.get_future().share();
  const Server server([&](Peer& peer) {
    while (!peer.request().empty()) {
      ++requests;
      open.wait();
      if (!peer.answer("busy", "503 Busy", "Retry-After: 0\r\n")) return;
    }
  });
  HttpClient client(small_limits(), open_guard());
  auto request = to(server.url());
  request.group = CountingIds(1).next(Time{1});
  auto asked = begin(client, request, RetryRules{4, true});
  auto once = begin(client, request);
  cancel_after(client, request.group, requests, 2);
  gate.set_value();
  const auto ended = asked.get();
  EXPECT_EQ(word_of(ended), "canceled");
  EXPECT_TRUE(failure_of(ended).was_sent);
  EXPECT_EQ(word_of(once.get()), "503") << "what is not asked again anyway has its answer";
  EXPECT_EQ(requests, 2);
}

TEST(HttpClientGivenUp, a_canceled_group_is_not_sent_again_after_a_dead_connection) {
  std::atomic<int> requests = 0;
  std::promise<void> gate;
  const std::shared_future<void> open = gate.get_future().share();
  const Server server([&](Peer& peer) {
    if (peer.request().empty()) return;
    peer.answer("x");
    if (++requests > 1 || peer.request().empty()) return;
    ++requests;
    open.wait();
  });
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  auto request = to(server.url());
  request.group = CountingIds(1).next(Time{1});
  auto asked = begin(client, request);
  cancel_after(client, request.group, requests, 2);
  gate.set_value();
  const auto ended = asked.get();
  EXPECT_EQ(word_of(ended), "canceled");
  EXPECT_TRUE(failure_of(ended).was_sent) << "the peer may have acted on it";
  EXPECT_EQ(requests, 2);
}

}  // namespace
}  // namespace parley::outbound::support
