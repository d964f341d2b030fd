#include "http/transport/listen_host.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/transport/server.hpp"
#include "tests/http/support/service.hpp"

namespace parley::http {
namespace {

/// Whether this machine lets a program listen on ::1, checked without the server.
bool has_ipv6() {
  const int probe = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  sockaddr_in6 loopback{};
  loopback.sin6_family = AF_INET6;
  loopback.sin6_addr = in6addr_loopback;
  const bool is_bound = bind(probe, reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback) == 0;
  close(probe);
  return is_bound;
}

TEST(ListenHost, keeps_numbers_and_resolves_names) {
  for (const std::string host : {"127.0.0.1", "0.0.0.0", "::1", "[::1]"})
    EXPECT_EQ(numeric_host(host).value(), host);
  EXPECT_EQ(numeric_host("localhost").value(), "127.0.0.1");
  for (const std::string host : {"", "no such name", "name.invalid"})
    EXPECT_FALSE(numeric_host(host).ok()) << host;
}

TEST(FreePort, is_known_and_reserved_until_a_server_listens_on_it) {
  for (const std::string host : {"127.0.0.1", "0.0.0.0", "[::1]"}) {
    if (host == "[::1]" && !has_ipv6()) continue;
    const auto held = free_port(host);
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

TEST(FreePort, fails_at_an_address_that_the_machine_does_not_have) {
  const auto held = free_port("203.0.113.7");
  ASSERT_FALSE(held);
  EXPECT_NE(held.problem().detail.find("cannot listen on 203.0.113.7:0: "), std::string::npos);
}

TEST(Server, listens_on_ipv6_where_the_machine_has_it) {
  for (const auto* host : {"::1", "[::1]"}) {
    ServerOptions options;
    options.host = host;
    Server server(options, support::echo, support::render);
    const auto listening = server.listen();
    ASSERT_EQ(listening.ok(), has_ipv6()) << (listening.ok() ? "" : listening.problem().detail);
    if (listening.ok()) {
      EXPECT_GT(server.port(), 0);
    } else {
      EXPECT_NE(listening.problem().detail.find("cannot listen on "), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace parley::http
