// Bodies with a length and chunked bodies: every row in one piece, cut at every position, and byte by byte (D14, F28,
// F29, F30).

#include <gtest/gtest.h>

#include "tests/http/support/framing.hpp"

namespace parley::http {
namespace {

using support::body_limit;
using support::expect_framing;
using support::FramingRow;
using support::post_with;

const std::string bad_length = "400 invalid-content-length";
const std::string bad_coding = "400 invalid-transfer-encoding";
const std::string bad_chunk = "400 invalid-chunk";
const std::string unknown_coding = "501 unknown-transfer-encoding";
const std::string too_large = "413 body-too-large";
const std::string get_next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

std::string chunked(const std::string& body) {
  return post_with("Transfer-Encoding: chunked\r\n", body);
}

std::vector<FramingRow> by_length() {
  const auto with = [](const std::string& value, const std::string& body) {
    return post_with("Content-Length: " + value + "\r\n", body);
  };
  return {
      {"zero", with("0", ""), "POST /p; more"},
      {"some", with("3", "abc"), "POST /p <abc>; more"},
      {"with leading zeros", with("0003", "abc"), "POST /p <abc>; more"},
      {"not all yet", with("4", "abc"), "more"},
      {"another request behind", with("3", "abc" + get_next), "POST /p <abc>; GET /next; more"},
      {"a body that looks like a request", with("32", get_next + "+"), "POST /p <" + get_next + "+>; more"},
      {"GET with a body", "GET /g HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", "GET /g <x>; more"},
      {"on HTTP/1.0", "POST /p HTTP/1.0\r\nContent-Length: 1\r\n\r\nx", "POST /p 1.0 <x> close; more"},
      {"an empty line behind a body", with("1", "x\r\n" + get_next), "POST /p <x>; GET /next; more"},
      {"binary", with("4", std::string("\0\r\n\xff", 4)),
       "POST /p <" + std::string("\0\r\n\xff", 4) + ">; more"},
      {"exactly the limit", with("64", std::string(64, 'x')), "POST /p <" + std::string(64, 'x') + ">; more"},
      {"over the limit, before any byte", with("65", ""), too_large},
      {"over the limit, nothing behind is run", with("65", std::string(65, 'x') + get_next), too_large},
      {"over 64 bits", with("18446744073709551616", ""), too_large},
      {"64 bits", with("18446744073709551615", ""), too_large},
      {"very long", with(std::string(500, '9'), ""), too_large},
      {"negative", with("-1", ""), bad_length},
      {"a plus sign", with("+3", "abc"), bad_length},
      {"hexadecimal", with("0x3", "abc"), bad_length},
      {"letters", with("abc", ""), bad_length},
      {"a fraction", with("3.0", "abc"), bad_length},
      {"a space inside", with("1 3", ""), bad_length},
      {"empty", with("", ""), bad_length},
      {"a list", with("3, 3", "abc"), bad_length},
      {"twice the same", post_with("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), bad_length},
      {"twice differently", post_with("Content-Length: 3\r\ncontent-length: 4\r\n", "abcd"), bad_length},
      {"beside chunked", post_with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
       bad_length},
      {"beside an unknown coding", post_with("Transfer-Encoding: x\r\nContent-Length: 3\r\n", ""),
       bad_length},
  };
}

std::vector<FramingRow> codings() {
  const auto with = [](const std::string& value) {
    return post_with("Transfer-Encoding: " + value + "\r\n", "");
  };
  return {
      {"in any case", post_with("transfer-ENCODING: Chunked\r\n", "0\r\n\r\n"), "POST /p; more"},
      {"gzip", with("gzip"), unknown_coding},
      {"identity", with("identity"), unknown_coding},
      {"gzip, then chunked", with("gzip, chunked"), unknown_coding},
      {"a name that ends like chunked", with("xchunked"), unknown_coding},
      {"chunked, then gzip", with("chunked, gzip"), bad_coding},
      {"chunked twice", with("chunked, chunked"), bad_coding},
      {"chunked in two fields", post_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", ""),
       bad_coding},
      {"two fields", post_with("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", ""), bad_coding},
      {"empty", with(""), bad_coding},
      {"an empty element", with("chunked,"), bad_coding},
      {"a parameter", with("chunked;x=1"), bad_coding},
      {"quoted", with("\"chunked\""), bad_coding},
      {"on HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", bad_coding},
      {"a vertical tab before chunked",
       with("\x0b"
            "chunked"),
       "400 invalid-field"},
      {"a space before the colon", post_with("Transfer-Encoding : chunked\r\n", ""), "400 invalid-field"},
  };
}

std::vector<FramingRow> chunks() {
  const std::string last = "0\r\n\r\n";
  return {
      {"none", chunked(last), "POST /p; more"},
      {"two", chunked("3\r\nabc\r\n2\r\nde\r\n" + last), "POST /p <abcde>; more"},
      {"hexadecimal in both cases", chunked("a\r\n0123456789\r\nB\r\n0123456789a\r\n" + last),
       "POST /p <01234567890123456789a>; more"},
      {"leading zeros", chunked("0003\r\nabc\r\n0000\r\n\r\n"), "POST /p <abc>; more"},
      {"line ends as data", chunked("4\r\n\r\n\r\n\r\n" + last), "POST /p <\r\n\r\n>; more"},
      {"a request behind", chunked("1\r\na\r\n" + last + get_next), "POST /p <a>; GET /next; more"},
      {"not all yet", chunked("3\r\nab"), "more"},
      {"no end yet", chunked("3\r\nabc\r\n0\r\n"), "more"},
      {"extensions", chunked("1;x\r\na\r\n1;x=y;z=\"q q\"\r\nb\r\n0;end\r\n\r\n"), "POST /p <ab>; more"},
      {"16 digits", chunked("0000000000000001\r\na\r\n" + last), "POST /p <a>; more"},
      {"17 digits", chunked("00000000000000001\r\na\r\n" + last), bad_chunk},
      {"the greatest size", chunked("ffffffffffffffff\r\n"), too_large},
      {"exactly the limit", chunked("40\r\n" + std::string(64, 'x') + "\r\n" + last),
       "POST /p <" + std::string(64, 'x') + ">; more"},
      {"over the limit, before the data", chunked("41\r\n"), too_large},
      {"over the limit together", chunked("3f\r\n" + std::string(63, 'x') + "\r\n2\r\n" + get_next),
       too_large},
      {"no size", chunked("\r\n\r\n"), bad_chunk},
      {"no digits before an extension", chunked(";x\r\n\r\n"), bad_chunk},
      {"a negative size", chunked("-1\r\na\r\n"), bad_chunk},
      {"a plus sign", chunked("+1\r\na\r\n"), bad_chunk},
      {"a prefix", chunked("0x1\r\na\r\n"), bad_chunk},
      {"letters", chunked("g\r\na\r\n"), bad_chunk},
      {"a space before the size", chunked(" 1\r\na\r\n"), bad_chunk},
      {"a space after the size", chunked("1 \r\na\r\n"), bad_chunk},
      {"a bare line feed after the size", chunked("1\na\r\n" + last), bad_chunk},
      {"a bare carriage return in the size line", chunked("1\r\r\na\r\n" + last), bad_chunk},
      {"a bare line feed in an extension", chunked("1;a\nb\r\na\r\n" + last), bad_chunk},
      {"a bare carriage return in an extension", chunked("1;a\rb\r\na\r\n" + last), bad_chunk},
      {"a NUL in an extension", chunked(std::string("1;\0\r\na\r\n", 8) + last), bad_chunk},
      {"data longer than the size", chunked("1\r\nab\r\n" + last), bad_chunk},
      {"data shorter than the size", chunked("3\r\nab\r\n" + last), bad_chunk},
      {"a bare line feed after the data", chunked("1\r\na\n" + last), bad_chunk},
      {"a size line of 256 bytes", chunked("1;" + std::string(254, 'x') + "\r\na\r\n" + last),
       "POST /p <a>; more"},
      {"a size line of 257 bytes", chunked("1;" + std::string(255, 'x') + "\r\na\r\n" + last), bad_chunk},
      {"a size line without end", chunked(std::string(300, '0')), bad_chunk},
  };
}

std::vector<FramingRow> trailers() {
  const auto with = [](const std::string& lines) { return chunked("1\r\na\r\n0\r\n" + lines + "\r\n"); };
  const std::string dropped = "POST /p <a>; GET /next; more";
  std::string sixty_five;
  for (int i = 0; i < 65; ++i) sixty_five += "a: b\r\n";
  return {
      {"a field is dropped", with("X-Sum: 1\r\n") + get_next, dropped},
      {"framing fields mean nothing here", with("Content-Length: 9\r\nTransfer-Encoding: x\r\n") + get_next,
       dropped},
      {"64 fields", with(sixty_five.substr(6)) + get_next, dropped},
      {"65 fields", with(sixty_five), "431 fields-too-large"},
      {"8 KiB and more", with("a: " + std::string(8190, 'x') + "\r\n"), "431 fields-too-large"},
      {"8 KiB and more in two lines",
       with("a: " + std::string(4096, 'x') + "\r\nb: " + std::string(4096, 'x') + "\r\n"),
       "431 fields-too-large"},
      {"no colon", with("abc\r\n"), "400 invalid-field"},
      {"a space before the colon", with("a : b\r\n"), "400 invalid-field"},
      {"folded", with("a: b\r\n c\r\n"), "400 invalid-field"},
      {"a control character", with("a: \x01\r\n"), "400 invalid-field"},
      {"a bare line feed", with("a: b\n"), bad_chunk},
  };
}

TEST(Framer, reads_bodies_by_length_however_they_are_cut) {
  for (const auto& row : by_length()) expect_framing(row);
}

TEST(Framer, judges_transfer_codings_however_they_are_cut) {
  for (const auto& row : codings()) expect_framing(row);
}

TEST(Framer, reads_chunks_however_they_are_cut) {
  for (const auto& row : chunks()) expect_framing(row);
}

TEST(Framer, checks_and_drops_trailers_however_they_are_cut) {
  for (const auto& row : trailers()) expect_framing(row);
}

TEST(Framer, bounds_the_extensions_of_a_whole_body) {
  Framer framer(1 << 20);
  const std::string chunk = "1;" + std::string(200, 'x') + "\r\na\r\n";
  framer.feed(chunked(""));
  int taken = 0;
  while (framer.feed(chunk) == Framer::State::need_more) ASSERT_LT(++taken, 100);
  EXPECT_EQ(taken, 4096 / 201);
  EXPECT_EQ(framer.fault().slug(), "invalid-chunk");
}

TEST(Framer, reads_not_one_byte_after_a_fault) {
  Framer framer(body_limit);
  ASSERT_EQ(framer.feed("GET\r\n"), Framer::State::fault);
  const auto fault = framer.fault();
  EXPECT_EQ(framer.feed(get_next), Framer::State::fault);
  EXPECT_EQ(framer.fault(), fault);
}

TEST(Framer, keeps_pipelined_bytes_while_a_request_is_current) {
  Framer framer(body_limit);
  ASSERT_EQ(framer.feed(post_with("Content-Length: 3\r\n", "abc") + "GET /ne"), Framer::State::request);
  ASSERT_EQ(framer.feed("xt HTTP/1.1\r\nHost: h\r\n\r\n"), Framer::State::request);
  ASSERT_EQ(framer.next(), Framer::State::request);
  EXPECT_EQ(framer.request().target, "/next");
  EXPECT_EQ(framer.request().body, "");
  ASSERT_EQ(framer.next(), Framer::State::need_more);
  EXPECT_EQ(framer.part(), Framer::Part::nothing);
}

TEST(Framer, knows_which_part_of_a_request_is_arriving) {
  Framer framer(body_limit);
  EXPECT_EQ(framer.part(), Framer::Part::nothing);
  framer.feed("P");
  EXPECT_EQ(framer.part(), Framer::Part::head);
  framer.feed("OST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nab");
  EXPECT_EQ(framer.part(), Framer::Part::body);
  EXPECT_EQ(framer.body_bytes_received(), 2U);
  framer.feed("cd");
  framer.next();
  EXPECT_EQ(framer.part(), Framer::Part::nothing);
  framer.feed(chunked("3\r\nab"));
  EXPECT_EQ(framer.part(), Framer::Part::body);
  EXPECT_EQ(framer.body_bytes_received(), 2U);
}

TEST(Framer, carries_nothing_from_one_request_to_the_next) {
  Framer framer(body_limit);
  framer.feed(post_with("Connection: close\r\nTransfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n"));
  EXPECT_TRUE(framer.wants_close());
  framer.next();
  ASSERT_EQ(framer.feed(post_with("Transfer-Encoding: chunked\r\n", "2\r\nbc\r\n0\r\n\r\n")),
            Framer::State::request);
  EXPECT_FALSE(framer.wants_close());
  EXPECT_EQ(framer.request().body, "bc");
  EXPECT_EQ(framer.request().fields.size(), 2U);
}

}  // namespace
}  // namespace parley::http
