// Field lines and their effect on the connection: every row in one piece, cut at every position, and byte by byte (D14,
// F29).

#include <gtest/gtest.h>

#include "tests/http/support/framing.hpp"

namespace parley::http {
namespace {

using support::expect_framing;
using support::FramingRow;
using support::post_with;
using support::with_fields;

const std::string bad_field = "400 invalid-field";
const std::string fields_too_large = "431 fields-too-large";
const std::string one_get = "GET /; more";

/// `count` fields of one byte each, in addition to Host.
std::string many_fields(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += "a:b\r\n";
  return lines;
}

/// Field lines that make the whole header block, with Host and the empty line, exactly `bytes` long.
std::string block_of(std::size_t bytes) {
  const std::string host = "Host: h\r\n";
  const std::string first = "a: " + std::string(8000, 'x') + "\r\n" + "b: " + std::string(8000, 'y') + "\r\n";
  const std::size_t left = bytes - host.size() - first.size() - 2;
  return first + "c: " + std::string(left - 5, 'z') + "\r\n";
}

std::vector<FramingRow> syntax() {
  return {
      {"an empty value", with_fields("a:\r\n"), one_get},
      {"white space round a value", with_fields("a: \t b c \t\r\n"), one_get},
      {"every token character", with_fields("!#$%&'*+-.^_`|~09azAZ: x\r\n"), one_get},
      {"bytes above ASCII in a value", with_fields("a: \xff\xc3\xa9\r\n"), one_get},
      {"a tab inside a value", with_fields("a: b\tc\r\n"), one_get},
      {"a space before the colon", with_fields("a : b\r\n"), bad_field},
      {"a tab before the colon", with_fields("a\t: b\r\n"), bad_field},
      {"no colon", with_fields("abc\r\n"), bad_field},
      {"an empty name", with_fields(": b\r\n"), bad_field},
      {"a name with a space", with_fields("a b: c\r\n"), bad_field},
      {"a name with a slash", with_fields("a/b: c\r\n"), bad_field},
      {"a name above ASCII", with_fields("\xc3\xa9: c\r\n"), bad_field},
      {"a name with a NUL", with_fields(std::string("a\0b: c\r\n", 8)), bad_field},
      {"a NUL in a value", with_fields(std::string("a: b\0c\r\n", 8)), bad_field},
      {"a control character in a value", with_fields("a: b\x01\r\n"), bad_field},
      {"DEL in a value", with_fields("a: b\x7f\r\n"), bad_field},
      {"an escape character in a value", with_fields("a: \x1b[1m\r\n"), bad_field},
      {"a bare carriage return in a value", with_fields("a: b\rc\r\n"), bad_field},
      {"a carriage return before the CRLF", with_fields("a: b\r\r\n"), bad_field},
      {"a bare line feed at the end", with_fields("a: b\n"), bad_field},
      {"a bare line feed as empty line", "GET / HTTP/1.1\r\nHost: h\r\n\n", bad_field},
      {"a folded value", with_fields("a: b\r\n c\r\n"), bad_field},
      {"a value folded with a tab", with_fields("a: b\r\n\tc\r\n"), bad_field},
      {"a space before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", bad_field},
      {"white space alone", with_fields(" \r\n"), bad_field},
      {"the first fault counts", with_fields("abc\r\n: b\r\n"), bad_field},
      {"a fault before the head ends", "GET / HTTP/1.1\r\nabc\r\n", bad_field},
  };
}

std::vector<FramingRow> sizes() {
  return {
      {"64 fields", with_fields(many_fields(63)), one_get},
      {"65 fields", with_fields(many_fields(64)), fields_too_large},
      {"a line of 8192 bytes", with_fields("a: " + std::string(8189, 'x') + "\r\n"), one_get},
      {"a line of 8193 bytes", with_fields("a: " + std::string(8190, 'x') + "\r\n"), fields_too_large},
      {"a line without end", "GET / HTTP/1.1\r\na: " + std::string(9000, 'x'), fields_too_large},
      {"a block of 16384 bytes", with_fields(block_of(16384)), one_get},
      {"a block of 16385 bytes", with_fields(block_of(16385)), fields_too_large},
      {"a block without end", "GET / HTTP/1.1\r\n" + block_of(16396), fields_too_large},
  };
}

std::vector<FramingRow> meaning() {
  const std::string expectation = "417 expectation-failed";
  return {
      {"Connection: close", with_fields("Connection: close\r\n"), "GET / close; more"},
      {"close in a list, in any case", with_fields("Connection: x, CLOSE\r\n"), "GET / close; more"},
      {"close in a second field", with_fields("Connection: x\r\nconnection: close\r\n"), "GET / close; more"},
      {"keep-alive", with_fields("Connection: keep-alive\r\n"), one_get},
      {"a token that begins like close", with_fields("Connection: closed\r\n"), one_get},
      {"Upgrade is ignored", with_fields("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"), one_get},
      {"one Authorization", with_fields("Authorization: Bearer x\r\n"), one_get},
      {"two Authorizations (D14)", with_fields("Authorization: Bearer x\r\nauthorization: Bearer x\r\n"),
       "400 repeated-authorization"},
      {"Expect: 100-continue", post_with("Expect: 100-Continue\r\nContent-Length: 1\r\n", "a"),
       "POST /p <a>; more"},
      {"another Expect", post_with("Expect: 200-ok\r\nContent-Length: 1\r\n", "a"), expectation},
      {"Expect with a list", post_with("Expect: 100-continue, x\r\nContent-Length: 1\r\n", "a"), expectation},
      {"an empty Expect", post_with("Expect:\r\nContent-Length: 1\r\n", "a"), expectation},
      {"a second Expect", post_with("Expect: 100-continue\r\nExpect: x\r\nContent-Length: 1\r\n", "a"),
       expectation},
  };
}

TEST(Framer, judges_the_syntax_of_fields_however_they_are_cut) {
  for (const auto& row : syntax()) expect_framing(row);
}

TEST(Framer, bounds_the_fields_however_they_are_cut) {
  for (const auto& row : sizes()) expect_framing(row);
}

TEST(Framer, reads_what_fields_mean_however_they_are_cut) {
  for (const auto& row : meaning()) expect_framing(row);
}

TEST(Framer, returns_fields_in_order_without_the_space_around_values) {
  Framer framer(support::body_limit);
  ASSERT_EQ(framer.feed(with_fields("X-A:  1 \r\nx-b:\t\r\nX-a: 2, 3\r\n")), Framer::State::request);
  const auto& request = framer.request();
  ASSERT_EQ(request.fields.size(), 4U);
  EXPECT_EQ(request.fields[1].name, "X-A");
  EXPECT_EQ(request.fields[1].value, "1");
  EXPECT_EQ(request.fields[2].value, "");
  EXPECT_EQ(request.find("x-A")->value, "1");
  EXPECT_EQ(request.find("missing"), nullptr);
  EXPECT_EQ(request.count("x-a"), 2U);
  EXPECT_TRUE(request.lists("x-a", "3"));
  EXPECT_FALSE(request.lists("x-a", "4"));
}

TEST(Framer, offers_100_once_and_only_to_a_waiting_client) {
  Framer framer(support::body_limit);
  framer.feed(post_with("Expect: 100-continue\r\nContent-Length: 2\r\n", ""));
  EXPECT_TRUE(framer.take_continue());
  EXPECT_FALSE(framer.take_continue());

  Framer eager(support::body_limit);
  eager.feed(post_with("Expect: 100-continue\r\nContent-Length: 2\r\n", "a"));
  EXPECT_FALSE(eager.take_continue()) << "the body is already coming";

  Framer old(support::body_limit);
  old.feed("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_FALSE(old.take_continue()) << "RFC 9110 section 10.1.1";

  Framer refused(support::body_limit);
  EXPECT_EQ(refused.feed(post_with("Expect: 100-continue\r\nContent-Length: 65\r\n", "")),
            Framer::State::fault);
  EXPECT_FALSE(refused.take_continue()) << "F28: refused before the body is sent";
}

}  // namespace
}  // namespace parley::http
