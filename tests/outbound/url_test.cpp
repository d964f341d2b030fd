// URLs that can be read in only one way are accepted; all others are refused.

#include "outbound/guard/url.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::outbound {
namespace {

TEST(Url, is_read_into_its_parts) {
  struct Row {
    std::string text;
    Url url;
  };
  const std::vector<Row> rows = {
      {"https://example.com", {Scheme::https, "example.com", 443, "/"}},
      {"HTTP://Example.COM:80/Path", {Scheme::http, "example.com", 80, "/Path"}},
      {"https://example.com.:8443?q=1#part", {Scheme::https, "example.com", 8443, "/?q=1"}},
      {"http://127.0.0.1:9/a%20b", {Scheme::http, "127.0.0.1", 9, "/a%20b"}},
      {"http://[::1]:9/x?y@z", {Scheme::http, "::1", 9, "/x?y@z"}},
      {"https://xn--bcher-kva.example/", {Scheme::https, "xn--bcher-kva.example", 443, "/"}},
      {"http://my_bot-1/", {Scheme::http, "my_bot-1", 80, "/"}},
  };
  for (const auto& row : rows) {
    const auto parsed = parse_url(row.text);
    ASSERT_TRUE(std::holds_alternative<Url>(parsed)) << row.text << ": " << std::get<Failure>(parsed).detail;
    EXPECT_EQ(std::get<Url>(parsed), row.url) << row.text;
    EXPECT_EQ(std::get<Url>(parse_url(to_text(row.url))), row.url) << row.text;
  }
}

TEST(Url, is_refused_when_it_could_be_read_in_two_ways) {
  const std::vector<std::string> all = {"",
                                        "example.com",
                                        "//example.com/",
                                        "ftp://example.com/",
                                        "file:///etc/passwd",
                                        "https:/example.com",
                                        "https:///path",
                                        "https://",
                                        "https://:80/",
                                        "http://user@example.com/",
                                        "http://user:word@example.com/",
                                        "http://good.example@169.254.169.254/",
                                        "http://2130706433/",
                                        "http://0x7f.1/",
                                        "http://0x7f000001/",
                                        "http://0177.0.0.1/",
                                        "http://127.1/",
                                        "http://1.2.3.4.5/",
                                        "http://256.1.1.1/",
                                        "http://example.1/",
                                        "http://a..b/",
                                        "http://.a/",
                                        "http://a/b c",
                                        "http://a/\r\nHost: b",
                                        "http://a\\@b/",
                                        "http://a/b\\c",
                                        "http://a%2eb/",
                                        "http://a:0/",
                                        "http://a:65536/",
                                        "http://a:1x/",
                                        "http://a:/",
                                        "http://[::1/",
                                        "http://[1.2.3.4]/",
                                        "http://[fe80::1%25lo]/",
                                        "http://[::1]x/",
                                        "http://b\xc3\xbc.example/",
                                        "http://a/\xc3\xbc",
                                        "http://a,b/",
                                        "http://" + std::string(64, 'a') + "/",
                                        "http://a/" + std::string(5'000, 'a')};
  for (const auto& text : all) {
    const auto parsed = parse_url(text);
    ASSERT_TRUE(std::holds_alternative<Failure>(parsed)) << text;
    EXPECT_EQ(std::get<Failure>(parsed).kind, FailureKind::bad_url) << text;
  }
}

TEST(Url, names_its_origin_with_the_port) {
  const auto url = std::get<Url>(parse_url("https://[::1]/x?secret"));
  EXPECT_EQ(origin(url), "https://[::1]:443");
  EXPECT_EQ(name_of(url), "[::1]");
  EXPECT_EQ(name_of(std::get<Url>(parse_url("http://a:8080/x"))), "a:8080");
}

}  // namespace
}  // namespace parley::outbound
