// Addresses as the client encounters them: checked before resolution, after it, and at the socket (D75, F20, I65).

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "outbound/client/transfer.hpp"
#include "outbound/clock.hpp"
#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

using std::chrono::milliseconds;

Lookup names(std::vector<std::string> addresses) {
  return [addresses](const std::string&) {
    std::vector<Address> all;
    for (const auto& text : addresses) all.push_back(*address_from_text(text));
    return all;
  };
}

Ended ask_named(const Server& server, const Guard& guard, Lookup lookup, bool is_trusted = false) {
  HttpClient client(small_limits(), guard, std::move(lookup));
  auto request = to("http://agent.example:" + std::to_string(server.port()));
  request.is_trusted = is_trusted;
  return ask(client, request);
}

TEST(HttpClientGuard, calls_a_name_at_the_address_that_was_checked) {
  const Server server(always("x"));
  EXPECT_EQ(word_of(ask_named(server, open_guard(), names({"127.0.0.1"}))), "200");
  EXPECT_EQ(word_of(ask_named(server, {}, names({"127.0.0.1"}), true)), "200");
  EXPECT_EQ(word_of(ask_named(server, {false, {*cidr_from_text("127.0.0.0/8")}}, names({"127.0.0.1"}))),
            "200");
}

TEST(HttpClientGuard, calls_no_name_that_resolves_to_a_forbidden_address_F20) {
  const Server server(always("x"));
  const Guard loopback_only{false, {*cidr_from_text("127.0.0.0/8")}};
  EXPECT_EQ(word_of(ask_named(server, {}, names({"127.0.0.1"}))), "blocked_address");
  EXPECT_EQ(word_of(ask_named(server, loopback_only, names({"127.0.0.1", "10.0.0.1"}))), "blocked_address");
  EXPECT_EQ(word_of(ask_named(server, open_guard(), names({"127.0.0.1", "169.254.169.254"}))),
            "blocked_address");
  EXPECT_EQ(word_of(ask_named(server, open_guard(), names({"fd00:ec2::254"}), true)), "blocked_address");
  EXPECT_EQ(server.connections(), 0);
}

TEST(HttpClientGuard, is_not_fooled_by_a_name_that_changes_its_mind_F20) {
  const Server server(always("x"));
  std::atomic<int> lookups = 0;
  auto limits = small_limits();
  limits.name_ms = 0;
  const Guard guard{false, {*cidr_from_text("127.0.0.0/8")}};
  HttpClient client(limits, guard, [&](const std::string&) {
    return std::vector<Address>{*address_from_text(lookups++ == 0 ? "127.0.0.1" : "192.168.0.1")};
  });
  const auto url = "http://agent.example:" + std::to_string(server.port());
  EXPECT_EQ(word_of(ask(client, to(url))), "200");
  EXPECT_EQ(word_of(ask(client, to(url))), "blocked_address");
  EXPECT_EQ(lookups, 2);
}

TEST(HttpClientGuard, reports_an_unknown_name) {
  const Server server(always("x"));
  const auto ended = ask_named(server, open_guard(), names({}));
  EXPECT_EQ(word_of(ended), "connect");
  EXPECT_EQ(ended.attempts, 3);
  EXPECT_EQ(failure_of(ended).detail, "the name agent.example could not be resolved");
}

TEST(HttpClientGuard, does_not_wait_for_a_name_server_that_hangs) {
  const Server server(always("x"));
  std::atomic<bool> continues = false;
  std::atomic<int> lookups = 0;
  HttpClient client(small_limits(), open_guard(), [&](const std::string& name) {
    ++lookups;
    while (name == "dead.example" && !continues) std::this_thread::sleep_for(milliseconds(1));
    return std::vector<Address>{*address_from_text("127.0.0.1")};
  });
  auto dead = to("http://dead.example:" + std::to_string(server.port()));
  dead.connect_ms = 50;
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 20; ++i) ends.push_back(begin(client, dead));
  EXPECT_EQ(word_of(ask(client, to("http://good.example:" + std::to_string(server.port())))), "200");
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "connect");
  // One lookup per name, no matter how many calls need it.
  EXPECT_EQ(lookups, 2);
  continues = true;
  while (word_of(ask(client, dead)) != "200") std::this_thread::yield();
}

TEST(HttpClientGuard, checks_once_more_at_the_socket) {
  // libcurl connects without the check of the URL: the callback at the socket must refuse.
  const Server server(always("x"));
  const CallLimits limits;
  const Guard guard;
  HttpRequest request = to(server.url());
  const Url url = std::get<Url>(parse_url(request.url));
  std::atomic<std::size_t> large_bodies_bytes = 0;
  Sockets sockets(-1);
  Transfer transfer({request, url, guard, limits, sockets, large_bodies_bytes}, Easy(curl_easy_init()), {},
                    now_ms());
  const auto code = curl_easy_perform(transfer.easy());
  EXPECT_EQ(std::get<Failure>(transfer.outcome(code)).kind, FailureKind::blocked_address);
  EXPECT_EQ(server.connections(), 0);
}

}  // namespace
}  // namespace parley::outbound::support
