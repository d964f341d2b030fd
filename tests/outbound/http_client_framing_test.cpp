// Where an answer ends and how it is encoded, as proxies and servers declare it (RFC 9110 8.4, RFC 9112 6, F19).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/packed.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

TEST(HttpClient, unpacks_what_was_packed) {
  const Server server(bytes_once(gzip_answer(gzipped("{\"message\": \"hi\"}"))));
  EXPECT_EQ(answer_of(ask_once(to(server.url()))).body, "{\"message\": \"hi\"}");
}

std::string as_chunks(const std::string& body) {
  std::string out;
  for (const char c : body) out += std::string("1\r\n") + c + "\r\n";
  return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + out +
         "0\r\n\r\n";
}

// In whatever pieces the bytes arrive, and wherever they end: libcurl treats a truncated stream as a complete one.
TEST(HttpClient, takes_gzip_only_as_whole_streams_with_their_checksums) {
  const std::string text = "{\"message\": \"" + std::string(50'000, 'x') + "\"}";
  const std::string packed = gzipped(text);
  std::string wrong = packed;
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
  struct Body {
    std::string name, packed, expected;
  };
  std::vector<Body> bodies{
      {"whole", packed, text},
      {"two streams", packed + gzipped("!"), text + "!"},
      {"nothing", "", ""},
      {"another checksum", wrong, "broken"},
      {"something behind", packed + "rubbish", "broken"},
      {"a stream begun behind", packed + packed.substr(0, 5), "broken"},
      {"a stream of zlib", std::string("\x78\x9c\x03\x00\x00\x00\x00\x01", 8), "broken"}};
  for (const std::size_t less :
       {std::size_t{1}, std::size_t{4}, std::size_t{8}, std::size_t{9}, packed.size() - 1})
    bodies.push_back({"lacks " + std::to_string(less), packed.substr(0, packed.size() - less), "broken"});
  for (const Body& body : bodies) {
    for (const std::string& answer : {gzip_answer(body.packed), as_chunks(body.packed),
                                      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + body.packed}) {
      const Server server(bytes_once(answer));
      const auto ended = ask_once(to(server.url()));
      if (body.expected == "broken") {
        EXPECT_EQ(word_of(ended), "broken") << body.name;
      } else {
        ASSERT_EQ(word_of(ended), "200") << body.name;
        EXPECT_EQ(answer_of(ended).body, body.expected) << body.name;
      }
    }
  }
}

// By itself, libcurl would wait for the end of the connection.
TEST(HttpClient, reads_by_the_length_if_the_transfer_coding_is_identity) {
  for (const std::string line : {"Transfer-Encoding: identity\r\n", "Transfer-Encoding:\r\n"}) {
    for (const std::string body : {"", "x", "[\"x\"]"}) {
      const Server server([&](Peer& peer) {
        while (!peer.request().empty())
          peer.send("HTTP/1.1 200 OK\r\n" + line + "Content-Length: " + std::to_string(body.size()) +
                    "\r\n\r\n" + body);
      });
      HttpClient client(small_limits(), open_guard());
      for (int i = 0; i < 2; ++i) {
        const auto ended = ask(client, to(server.url()));
        ASSERT_EQ(word_of(ended), "200") << line << body;
        EXPECT_EQ(answer_of(ended).body, body) << line;
        EXPECT_EQ(ended.attempts, 1);
      }
    }
  }
}

TEST(HttpClient, counts_what_comes_by_the_length_that_libcurl_ignores) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n";
  const std::string packed = gzipped("hi");
  struct Sent {
    std::string answer, expected;
  };
  for (const Sent& sent : std::vector<Sent>{
           {head + "Content-Length: 2\r\n\r\nx", "broken"},
           {head + "Content-Length: 1\r\n\r\nxy", "x"},
           {head + "Content-Encoding: gzip\r\nContent-Length: " + std::to_string(packed.size()) + "\r\n\r\n" +
                packed + "behind it",
            "hi"},
           {"HTTP/1.1 103 Hints\r\nContent-Length: 0\r\n\r\n" + head + "Content-Length: 1\r\n\r\nx", "x"}}) {
    const Server server(bytes_once(sent.answer));
    const auto ended = ask_once(to(server.url()));
    EXPECT_EQ(word_of(ended), sent.expected == "broken" ? "broken" : "200") << sent.answer;
    if (sent.expected != "broken") {
      EXPECT_EQ(answer_of(ended).body, sent.expected) << sent.answer;
    }
  }
}

TEST(HttpClient, unpacks_by_the_coding_of_the_answer_and_not_of_an_interim_answer_RFC9110_15_2) {
  const std::string interim = "HTTP/1.1 103 Hints\r\nContent-Encoding: gzip\r\n\r\n";
  const std::string once = gzipped("hi");
  for (const auto& [answer, body] : std::vector<std::pair<std::string, std::string>>{
           {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi"},
           {gzip_answer(once), "hi"},
           {gzip_answer(gzipped(once)), once}}) {
    const Server server(bytes_once(interim + answer));
    const auto ended = ask_once(to(server.url()));
    ASSERT_EQ(word_of(ended), "200") << answer;
    EXPECT_EQ(answer_of(ended).body, body) << answer;
  }
}

/// The variants of framing that proxies produce, and the values that servers send to mean no coding at all.
TEST(HttpClient, accepts_an_answer_in_any_spelling_of_its_framing_RFC9110_5_6_1_2) {
  const auto answer = [](const std::string& lines, const std::string& body) {
    return bytes_once("HTTP/1.1 200 OK\r\n" + lines + "\r\n" + body);
  };
  const std::string in_chunks = "1\r\nx\r\n0\r\n\r\n";
  for (const auto& [lines, body] : std::vector<std::pair<std::string, std::string>>{
           {"Transfer-Encoding: chunked,\r\n", in_chunks},
           {"Transfer-Encoding: , Chunked\r\n", in_chunks},
           {"Transfer-Encoding: chunked\r\ntransfer-encoding: CHUNKED\r\n", in_chunks},
           {"Transfer-Encoding: chunked, chunked\r\n", in_chunks},
           {"Transfer-Encoding: identity, chunked\r\n", in_chunks},
           {"Transfer-Encoding: identity\r\n", "x"},
           {"Transfer-Encoding: identity\r\nContent-Length: 1\r\n", "x"},
           {"Transfer-Encoding:\r\n", "x"},
           {"Content-Encoding: none\r\nContent-Length: 1\r\n", "x"},
           {"Content-Encoding: Identity, None,\r\nContent-Length: 1\r\n", "x"},
       }) {
    const Server server(answer(lines, body));
    const auto ended = ask_once(to(server.url()));
    ASSERT_EQ(word_of(ended), "200") << lines;
    EXPECT_EQ(answer_of(ended).body, "x") << lines;
  }
}

// No sender may do this (RFC 9112 6.1). The outer layer alone decides where the answer ends, so the next answer is read
// correctly.
TEST(HttpClient, unpacks_chunks_once_if_a_server_packed_them_twice) {
  const std::string inner = "1\r\nx\r\n0\r\n\r\n";
  const Server server([&](Peer& peer) {
    while (!peer.request().empty())
      peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n" +
                inner + "\r\n0\r\n\r\n");
  });
  HttpClient client(small_limits(), open_guard());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(answer_of(ask(client, to(server.url()))).body, inner);
  EXPECT_EQ(server.connections(), 1);
}

}  // namespace
}  // namespace parley::outbound::support
