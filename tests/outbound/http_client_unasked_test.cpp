// Unrequested bytes on a kept connection: they are not the answer to the next request, and do not make that request
// fail (ADR 12, RFC 9112 9.2, D47a).

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "outbound/client/http_client.hpp"
#include "outbound/client/sockets.hpp"
#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

using std::chrono::milliseconds;

const std::string stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray";
const std::string gives_up = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Counts the requests that were read, and the times that unrequested bytes were sent.
struct Seen {
  std::atomic<int> requests = 0, unasked = 0;
};

/// Answers each request with its number, and some time later sends unrequested bytes.
Server::Script adds(Seen& seen, std::string bytes, milliseconds later) {
  return [&seen, bytes = std::move(bytes), later](Peer& peer) {
    while (!peer.request().empty()) {
      peer.answer(std::to_string(++seen.requests));
      std::this_thread::sleep_for(later);
      peer.send(bytes);
      ++seen.unasked;
    }
  };
}

/// Answers the first request of the server, sends these bytes before the answer to the second, and answers all later
/// requests.
Server::Script precedes_the_second(Seen& seen, std::string bytes) {
  return [&seen, bytes = std::move(bytes)](Peer& peer) {
    while (!peer.request().empty()) {
      const int number = ++seen.requests;
      if (number == 2) peer.send(bytes);
      peer.answer(std::to_string(number));
    }
  };
}

void wait_until(const std::atomic<int>& count, int least) {
  while (count < least) std::this_thread::yield();
  std::this_thread::sleep_for(milliseconds(5));
}

TEST(HttpClientStrayBytes, is_not_taken_as_the_answer_to_the_next_request) {
  const std::vector<std::string> all = {
      stray, gives_up, "\r\n", "garbage\r\n\r\n", "x", "HTTP/1.1 103 Early Hints\r\n\r\n"};
  for (const auto& bytes : all) {
    for (const RetryRules& rules : {RetryRules{}, RetryRules{4, true, {}}}) {
      Seen seen;
      const Server server(adds(seen, bytes, milliseconds(20)));
      HttpClient client(small_limits(), open_guard());
      for (int turn = 1; turn <= 3; ++turn) {
        const auto ended = ask(client, to(server.url()), rules);
        ASSERT_EQ(word_of(ended), "200") << bytes;
        EXPECT_EQ(answer_of(ended).body, std::to_string(turn)) << bytes;
        EXPECT_EQ(ended.attempts, 1) << bytes;
        wait_until(seen.unasked, turn);
      }
      EXPECT_EQ(seen.requests, 3) << "none was sent twice";
      EXPECT_EQ(server.connections(), 3) << bytes;
    }
  }
}

// The loop has no time to see the bytes before the next request uses the connection.
TEST(HttpClientStrayBytes, is_not_taken_as_an_answer_even_just_before_the_next_request) {
  Seen seen;
  const Server server(adds(seen, stray, milliseconds(0)));
  HttpClient client(small_limits(), open_guard());
  std::promise<Ended> end;
  const auto then = [&](HttpOutcome outcome, int attempts) { end.set_value({std::move(outcome), attempts}); };
  client.start(to(server.url()), {}, [&](HttpOutcome, int) {
    wait_until(seen.unasked, 1);
    client.start(to(server.url()), {}, then);
  });
  const auto ended = end.get_future().get();
  ASSERT_EQ(word_of(ended), "200");
  EXPECT_EQ(answer_of(ended).body, "2");
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClientStrayBytes, ends_a_connection_before_the_request_leaves_on_it) {
  Seen seen;
  auto server = std::make_unique<Server>(adds(seen, stray, milliseconds(20)));
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(server->url()))), "200");
  wait_until(seen.unasked, 1);
  const auto url = server->url();
  server.reset();
  const auto ended = ask(client, to(url));
  EXPECT_EQ(word_of(ended), "connect");
  EXPECT_FALSE(failure_of(ended).was_sent);
  EXPECT_EQ(seen.requests, 1);
}

TEST(HttpClientStrayBytes,
     asks_again_if_the_peer_closed_the_connection_as_the_request_arrived_RFC9110_15_5_9) {
  for (const auto& bytes : {gives_up, std::string("\r\n"), std::string("garbage\r\n\r\n")}) {
    Seen seen;
    const Server server(precedes_the_second(seen, bytes));
    HttpClient client(small_limits(), open_guard());
    EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
    const auto ended = ask(client, to(server.url()));
    ASSERT_EQ(word_of(ended), "200") << bytes;
    EXPECT_EQ(answer_of(ended).body, "3") << bytes;
    EXPECT_EQ(ended.attempts, 1);
    EXPECT_EQ(server.connections(), 2);
  }
}

TEST(HttpClientStrayBytes, treats_a_408_as_an_answer_if_the_connection_was_new_or_stays_open_F18) {
  std::atomic<int> requests = 0;
  const auto refuses = [&](std::string answer, int good) {
    return [&requests, good, answer = std::move(answer)](Peer& peer) {
      while (!peer.request().empty()) {
        if (++requests <= good)
          peer.answer("x");
        else
          peer.send(answer);
      }
    };
  };
  const Server fresh(refuses(gives_up, 0));
  EXPECT_EQ(word_of(ask_once(to(fresh.url()))), "408");
  EXPECT_EQ(requests.exchange(0), 1);
  const Server stays(refuses("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", 1));
  HttpClient client(small_limits(), open_guard());
  EXPECT_EQ(word_of(ask(client, to(stays.url()))), "200");
  EXPECT_EQ(word_of(ask(client, to(stays.url()))), "408");
  EXPECT_EQ(requests, 2);
}

TEST(HttpClientStrayBytes, costs_a_good_peer_no_connection) {
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client.figures().connections, 1U);
}

// If a call is canceled while it connects, libcurl closes the socket without the callback, and reports only afterwards
// that it no longer watches it.
TEST(Sockets, leaves_a_descriptor_alone_that_was_closed_and_belongs_to_another_thread) {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  Sockets sockets(epoll);
  curl_sockaddr address{};
  address.family = AF_INET;
  address.socktype = SOCK_STREAM;
  const int fd = sockets.open(address);
  sockets.watch(fd, EPOLLOUT, 1);
  ::close(fd);

  std::array<int, 2> others{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, others.data()), 0);
  ASSERT_EQ(::dup2(others[0], fd), fd);
  ASSERT_EQ(::send(others[1], "x", 1, 0), 1);
  sockets.rest(fd);
  EXPECT_FALSE(sockets.end_idle(fd));
  EXPECT_EQ(::send(others[1], "y", 1, MSG_NOSIGNAL), 1) << "the connection of the other thread was shut down";
  if (others[0] != fd) ::close(others[0]);
  for (const int each : {fd, others[1], epoll}) ::close(each);
}

}  // namespace
}  // namespace parley::outbound::support
