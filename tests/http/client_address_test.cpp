// The client's address when proxies are in front (D106): which headers are trusted, and from whom.

#include "http/protocol/client_address.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

store::Address address(std::string_view text) {
  return address_from_text(text).value_or(store::Address{});
}

struct Seen {
  std::string peer;
  std::vector<Field> fields;
  std::string client;
};

TEST(TrustedProxies, are_the_only_ones_believed) {
  const TrustedProxies proxies({*network_from_text("127.0.0.1"), *network_from_text("10.0.0.0/8"),
                                *network_from_text("2001:db8:1::/48")});
  const std::vector<Seen> rows{
      {"127.0.0.1", {}, "127.0.0.1"},
      {"192.0.2.1", {{"X-Forwarded-For", "203.0.113.9"}}, "192.0.2.1"},
      {"127.0.0.1", {{"X-Forwarded-For", "203.0.113.9"}}, "203.0.113.9"},
      {"127.0.0.1", {{"X-Forwarded-For", "203.0.113.9, 198.51.100.7 , 10.1.2.3"}}, "198.51.100.7"},
      {"127.0.0.1",
       {{"x-forwarded-for", "203.0.113.9"}, {"X-Forwarded-For", "198.51.100.7"}},
       "198.51.100.7"},
      {"127.0.0.1", {{"X-Forwarded-For", "10.0.0.7, 10.0.0.8"}}, "10.0.0.7"},
      {"127.0.0.1", {{"X-Forwarded-For", "203.0.113.9, nonsense"}}, "127.0.0.1"},
      {"127.0.0.1", {{"X-Forwarded-For", "203.0.113.9:4711"}}, "203.0.113.9"},
      {"2001:db8:1::5", {{"X-Forwarded-For", "[2001:db8:2::1]:443"}}, "2001:db8:2::1"},
      {"127.0.0.1",
       {{"Forwarded", "for=203.0.113.9;proto=https, For=\"[2001:db8:2::1]:1\";by=x"}},
       "2001:db8:2::1"},
      {"127.0.0.1", {{"Forwarded", "for=203.0.113.9, for=unknown"}}, "127.0.0.1"},
      {"127.0.0.1", {{"Forwarded", "proto=https"}}, "127.0.0.1"},
      {"127.0.0.1", {{"Forwarded", "for=203.0.113.9"}, {"X-Forwarded-For", "203.0.113.9"}}, "203.0.113.9"},
      {"127.0.0.1", {{"Forwarded", "for=203.0.113.9"}, {"X-Forwarded-For", "203.0.113.8"}}, "127.0.0.1"},
  };
  for (const Seen& row : rows) {
    Request request;
    request.peer = address(row.peer);
    request.fields = row.fields;
    EXPECT_EQ(text_of(proxies.client_of(request)), row.client)
        << row.peer << " " << (row.fields.empty() ? "" : row.fields.front().value);
  }
}

TEST(Network, has_the_addresses_with_its_prefix) {
  const Network network = network_from_text("10.16.0.0/12").value();
  EXPECT_TRUE(network.has(address("10.31.255.255")));
  EXPECT_FALSE(network.has(address("10.32.0.0")));
  EXPECT_TRUE(network_from_text("0.0.0.0/0")->has(address("203.0.113.9")));
  EXPECT_FALSE(network_from_text("0.0.0.0/0")->has(address("2001:db8::1")));
  EXPECT_TRUE(network_from_text("::/0")->has(address("203.0.113.9")));
  for (const std::string_view text :
       {"", "10", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "::1/129", "host", "10.0.0.0/8/8"})
    EXPECT_FALSE(network_from_text(text)) << text;
}

}  // namespace
}  // namespace parley::http
