// Bodies of many clients: the body of a refused client is not kept, and all bodies together are bounded (I63, I69).

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/http/support/client.hpp"
#include "tests/http/support/service.hpp"

namespace parley::http::support {
namespace {

constexpr std::size_t large_body = 150'000;

/// Capacity for one large body and some small ones.
ServerOptions with_room_for_one_body() {
  auto options = Service::two_threads();
  options.bodies = {260'000, 200'000, 2'000};
  return options;
}

std::string announced(std::size_t bytes) {
  return "POST /p HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\nContent-Length: " + std::to_string(bytes) +
         "\r\n\r\n";
}

/// Refuses every request whose body has not arrived, and reports what the handler saw.
class Strict : public Server {
 public:
  Strict()
      : Server(
            Service::two_threads(),
            [](const Request& request, const Responder& responder) {
              responder.send({request.is_refused ? 401 : 200, {}, std::to_string(request.body.size())});
            },
            render, [](const Request&) { return BodyUse::refuse; }) {
    EXPECT_TRUE(listen().ok());
    EXPECT_TRUE(start().ok());
  }
};

TEST(Server, answers_a_refused_head_before_its_large_body_and_closes) {
  Strict service;
  Client waiting(service.port());
  waiting.send(announced(large_body));
  const auto early = waiting.receive();
  EXPECT_EQ(early.status, 401);
  EXPECT_TRUE(early.has("\r\nConnection: close\r\n"));
  Client sending(service.port());
  EXPECT_TRUE(sending.send(announced(8 * 1024 * 1024) + std::string(8 * 1024 * 1024, 'x')));
  EXPECT_EQ(sending.receive().status, 401) << "while it was still sending";
  EXPECT_TRUE(sending.is_closed()) << "not reset";
  EXPECT_EQ(service.body_bytes(), 0U);
}

TEST(Server, continues_after_a_small_body_that_it_refused) {
  Strict service;
  Client client(service.port());
  constexpr std::size_t most = 64 * 1024;  // together with its head, more than one read returns
  client.send(announced(most) + std::string(most, 'x') + get("/next"));
  EXPECT_EQ(client.receive().status, 401);
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, answers_a_refused_client_instead_of_100) {
  Strict service;
  Client client(service.port());
  client.send("POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.receive().status, 401);
  EXPECT_TRUE(client.is_closed());
}

TEST(Server, refuses_large_bodies_beyond_the_room_for_all_and_takes_small_ones) {
  Service service(echo, with_room_for_one_body());
  Client first(service.port());
  first.send(announced(large_body));
  Client idle(service.port());
  idle.send(announced(large_body));  // reserves no memory before it arrives
  first.send(std::string(large_body - 10, 'x'));
  ASSERT_TRUE(eventually([&] { return service.body_bytes() == large_body - 10; }));
  Client second(service.port());
  second.send(announced(large_body) + std::string(large_body - 10, 'x'));
  const auto refused = second.receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "busy");
  EXPECT_TRUE(second.is_closed());
  Client chunked(service.port());
  chunked.send("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n" +
               std::string(100'000, 'x'));
  EXPECT_EQ(chunked.receive().status, 503) << "counted as it arrives";
  Client small(service.port());
  EXPECT_EQ(small.exchange(post("/small", "x")).status, 200);
  EXPECT_EQ(small.exchange(announced(2'000) + std::string(2'000, 'x')).status, 200);
  first.send(std::string(10, 'x'));
  EXPECT_EQ(first.receive().status, 200);
  EXPECT_TRUE(eventually([&] { return service.body_bytes() == 0; }));
  Client third(service.port());
  EXPECT_EQ(third.exchange(announced(large_body) + std::string(large_body, 'x')).status, 200);
}

TEST(Server, releases_the_bytes_of_a_body_however_its_request_ends) {
  Kept kept;
  Service service(
      [&](const Request& request, const Responder& responder) {
        if (request.path != "/p") return echo(request, responder);
        if (request.body.size() != large_body) throw std::runtime_error("the handler failed");
        kept.add(responder);
      },
      with_room_for_one_body());
  const auto is_empty = [&] { return service.body_bytes() == 0; };
  const std::string whole(large_body, 'x');
  Client cut(service.port());
  cut.send(announced(large_body) + "half");
  ASSERT_TRUE(eventually([&] { return service.body_bytes() == 4; }));
  cut.reset();
  EXPECT_TRUE(eventually(is_empty)) << "cut off";
  Client faulty(service.port());
  faulty.send("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcdeXX");
  EXPECT_EQ(faulty.receive().status, 400);
  EXPECT_TRUE(eventually(is_empty)) << "a fault";
  Client failing(service.port());
  EXPECT_EQ(failing.exchange(announced(large_body - 1) + std::string(large_body - 1, 'x')).status, 500);
  EXPECT_TRUE(eventually(is_empty)) << "a failed handler";
  Client leaving(service.port());
  leaving.send(announced(large_body) + whole);
  ASSERT_TRUE(eventually([&] { return kept.size() == 1; }));
  leaving.reset();
  ASSERT_TRUE(eventually([&] { return service.connections_open() <= 2; }));
  EXPECT_EQ(service.body_bytes(), large_body) << "a handler still works with it";
  kept.at(0).send({200, {}, "late"});
  kept.clear();
  EXPECT_TRUE(eventually(is_empty)) << "the client had left";
}

}  // namespace
}  // namespace parley::http::support
