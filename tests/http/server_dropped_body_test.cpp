// Unneeded bodies: discarded as they arrive, or cut off if they are too large (I69, F29).

#include <gtest/gtest.h>

#include "tests/http/support/framing.hpp"

namespace parley::http {
namespace {

constexpr std::size_t dropped_limit = 1024 * 1024;
const std::string next_request = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

/// The requests read from the bytes, in pieces of the given size, when the handler decides this `use` for every late
/// body.
std::string what_comes_of(std::string_view bytes, std::size_t piece_bytes, BodyUse use) {
  Framer framer(dropped_limit);
  std::string text;
  while (!bytes.empty() && framer.state() != Framer::State::fault) {
    framer.feed(bytes.substr(0, piece_bytes));
    bytes.remove_prefix(std::min(bytes.size(), piece_bytes));
    for (;;) {
      if (framer.awaits_body_use()) framer.use_body(use);
      if (framer.state() != Framer::State::request) break;
      text += support::text_of(framer) + (framer.request().is_refused ? " refused; " : "; ");
      framer.next();
    }
  }
  if (framer.state() == Framer::State::need_more) return text + "more";
  return text + std::string(framer.fault().slug());
}

std::string body_of(std::size_t bytes) {
  return support::post_with("Content-Length: " + std::to_string(bytes) + "\r\n", std::string(bytes, 'x'));
}

std::string body_in_chunks(std::size_t chunks) {
  std::string body;
  for (std::size_t i = 0; i < chunks; ++i) body += "400\r\n" + std::string(1024, 'x') + "\r\n";
  return support::post_with("Transfer-Encoding: chunked\r\n", body + "0\r\n\r\n");
}

TEST(Framer, finds_the_request_after_a_dropped_body) {
  for (const std::string& request : {body_of(200), body_in_chunks(2)}) {
    for (const std::size_t piece : {1U, 7U, 100U, 130U}) {
      EXPECT_EQ(what_comes_of(request + next_request, piece, BodyUse::drop), "POST /p; GET /next; more")
          << piece;
      EXPECT_EQ(what_comes_of(request + next_request, piece, BodyUse::refuse),
                "POST /p refused; GET /next; more")
          << piece;
    }
  }
  EXPECT_EQ(what_comes_of(body_of(200'000) + next_request, 1'000, BodyUse::drop), "POST /p; GET /next; more");
  EXPECT_EQ(what_comes_of(body_in_chunks(200) + next_request, 1'000, BodyUse::drop),
            "POST /p; GET /next; more");
}

TEST(Framer, cuts_a_refused_body_off_that_is_too_long_to_drop) {
  EXPECT_EQ(what_comes_of(body_of(65'537) + next_request, 1'000, BodyUse::refuse),
            "POST /p close refused; more");
  EXPECT_EQ(what_comes_of(body_in_chunks(70) + next_request, 1'000, BodyUse::refuse),
            "POST /p close refused; more");
}

TEST(Framer, asks_no_refused_client_for_its_body) {
  for (const BodyUse use : {BodyUse::keep, BodyUse::refuse}) {
    Framer framer(dropped_limit);
    framer.feed(support::post_with("Content-Length: 5\r\nExpect: 100-continue\r\n", ""));
    ASSERT_TRUE(framer.awaits_body_use());
    framer.use_body(use);
    EXPECT_FALSE(framer.awaits_body_use()) << "it is decided once";
    EXPECT_EQ(framer.take_continue(), use == BodyUse::keep);
    EXPECT_EQ(framer.state() == Framer::State::request, use == BodyUse::refuse);
  }
}

TEST(Framer, still_judges_a_body_that_it_drops) {
  const auto faulty = [](const std::string& chunks) {
    return support::post_with("Transfer-Encoding: chunked\r\n",
                              "400\r\n" + std::string(1024, 'x') + "\r\n" + chunks);
  };
  EXPECT_EQ(what_comes_of(faulty("zz\r\n"), 100, BodyUse::drop), "invalid-chunk");
  EXPECT_EQ(
      what_comes_of(faulty("fffff\r\n" + std::string(1024 * 1024 - 1, 'x') + "\r\n"), 100, BodyUse::drop),
      "body-too-large");
}

TEST(Framer, knows_the_request_id_at_any_point_of_the_body) {
  Framer framer(dropped_limit);
  framer.feed(support::post_with(
      "X-Request-Id: mine\r\nOrigin: https://page.example\r\nContent-Length: 200000\r\n", "x"));
  for (int i = 0; i < 10; ++i) {
    FramingFault fault;
    framer.describe(fault);
    EXPECT_EQ(fault.request_id, "mine");
    EXPECT_EQ(fault.origin, "https://page.example");
    framer.feed(std::string(10'000, 'x'));
  }
}

TEST(Framer, reports_the_memory_that_a_body_takes) {
  Framer framer(dropped_limit);
  framer.feed(support::post_with("Content-Length: 5000\r\n", "some"));
  EXPECT_EQ(framer.body_bytes_kept(), 4U) << "the received size, not the announced one";
  framer.use_body(BodyUse::drop);
  EXPECT_EQ(framer.body_bytes_kept(), 0U);
  EXPECT_EQ(framer.body_bytes_received(), 4U);
  Framer chunked(dropped_limit);
  chunked.feed(support::post_with("Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n"));
  EXPECT_EQ(chunked.body_bytes_kept(), 5U) << "the received size";
  chunked.end();
  EXPECT_EQ(chunked.body_bytes_kept(), 0U);
  EXPECT_EQ(chunked.feed(next_request), Framer::State::need_more);
}

}  // namespace
}  // namespace parley::http
