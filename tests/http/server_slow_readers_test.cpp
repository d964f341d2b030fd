// Clients that do not read their answers: together they hold a bounded number of bytes (F27, I63).

#include <gtest/gtest.h>

#include <string>

#include "tests/http/support/client.hpp"
#include "tests/http/support/service.hpp"

namespace parley::http::support {
namespace {

/// More than the buffers of two sockets can hold together.
constexpr std::size_t large_answer = 16 * 1024 * 1024;
constexpr std::size_t medium_answer = 512 * 1024;

/// Capacity for one large and one medium answer.
ServerOptions with_room_for_one_answer() {
  auto options = Service::two_threads();
  options.answers = {large_answer + medium_answer + medium_answer / 2, large_answer + medium_answer / 2,
                     1024 * 1024};
  return options;
}

class Serving : public Service {
 public:
  Serving() : Service(&answer, with_room_for_one_answer()) {}

 private:
  static void answer(const Request& request, const Responder& responder) {
    const auto bytes = request.path == "/large"    ? large_answer
                       : request.path == "/medium" ? medium_answer
                                                   : 5;
    responder.send({200, {}, std::string(bytes, 'x')});
  }
};

/// Sends a request and reads nothing.
void stall(Client& client, const Service& service, const std::string& target) {
  const auto before = service.answer_bytes();
  const int small = 4096;
  setsockopt(client.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  ASSERT_TRUE(client.connect(service.port()));
  client.send(get(target));
  ASSERT_TRUE(eventually([&] { return service.answer_bytes() > before; }));
}

TEST(Server, refuses_large_answers_while_others_are_not_read) {
  const Serving service;
  Client deaf;
  stall(deaf, service, "/large");
  EXPECT_EQ(service.answer_bytes(), large_answer);
  Client other(service.port());
  const auto refused = other.exchange("GET /large HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\n\r\n");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "busy");
  EXPECT_EQ(other.exchange(get("/small")).status, 200) << "on the same connection";
  EXPECT_EQ(other.exchange(get("/medium")).body.size(), medium_answer) << "which has a reserve";
  EXPECT_EQ(service.counters().answers_refused, 1U);
  deaf.leave();
  ASSERT_TRUE(eventually([&] { return service.answer_bytes() == 0; }));
  EXPECT_EQ(other.exchange(get("/large")).body.size(), large_answer);
  EXPECT_TRUE(eventually([&] { return service.answer_bytes() == 0; })) << "sent bytes are released";
}

TEST(Server, sends_the_outcome_even_without_room) {
  const Serving service;
  Client deaf;
  stall(deaf, service, "/large");
  Client other(service.port());
  EXPECT_EQ(other.exchange(post("/large", "do it")).body.size(), large_answer);
  EXPECT_EQ(other.exchange(get("/large")).status, 503);
}

TEST(Server, holds_nothing_for_an_answer_to_HEAD) {
  const Serving service;
  Client deaf;
  stall(deaf, service, "/large");
  Client other(service.port());
  other.send("HEAD /large HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(other.receive(false).status, 200);
}

}  // namespace
}  // namespace parley::http::support
