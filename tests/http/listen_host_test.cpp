#include "http/transport/listen_host.hpp"

#include <gtest/gtest.h>

#include "http/transport/server.hpp"

namespace parley::http {
namespace {

TEST(ListenHost, keeps_numbers_and_looks_names_up) {
  for (const std::string host : {"127.0.0.1", "0.0.0.0", "::1", "[::1]"})
    EXPECT_EQ(numeric_host(host).value(), host);
  EXPECT_EQ(numeric_host("localhost").value(), "127.0.0.1");
  for (const std::string host : {"", "no such name", "name.invalid"})
    EXPECT_FALSE(numeric_host(host).ok()) << host;
}

TEST(FreePort, is_known_and_reserved_until_a_server_listens_on_it) {
  for (const std::string host : {"127.0.0.1", "0.0.0.0", "[::1]"}) {
    const auto held = free_port(host);
    if (!held && host == "[::1]") continue;  // a machine without IPv6
    ASSERT_TRUE(held) << held.problem().detail;
    EXPECT_NE(held->number, 0);
    EXPECT_NE(free_port(host).value().number, held->number);
    ServerOptions options;
    options.host = host;
    options.port = held->number;
    Server server(options, [](const Request&, const Responder&) {}, {}, {});
    const auto listening = server.listen();
    ASSERT_TRUE(listening) << listening.problem().detail;
    EXPECT_EQ(server.port(), held->number);
  }
}

TEST(FreePort, is_none_at_an_address_that_the_machine_does_not_have) {
  const auto held = free_port("203.0.113.7");
  ASSERT_FALSE(held);
  EXPECT_NE(held.problem().detail.find("cannot listen on 203.0.113.7:0: "), std::string::npos);
}

}  // namespace
}  // namespace parley::http
