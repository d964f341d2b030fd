// The request line: every row in one piece, cut at every position, and byte by byte (D14, F29, F33).

#include <gtest/gtest.h>

#include "tests/http/support/framing.hpp"

namespace parley::http {
namespace {

using support::expect_framing;
using support::FramingRow;

const std::string host_line = "Host: h\r\n\r\n";
const std::string bad_line = "400 invalid-request-line";
const std::string bad_host = "400 invalid-host";

std::vector<FramingRow> accepted() {
  return {
      {"GET", "GET / HTTP/1.1\r\n" + host_line, "GET /; more"},
      {"HEAD", "HEAD / HTTP/1.1\r\n" + host_line, "HEAD /; more"},
      {"POST without length has an empty body (D4)", "POST / HTTP/1.1\r\n" + host_line, "POST /; more"},
      {"PUT", "PUT / HTTP/1.1\r\n" + host_line, "PUT /; more"},
      {"PATCH", "PATCH / HTTP/1.1\r\n" + host_line, "PATCH /; more"},
      {"DELETE", "DELETE / HTTP/1.1\r\n" + host_line, "DELETE /; more"},
      {"OPTIONS of a path", "OPTIONS / HTTP/1.1\r\n" + host_line, "OPTIONS /; more"},
      {"OPTIONS of the server", "OPTIONS * HTTP/1.1\r\n" + host_line, "OPTIONS *; more"},
      {"a query stays with the target", "GET /a/b?c=d&e=%20 HTTP/1.1\r\n" + host_line,
       "GET /a/b?c=d&e=%20; more"},
      {"nothing is decoded", "GET /%2e%2e%2f/%00/%zz HTTP/1.1\r\n" + host_line,
       "GET /%2e%2e%2f/%00/%zz; more"},
      {"double slashes stay", "GET //a//b/ HTTP/1.1\r\n" + host_line, "GET //a//b/; more"},
      {"odd visible characters", "GET /{|}\\^`\"<>;:@!$'()*+,~ HTTP/1.1\r\n" + host_line,
       "GET /{|}\\^`\"<>;:@!$'()*+,~; more"},
      {"an absolute form gives its path", "GET http://h/x?y HTTP/1.1\r\n" + host_line, "GET /x?y; more"},
      {"of https too, in any case, with a port", "GET HTTPS://h.example:8443/x HTTP/1.1\r\n" + host_line,
       "GET /x; more"},
      {"with an IPv6 address", "GET http://[::1]:80/x HTTP/1.1\r\n" + host_line, "GET /x; more"},
      {"without a path it is the root", "GET http://h HTTP/1.1\r\n" + host_line, "GET /; more"},
      {"also before a query", "GET http://h?x=1 HTTP/1.1\r\n" + host_line, "GET /?x=1; more"},
      {"and the server for OPTIONS", "OPTIONS http://h:80 HTTP/1.1\r\n" + host_line, "OPTIONS *; more"},
      {"HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close; more"},
      {"HTTP/1.0 stays open if asked to", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
       "GET / 1.0; more"},
      {"one empty line before a request", "\r\nGET / HTTP/1.1\r\n" + host_line, "GET /; more"},
      {"a target of 4096 bytes", "GET /" + std::string(4095, 'a') + " HTTP/1.1\r\n" + host_line,
       "GET /" + std::string(4095, 'a') + "; more"},
      {"two requests", "GET /1 HTTP/1.1\r\n" + host_line + "GET /2 HTTP/1.1\r\n" + host_line,
       "GET /1; GET /2; more"},
      {"a request and a half", "GET /1 HTTP/1.1\r\n" + host_line + "GET /2 HT", "GET /1; more"},
      {"nothing", "", "more"},
      {"half a line", "GET /", "more"},
      {"no end of the head", "GET / HTTP/1.1\r\nHost: h\r\n", "more"},
  };
}

std::vector<FramingRow> refused() {
  return {
      {"two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n" + host_line, bad_line},
      {"a line feed alone first", "\nGET / HTTP/1.1\r\n" + host_line, bad_line},
      {"a bare line feed at the end", "GET / HTTP/1.1\nHost: h\n\n", bad_line},
      {"a bare carriage return inside", "GET /\r HTTP/1.1\r\n" + host_line, bad_line},
      {"a carriage return before the CRLF", "GET / HTTP/1.1\r\r\n" + host_line, bad_line},
      {"no version (HTTP/0.9)", "GET /\r\n\r\n", bad_line},
      {"no target", "GET HTTP/1.1\r\n" + host_line, bad_line},
      {"an empty target", "GET  HTTP/1.1\r\n" + host_line, bad_line},
      {"only a method", "GET\r\n" + host_line, bad_line},
      {"two spaces after the method", "GET  / HTTP/1.1\r\n" + host_line, bad_line},
      {"two spaces before the version", "GET /  HTTP/1.1\r\n" + host_line, bad_line},
      {"a space after the version", "GET / HTTP/1.1 \r\n" + host_line, bad_line},
      {"a space before the method", " GET / HTTP/1.1\r\n" + host_line, bad_line},
      {"a tab as separator", "GET\t/\tHTTP/1.1\r\n" + host_line, bad_line},
      {"a space in the target", "GET /a b HTTP/1.1\r\n" + host_line, bad_line},
      {"a NUL in the target", std::string("GET /a\0b HTTP/1.1\r\n", 19) + host_line, bad_line},
      {"a control character in the target", "GET /a\x01 HTTP/1.1\r\n" + host_line, bad_line},
      {"DEL in the target", "GET /a\x7f HTTP/1.1\r\n" + host_line, bad_line},
      {"UTF-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\n" + host_line, bad_line},
      {"a fragment", "GET /a#b HTTP/1.1\r\n" + host_line, bad_line},
      {"a target without a slash", "GET a HTTP/1.1\r\n" + host_line, bad_line},
      {"an asterisk with GET", "GET * HTTP/1.1\r\n" + host_line, bad_line},
      {"an asterisk and more", "OPTIONS *x HTTP/1.1\r\n" + host_line, bad_line},
      {"an authority form with GET", "GET h:80 HTTP/1.1\r\n" + host_line, bad_line},
      {"another scheme", "GET ftp://h/ HTTP/1.1\r\n" + host_line, bad_line},
      {"an absolute form without host_line", "GET http:///x HTTP/1.1\r\n" + host_line, bad_line},
      {"user information", "GET http://u:p@h/x HTTP/1.1\r\n" + host_line, bad_line},
      {"a port of letters", "GET http://h:x/ HTTP/1.1\r\n" + host_line, bad_line},
      {"a method that is no token", "G@T / HTTP/1.1\r\n" + host_line, bad_line},
      {"a method with a colon", "GET: / HTTP/1.1\r\n" + host_line, bad_line},
      {"a lower-case protocol", "GET / http/1.1\r\n" + host_line, bad_line},
      {"a version of one number", "GET / HTTP/1\r\n" + host_line, bad_line},
      {"a version with more digits", "GET / HTTP/1.10\r\n" + host_line, bad_line},
      {"a version of letters", "GET / HTTP/a.b\r\n" + host_line, bad_line},
      {"another protocol", "GET / ICAP/1.1\r\n" + host_line, bad_line},
      {"a TLS greeting, at once", "\x16\x03\x01", bad_line},
      {"HTTP/1.2", "GET / HTTP/1.2\r\n" + host_line, "505 unsupported-version"},
      {"HTTP/0.9 by name", "GET / HTTP/0.9\r\n" + host_line, "505 unsupported-version"},
      {"HTTP/9.9", "GET / HTTP/9.9\r\n" + host_line, "505 unsupported-version"},
      {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 unsupported-version"},
      {"TRACE", "TRACE / HTTP/1.1\r\n" + host_line, "501 unknown-method"},
      {"CONNECT", "CONNECT h:80 HTTP/1.1\r\n" + host_line, "501 unknown-method"},
      {"an unknown method", "BREW /pot HTTP/1.1\r\n" + host_line, "501 unknown-method"},
      {"a lower-case method", "get / HTTP/1.1\r\n" + host_line, "501 unknown-method"},
      {"a target of 4097 bytes", "GET /" + std::string(4096, 'a') + " HTTP/1.1\r\n" + host_line,
       "414 target-too-long"},
      {"a line of 8193 bytes", "GET /" + std::string(8179, 'a') + " HTTP/1.1\r\n" + host_line,
       "414 target-too-long"},
      {"a line without end", "GET /" + std::string(9000, 'a'), "414 target-too-long"},
      {"a method without end", std::string(9000, 'A'), "414 target-too-long"},
  };
}

std::vector<FramingRow> hosts() {
  const auto get = [](const std::string& fields) { return "GET / HTTP/1.1\r\n" + fields + "\r\n"; };
  return {
      {"missing on 1.1", get(""), bad_host},
      {"missing with an absolute form", "GET http://h/ HTTP/1.1\r\n\r\n", bad_host},
      {"empty", get("Host:\r\n"), bad_host},
      {"twice", get("Host: h\r\nHost: h\r\n"), bad_host},
      {"twice on 1.0", "GET / HTTP/1.0\r\nHost: h\r\nhost: h\r\n\r\n", bad_host},
      {"with a slash", get("Host: h/x\r\n"), bad_host},
      {"with user information", get("Host: u@h\r\n"), bad_host},
      {"with a space", get("Host: a b\r\n"), bad_host},
      {"a list", get("Host: a, b\r\n"), bad_host},
      {"a port of letters", get("Host: h:x\r\n"), bad_host},
      {"a port too great", get("Host: h:65536\r\n"), bad_host},
      {"a port too long", get("Host: h:000080\r\n"), bad_host},
      {"two ports", get("Host: h:1:2\r\n"), bad_host},
      {"only a port", get("Host: :80\r\n"), bad_host},
      {"an open bracket", get("Host: [::1\r\n"), bad_host},
      {"empty brackets", get("Host: []\r\n"), bad_host},
      {"text after the bracket", get("Host: [::1]x\r\n"), bad_host},
      {"a bad escape", get("Host: %zz\r\n"), bad_host},
      {"a short escape", get("Host: a%2\r\n"), bad_host},
      {"bytes above ASCII", get("Host: h\xc3\xa9\r\n"), bad_host},
      {"a name", get("Host: agents.example.com\r\n"), "GET /; more"},
      {"a name and a port", get("hOsT:h:65535\r\n"), "GET /; more"},
      {"a colon alone", get("Host: h:\r\n"), "GET /; more"},
      {"an address", get("Host: 127.0.0.1:80\r\n"), "GET /; more"},
      {"an IPv6 address", get("Host: [fe80::1]:80\r\n"), "GET /; more"},
      {"an escape", get("Host: a%2Db\r\n"), "GET /; more"},
  };
}

TEST(Framer, reads_request_lines_however_they_are_cut) {
  for (const auto& row : accepted()) expect_framing(row);
}

TEST(Framer, refuses_request_lines_however_they_are_cut) {
  for (const auto& row : refused()) expect_framing(row);
}

TEST(Framer, judges_the_host_however_it_is_cut) {
  for (const auto& row : hosts()) expect_framing(row);
}

TEST(Framer, accepts_a_request_line_up_to_its_bound) {
  // A line of 8192 bytes is accepted; then its target of more than 4096 bytes is refused, which is not a fault of the
  // length of the line.
  const auto line = "GET /" + std::string(8178, 'a') + " HTTP/1.1";
  ASSERT_EQ(line.size(), 8192U);
  Framer framer(support::body_limit);
  ASSERT_EQ(framer.feed(line), Framer::State::need_more);
  ASSERT_EQ(framer.feed("\r\n"), Framer::State::fault);
  EXPECT_EQ(framer.fault().detail, "The request target must have at most 4096 bytes.");
}

TEST(Framer, splits_the_target_at_its_first_question_mark) {
  Framer framer(support::body_limit);
  ASSERT_EQ(framer.feed("GET /a/b?c?d HTTP/1.1\r\n" + host_line), Framer::State::request);
  EXPECT_EQ(framer.request().path, "/a/b");
  EXPECT_EQ(framer.request().query, "c?d");
  ASSERT_EQ(framer.next(), Framer::State::need_more);
  ASSERT_EQ(framer.feed("GET /? HTTP/1.1\r\n" + host_line), Framer::State::request);
  EXPECT_EQ(framer.request().path, "/");
  EXPECT_EQ(framer.request().query, "");
}

}  // namespace
}  // namespace parley::http
