// Servers that do everything wrong: each call ends soon, with a stated reason, and within its bounds (F16, F17, F19,
// F20).

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/packed.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t body_bound = 64 * 1024;
const std::string chunked_head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Sends `head`, then `piece` repeatedly until the client closes the connection.
Server::Script for_ever(std::string head, std::string piece, milliseconds pause = milliseconds(0)) {
  return [=](Peer& peer) {
    peer.request();
    peer.send(head);
    while (peer.send(piece)) std::this_thread::sleep_for(pause);
  };
}

/// A complete answer with these header lines, each including its line end.
Server::Script with(const std::string& lines, const std::string& body) {
  return bytes_once("HTTP/1.1 200 OK\r\n" + lines + "Content-Length: " + std::to_string(body.size()) +
                    "\r\n\r\n" + body);
}

/// `[]`, compressed the given number of times.
std::string nested(int layers) {
  std::string text = "[]";
  for (int i = 0; i < layers; ++i) text = gzipped(text);
  return text;
}

/// Incompressible text.
std::string noise(std::size_t bytes) {
  std::mt19937 dice(7);
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>(dice());
  return text;
}

/// A gzip stream that never ends and never yields a byte.
Server::Script packs_nothing_for_ever() {
  std::string blocks;
  for (int i = 0; i < 10'000; ++i) blocks += std::string("\x00\x00\x00\xff\xff", 5);
  return for_ever("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" +
                      std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10),
                  blocks);
}

std::string many_headers(int count) {
  std::string text = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < count; ++i) text += "X-" + std::to_string(i) + ": y\r\n";
  return text + "\r\n";
}

/// A head that declares a body of the given length, without sending a body.
Server::Script declares_length_and_waits(const std::string& lines, std::size_t bytes) {
  return [=](Peer& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\n" + lines + "Content-Length: " + std::to_string(bytes) + "\r\n\r\n");
    peer.wait_until_closed();
  };
}

struct Row {
  std::string name;
  Server::Script script;
  std::string expected;  ///< a failure slug, or a status
};

