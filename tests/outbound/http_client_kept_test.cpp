// Kept connections that the peer closes (ADR 12, D71, D72, F18).

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "outbound/client/http_client.hpp"
#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

/// What a peer does with a further request on a connection on which it has already answered one.
enum class Second { closes, begins_to_answer, reports_progress, resets };

/// Reads the second request and drops it. `requests` counts the requests read; `answered` is how many are answered.
Server::Script loses_the_second(std::atomic<int>& requests, Second second, int answered = 1'000) {
  return [&requests, second, answered](Peer& peer) {
    if (peer.request().empty()) return;
    if (++requests > answered) return;
    peer.answer("x");
    if (peer.request().empty()) return;
    ++requests;
    if (second == Second::begins_to_answer) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    if (second == Second::reports_progress) peer.send("HTTP/1.1 102 Processing\r\n\r\n");
    if (second == Second::resets) peer.reset();
  };
}

TEST(HttpClientKept, sends_once_more_if_a_kept_connection_ends_without_an_answer) {
  for (const Second second : {Second::closes, Second::resets}) {
    for (const RetryRules& rules : {RetryRules{}, RetryRules{4, true, {}}}) {
      std::atomic<int> requests = 0;
      const Server server(loses_the_second(requests, second));
      HttpClient client(small_limits(), open_guard());
      EXPECT_EQ(word_of(ask(client, to(server.url()), rules)), "200");
      const auto ended = ask(client, to(server.url()), rules);
      EXPECT_EQ(word_of(ended), "200");
      EXPECT_EQ(ended.attempts, 1) << "it is the same attempt";
      EXPECT_EQ(requests, 3);
      EXPECT_EQ(server.connections(), 2) << "libcurl opens none of its own";
    }
  }
}

// libcurl derives a failure from the last errno that a handle saw, which may come from another call.
TEST(HttpClientKept, sends_once_more_even_if_the_previous_call_could_not_connect_in_time) {
  std::atomic<int> requests = 0;
  const Server server(loses_the_second(requests, Second::closes));
  const DeafPort deaf;
  const auto two_addresses = [](const std::string&) {
    return std::vector<Address>{*address_from_text("127.0.0.1"), *address_from_text("127.0.0.2")};
  };
  HttpClient client(small_limits(), open_guard(), two_addresses);
  EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  auto request = to("http://deaf.test:" + std::to_string(deaf.port()) + "/");
  request.connect_ms = 100;  // divided among the addresses: libcurl itself abandons the first one
  EXPECT_EQ(word_of(ask(client, request)), "connect");
  const auto ended = ask(client, to(server.url()));
  EXPECT_EQ(word_of(ended), "200");
  EXPECT_EQ(ended.attempts, 1);
  EXPECT_EQ(requests, 3);
}

TEST(HttpClientKept, sends_no_third_time_F18) {
  std::atomic<int> requests = 0;
  const Server server(loses_the_second(requests, Second::closes, 1));
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  const auto ended = ask(client, to(server.url()));
  EXPECT_EQ(word_of(ended), "broken");
  EXPECT_TRUE(failure_of(ended).was_sent);
  EXPECT_EQ(ended.attempts, 1);
  EXPECT_EQ(requests, 3);
}

TEST(HttpClientKept, sends_no_request_again_whose_answer_has_begun_F18) {
  for (const Second second : {Second::begins_to_answer, Second::reports_progress}) {
    std::atomic<int> requests = 0;
    const Server server(loses_the_second(requests, second));
    HttpClient client(small_limits(), open_guard());
    EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
    EXPECT_EQ(word_of(ask(client, to(server.url()))), "broken");
    EXPECT_EQ(requests, 2);
  }
}

TEST(HttpClientKept, sends_only_once_on_a_fresh_connection_even_if_it_breaks_F18) {
  for (const bool is_reset : {false, true}) {
    std::atomic<int> requests = 0;
    const Server server([&](Peer& peer) {
      if (!peer.request().empty()) ++requests;
      if (is_reset) peer.reset();
    });
    const auto ended = ask_once(to(server.url()));
    EXPECT_EQ(word_of(ended), "broken");
    EXPECT_TRUE(failure_of(ended).was_sent);
    EXPECT_EQ(requests, 1);
    EXPECT_EQ(server.connections(), 1);
  }
}

TEST(HttpClientKept, reports_a_call_as_sent_if_no_other_connection_succeeds) {
  std::atomic<bool> is_there = false;
  auto server = std::make_unique<Server>([&](Peer& peer) {
    if (peer.request().empty()) return;
    peer.answer("x");
    is_there = !peer.request().empty();
    peer.wait_until_closed();
  });
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(server->url()))), "200");
  auto second = begin(client, to(server->url()));
  while (!is_there) std::this_thread::yield();
  // The listener closes first, and then the connection that carries the request.
  server.reset();
  const auto ended = second.get();
  EXPECT_EQ(word_of(ended), "connect");
  EXPECT_TRUE(failure_of(ended).was_sent) << "so it is not repeated as one that never left";
  EXPECT_EQ(ended.attempts, 1);
}

TEST(HttpClientKept, completes_every_call_with_a_peer_that_closes_without_notice_D71) {
  for (const std::int64_t after_us : {0, 500, 2'000, 10'000}) {
    std::atomic<int> answered = 0;
    const Server server([&](Peer& peer) {
      if (peer.request().empty()) return;
      ++answered;
      peer.answer("x");
      std::this_thread::sleep_for(std::chrono::microseconds(after_us));
    });
    HttpClient client(small_limits(), open_guard());
    auto request = to(server.url());
    request.body = std::string(300'000, 'x');  // more than fits into the socket buffer
    int good = 0;
    for (int round = 0; round < 10; ++round) {
      std::vector<std::future<Ended>> ends;
      for (int i = 0; i < 4; ++i) ends.push_back(begin(client, round % 2 == 0 ? request : to(server.url())));
      for (auto& end : ends) good += word_of(end.get()) == "200" ? 1 : 0;
    }
    EXPECT_EQ(good, 40) << after_us;
    EXPECT_EQ(answered, 40) << after_us;
  }
}

TEST(HttpClientKept, opens_a_connection_for_what_must_not_be_sent_twice_D72) {
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  auto request = to(server.url());
  request.needs_fresh_connection = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(word_of(ask(client, request)), "200");
  EXPECT_EQ(server.connections(), 3);
}

TEST(HttpClientKept, keeps_to_the_time_of_the_attempt) {
  std::atomic<int> requests = 0;
  // The second request is held for a while and then dropped; the repeated request gets no answer at all.
  const Server server([&](Peer& peer) {
    if (peer.request().empty()) return;
    if (++requests > 1) return peer.wait_until_closed();
    peer.answer("x");
    if (peer.request().empty()) return;
    ++requests;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  });
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  auto request = to(server.url());
  request.first_byte_ms = request.total_ms = 400;
  const auto begin_at = std::chrono::steady_clock::now();
  EXPECT_EQ(word_of(ask(client, request)), "timeout");
  EXPECT_LT(std::chrono::steady_clock::now() - begin_at, std::chrono::milliseconds(650));
}

}  // namespace
}  // namespace parley::outbound::support