std::vector<Row> rows() {
  return {
      {"hangs after accepting", [](Peer& peer) { peer.wait_until_closed(); }, "timeout"},
      {"hangs after its headers",
       [](Peer& peer) {
         peer.request();
         peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
         peer.wait_until_closed();
       },
       "slow"},
      {"hangs in its status line",
       [](Peer& peer) {
         peer.request();
         peer.send("HTTP/1.1 2");
         peer.wait_until_closed();
       },
       "timeout"},
      {"drips", for_ever("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", "x", milliseconds(10)), "slow"},
      {"drips its headers", for_ever("HTTP/1.1 200 OK\r\n", "a", milliseconds(10)), "slow"},
      {"goes on for longer than the whole call may take",
       for_ever(chunked_head, "64\r\n" + std::string(100, 'x') + "\r\n", milliseconds(10)), "timeout"},
      {"sends a gigabyte",
       for_ever("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", std::string(4096, 'x')),
       "too_large"},
      {"sends chunks for ever", for_ever(chunked_head, "1000\r\n" + std::string(4096, 'x') + "\r\n"),
       "too_large"},
      {"sends without length or end", for_ever("HTTP/1.1 200 OK\r\n\r\n", std::string(4096, 'x')),
       "too_large"},
      {"sends a body of the bound", bytes_once("HTTP/1.1 200 OK\r\n\r\n" + std::string(body_bound, 'x')),
       "200"},
      {"sends a byte more", bytes_once("HTTP/1.1 200 OK\r\n\r\n" + std::string(body_bound + 1, 'x')),
       "too_large"},
      {"packs a bomb", bytes_once(gzip_answer(gzipped(std::string(20'000'000, '\0')))), "too_large"},
      {"packs what fits", bytes_once(gzip_answer(gzipped(std::string(body_bound, 'x')))), "200"},
      {"packs what gets no smaller", bytes_once(gzip_answer(gzipped(noise(body_bound)))), "200"},
      {"packs a byte more", bytes_once(gzip_answer(gzipped(noise(body_bound + 1)))), "too_large"},
      {"tells a byte more", declares_length_and_waits("", body_bound + 1), "too_large"},
      {"tells a byte more, in no coding",
       declares_length_and_waits("Content-Encoding: none\r\n", body_bound + 1), "too_large"},
      {"tells more than what fits can take packed",
       declares_length_and_waits("Content-Encoding: gzip\r\n", body_bound + 2'000), "too_large"},
      {"says gzip and is not", bytes_once(gzip_answer("not packed at all")), "broken"},
      {"packs nothing for ever", packs_nothing_for_ever(), "too_large"},
      {"packs twice", with("Content-Encoding: gzip, gzip\r\n", nested(2)), "broken"},
      {"packs twice in two lines", with("Content-Encoding: gzip\r\ncontent-encoding:X-GZIP\r\n", nested(2)),
       "broken"},
      {"packs twice behind an interim answer",
       bytes_once("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n" +
                  nested(2)),
       "broken"},
      {"packs a bomb behind an interim answer that says gzip, too",
       bytes_once("HTTP/1.1 103 Hints\r\nContent-Encoding: gzip\r\n\r\n" +
                  gzip_answer(gzipped(std::string(20'000'000, '\0')))),
       "too_large"},
      {"packs in a way that nobody asked for", with("Content-Encoding: deflate\r\n", "x"), "broken"},
      {"packs in a way that nobody knows", with("Content-Encoding: magic\r\n", "x"), "broken"},
      {"packs once, and says identity besides", with("Content-Encoding: identity, x-gzip,\r\n", nested(1)),
       "200"},
      {"packs on the way",
       bytes_once("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
       "broken"},
      {"packs on the way and does not say where it ends", with("Transfer-Encoding: gzip\r\n", nested(1)),
       "broken"},
      {"is in chunks, in an unknown coding besides",
       bytes_once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, magic\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
       "broken"},
      {"is in chunks", bytes_once("HTTP/1.1 200 OK\r\ntransfer-encoding:Chunked \r\n\r\n1\r\nx\r\n0\r\n\r\n"),
       "200"},
      {"floods with headers", bytes_once(many_headers(10'000)), "too_large"},
      {"floods with one header", bytes_once("HTTP/1.1 200 OK\r\nX: " + std::string(90'000, 'y') + "\r\n\r\n"),
       "too_large"},
      {"never ends a header", for_ever("HTTP/1.1 200 OK\r\nX: ", std::string(4096, 'y')), "too_large"},
      {"floods with interim answers", for_ever("", "HTTP/1.1 100 Continue\r\n\r\n"), "too_large"},
      {"floods with trailers", for_ever(chunked_head + "1\r\nx\r\n0\r\n", "X: y\r\n"), "too_large"},
      {"answers garbage", bytes_once("\x16\x03\x01 what?\r\n\r\n"), "broken"},
      {"answers HTML without a head", bytes_once("<html>hello</html>"), "broken"},
      {"answers HTTP/9.9", bytes_once("HTTP/9.9 200 OK\r\n\r\nx"), "broken"},
      {"answers a status of words", bytes_once("HTTP/1.1 two OK\r\n\r\nx"), "broken"},
      {"answers nothing", bytes_once(""), "broken"},
      {"ends early", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"), "broken"},
      {"ends in a chunk", bytes_once(chunked_head + "a\r\nfour"), "broken"},
      {"sends a chunk of no size", bytes_once(chunked_head + "zz\r\nfour\r\n"), "broken"},
      {"sends a chunk of any size", bytes_once(chunked_head + "fffffffffffffffff\r\nfour\r\n"), "broken"},
      {"ends in its status line", bytes_once("HTTP/1.1 200 OK"), "broken"},
      {"ends behind its status line", bytes_once("HTTP/1.1 200 OK\r\n"), "broken"},
      {"ends within a header", bytes_once("HTTP/1.1 200 OK\r\nContent-Le"), "broken"},
      {"ends behind a header", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), "broken"},
      {"ends in the line behind its headers", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r"),
       "broken"},
      {"ends within the headers behind an interim answer",
       bytes_once("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Le"), "broken"},
      {"ends behind an interim answer", bytes_once("HTTP/1.1 103 Hints\r\nX: y\r\n\r\n"), "broken"},
      {"answers behind an interim answer",
       bytes_once(
           "HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour"),
       "200"},
      {"says a length of letters", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nfour"), "broken"},
      {"says a length and letters", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 4abc\r\n\r\nfour"),
       "broken"},
      {"says a length with a sign", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\nfour"),
       "broken"},
      {"says no length where one belongs", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nfour"),
       "broken"},
      {"says two lengths",
       bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 4\r\n\r\nfour"), "broken"},
      {"says two lengths, the right one first",
       bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 4\r\ncontent-length: 9\r\n\r\nfour"), "broken"},
      {"says two lengths in a line", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 4, 9\r\n\r\nfour"),
       "broken"},
      {"says its length twice",
       bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nCONTENT-LENGTH:4\t\r\n\r\nfour"), "200"},
      {"says its length twice in a line", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nfour"),
       "200"},
      {"says a length in its trailers",
       bytes_once(chunked_head + "4\r\nfour\r\n0\r\nContent-Length: 9\r\n\r\n"), "200"},
      {"resets",
       [](Peer& peer) {
         peer.request();
         peer.reset();
       },
       "broken"},
      {"resets in its answer",
       [](Peer& peer) {
         peer.request();
         peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour");
         std::this_thread::sleep_for(milliseconds(20));
         peer.reset();
       },
       "broken"},
      {"sends more than its length", bytes_once("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nfour"), "200"},
      {"redirects to the metadata",
       bytes_once("HTTP/1.1 302 There\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
       "302"},
      {"redirects to a file", bytes_once("HTTP/1.1 301 There\r\nLocation: file:///etc/passwd\r\n\r\n"),
       "301"},
      {"asks for a password",
       bytes_once("HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"), "401"},
      {"sends NUL bytes", bytes_once(std::string("HTTP/1.1 200 OK\r\n\r\na\0b", 22)), "200"},
      {"sends a NUL header", bytes_once(std::string("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", 28)), "broken"},
  };
}

TEST(HttpClient, survives_every_hostile_server_F16_F17_F19_F20) {
  HttpClient client(small_limits(), open_guard());
  for (const auto& row : rows()) {
    const Server server(row.script);
    auto request = to(server.url("/?token=secret"));
    request.first_byte_ms = 100;
    request.total_ms = 400;
    request.body_bytes_max = body_bound;
    const auto ended = ask(client, request);
    EXPECT_EQ(word_of(ended), row.expected) << row.name;
    EXPECT_EQ(ended.attempts, 1) << row.name;
    EXPECT_LE(server.connections(), 1) << row.name;
    if (const auto* failure = std::get_if<Failure>(&ended.outcome)) {
      EXPECT_FALSE(failure->detail.empty()) << row.name;
      EXPECT_EQ(failure->detail.find("secret"), std::string::npos) << failure->detail;
      EXPECT_TRUE(failure->was_sent) << row.name;
    }
  }
  EXPECT_EQ(client.in_flight(), 0U);
}

TEST(HttpClient, notices_a_server_that_reads_nothing) {
  const Server server([](Peer& peer) {
    std::this_thread::sleep_for(milliseconds(300));
    peer.reset();
  });
  auto request = to(server.url());
  request.body.assign(8 * 1024 * 1024, 'x');
  request.first_byte_ms = 100;
  EXPECT_EQ(word_of(ask_once(request)), "timeout");
}

TEST(HttpClient, reports_a_lack_of_trusted_encryption) {
  const Server server([](Peer& peer) { peer.send("HTTP/1.1 400 Not encrypted\r\n\r\n"); });
  const auto ended = ask_once(to("https://127.0.0.1:" + std::to_string(server.port())));
  EXPECT_EQ(word_of(ended), "tls");
  EXPECT_FALSE(failure_of(ended).was_sent);
}

// F16: hanging calls do not delay good ones.
TEST(HttpClient, completes_good_calls_immediately_among_hanging_ones_F16) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  const Server good(always("x"));
  HttpClient client(small_limits(), open_guard());
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 100; ++i) ends.push_back(begin(client, to(hanging.url())));
  for (int i = 0; i < 100; ++i) {
    const auto ended = ask(client, to(good.url()));
    ASSERT_EQ(word_of(ended), "200");
    ASSERT_LT(answer_of(ended).duration_ms, 1'000);
  }
  client.stop();
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "canceled");
}

TEST(HttpClient, refuses_what_cannot_be_sent_F34) {
  struct Refused {
    std::string name, value;
  };
  const std::vector<Refused> all = {{"X", "a\r\nHost: b"},
                                    {"X", "a\nb"},
                                    {"X", std::string("a\0b", 3)},
                                    {"X\r\nY", "a"},
                                    {"X: Y", "a"},
                                    {"", "a"},
                                    {"Host", "b"},
                                    {"content-length", "1"},
                                    {"Transfer-Encoding", "chunked"},
                                    {"X", "a\x7f"},
                                    {"X", std::string(9'000, 'a')}};
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  for (const auto& [name, value] : all) {
    auto request = to(server.url());
    request.fields = {{name, value}};
    const auto ended = ask(client, request);
    EXPECT_EQ(word_of(ended), "bad_url") << name << ": " << value;
    EXPECT_EQ(ended.attempts, 0);
  }
  EXPECT_EQ(server.connections(), 0);
}

/// Each large answer alone is within its bound; together they would exhaust the memory.
TEST(HttpClientHostile, large_answers_share_a_budget_and_usual_ones_need_none_F19) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n";
  std::atomic<bool> may_end = false;
  std::atomic<int> begun = 0;
  const Server large([&](Peer& peer) {
    while (!peer.request().empty()) {
      peer.send(head + std::string(40'000, 'x'));
      ++begun;
      while (!may_end) std::this_thread::yield();
      peer.send(std::string(20'000, 'x'));
    }
  });
  const Server usual([](Peer& peer) {
    while (!peer.request().empty()) peer.answer(std::string(9'000, 'y'));
  });
  CallLimits limits = small_limits();
  limits.slow_window_ms = 10'000;
  limits.usual_body_bytes = 10'000;
  limits.large_bodies_bytes_max = 50'000;
  HttpClient client(limits, open_guard());
  auto first = begin(client, to(large.url()));
  while (begun < 1) std::this_thread::yield();
  for (int i = 0; i < 20 && client.figures().on_wire > 0; ++i)
    EXPECT_EQ(word_of(ask(client, to(usual.url()))), "200");
  const auto second = ask(client, to(large.url()));
  EXPECT_EQ(word_of(second), "overloaded");
  EXPECT_EQ(word_of(ask(client, to(usual.url()))), "200");
  may_end = true;
  EXPECT_EQ(word_of(first.get()), "200");
  EXPECT_EQ(word_of(ask(client, to(large.url()))), "200") << "what was taken is given back";
}

}  // namespace
}  // namespace parley::outbound::support
