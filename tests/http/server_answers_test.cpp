// Answers over real sockets: order, ownership, what is sent, and what is refused (D14, F34, F37, F45).

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/http/support/client.hpp"
#include "tests/http/support/service.hpp"

namespace parley::http::support {
namespace {

TEST(Server, answers_request_after_request_on_one_connection) {
  Service service(echo);
  Client client(service.port());
  EXPECT_EQ(client.exchange(get("/1")).body, "/1");
  EXPECT_EQ(client.exchange(post("/2", "abc")).body, "/2abc");
  EXPECT_EQ(client.exchange(get("/3")).body, "/3");
  EXPECT_EQ(service.counters().connections_accepted, 1U);
}

TEST(Server, reads_a_request_that_comes_byte_by_byte) {
  Service service(echo);
  Client client(service.port());
  for (const char byte : post("/x", "abc")) ASSERT_TRUE(client.send(std::string(1, byte)));
  EXPECT_EQ(client.receive().body, "/xabc");
}

TEST(Server, answers_pipelined_requests_in_order) {
  Elsewhere elsewhere;
  std::atomic<int> calls = 0;
  Service service([&](const Request& request, const Responder& responder) {
    const std::string text = std::string(request.target) + std::string(request.body);
    // Every second answer comes from another thread, so that a later answer could overtake an earlier one.
    if (calls++ % 2 == 0) return responder.send({200, {}, text});
    elsewhere.run_later([=] { responder.send({200, {}, text}); });
  });
  Client client(service.port());
  constexpr int requests = 500;
  std::string bytes;
  for (int i = 0; i < requests; ++i) {
    const auto target = "/" + std::to_string(i);
    bytes += i % 3 == 0 ? post(target, "+") : get(target);
  }
  ASSERT_TRUE(client.send(bytes));
  for (int i = 0; i < requests; ++i)
    ASSERT_EQ(client.receive().body, "/" + std::to_string(i) + (i % 3 == 0 ? "+" : ""));
}

TEST(Server, gives_every_client_its_own_answers_from_another_thread) {
  Elsewhere elsewhere;
  Service service([&](const Request& request, const Responder& responder) {
    const std::string text(request.target);
    elsewhere.run_later([=] { responder.send_later([text] { return Response{200, {}, text}; }); });
  });
  std::atomic<int> right = 0;
  constexpr int clients = 8;
  constexpr int requests = 300;
  std::vector<std::thread> threads;
  for (int c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] {
      Client client(service.port());
      for (int i = 0; i < requests; ++i) {
        const auto target = "/" + std::to_string(c) + "/" + std::to_string(i);
        if (client.exchange(get(target)).body == target) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, clients * requests);
}

TEST(Server, delivers_no_answer_to_another_client) {
  Kept kept;
  auto options = Service::two_threads();
  options.threads = 1;
  Service service([&](const Request&, const Responder& responder) { kept.add(responder); }, options);
  for (std::size_t round = 0; round < 50; ++round) {
    Client gone(service.port());
    ASSERT_TRUE(gone.send(get("/gone")));
    ASSERT_TRUE(eventually([&] { return kept.size() == 2 * round + 1; }));
    gone.reset();
    ASSERT_TRUE(eventually([&] { return service.connections_open() == 0; }));
    Client next(service.port());  // on the released descriptor
    ASSERT_TRUE(next.send(get("/next")));
    ASSERT_TRUE(eventually([&] { return kept.size() == 2 * round + 2; }));
    kept.at(2 * round).send({200, {}, "for who has gone"});
    kept.at(2 * round + 1).send({200, {}, "for who came next"});
    ASSERT_EQ(next.receive().body, "for who came next");
    ASSERT_TRUE(eventually([&] { return service.counters().answers_dropped == round + 1; }));
    next.leave();
    ASSERT_TRUE(eventually([&] { return service.connections_open() == 0; }));
  }
}

TEST(Server, answers_a_client_that_has_only_stopped_sending) {
  Service service(echo);
  Client client(service.port());
  client.send(get("/last"));
  client.shut_writing();
  EXPECT_EQ(client.receive().body, "/last");
  EXPECT_TRUE(client.is_closed()) << "immediately, not after the idle time-out";
}

TEST(Server, counts_only_the_first_answer) {
  Service service([](const Request&, const Responder& responder) {
    responder.send({200, {}, "first"});
    responder.send({200, {}, "second"});
  });
  Client client(service.port());
  EXPECT_EQ(client.exchange(get("/")).body, "first");
  EXPECT_EQ(client.exchange(get("/")).body, "first");
  EXPECT_EQ(service.counters().answers_dropped, 2U);
}

TEST(Server, answers_500_to_any_exception_of_a_handler) {
  Service service([](const Request& request, const Responder& responder) {
    if (request.path == "/std") throw std::runtime_error("secret");
    if (request.path == "/int") throw 42;
    if (request.path == "/late")
      return responder.send_later([]() -> Response { throw std::runtime_error("secret"); });
    responder.send({200, {}, "fine"});
    if (request.path == "/after") throw std::runtime_error("secret");
  });
  Client client(service.port());
  for (const auto* target : {"/std", "/int", "/late"}) {
    const auto received = client.exchange(get(target));
    EXPECT_EQ(received.status, 500) << target;
    EXPECT_EQ(received.body, "internal") << target;
  }
  EXPECT_EQ(client.exchange(get("/after")).body, "fine");
  EXPECT_EQ(client.exchange(get("/")).body, "fine");
  EXPECT_EQ(service.counters().handler_exceptions, 4U);
}

TEST(Server, is_busy_if_a_handler_has_no_memory_F40) {
  Service service([](const Request& request, const Responder& responder) {
    if (request.path == "/late") return responder.send_later([]() -> Response { throw std::bad_alloc(); });
    throw std::bad_alloc();
  });
  Client client(service.port());
  for (const auto* target : {"/now", "/late"}) {
    const auto received = client.exchange(get(target));
    EXPECT_EQ(received.status, 503) << target;
    EXPECT_EQ(received.body, "busy") << target;
  }
  EXPECT_EQ(service.counters().handler_exceptions, 2U);
}

TEST(Server, answers_500_when_the_responder_is_lost) {
  Elsewhere elsewhere;
  Service service([&](const Request& request, const Responder& responder) {
    if (request.path == "/later") elsewhere.run_later([responder] {});
  });
  Client client(service.port());
  EXPECT_EQ(client.exchange(get("/now")).status, 500);
  EXPECT_EQ(client.exchange(get("/later")).status, 500);
  EXPECT_EQ(service.counters().answers_missing, 2U);
}

TEST(Server, survives_a_renderer_that_throws) {
  ServerOptions options;
  Server server(
      options, [](const Request&, const Responder&) { throw 1; },
      [](const FramingFault&) -> Response { throw std::runtime_error("no memory"); });
  ASSERT_TRUE(server.listen().ok());
  ASSERT_TRUE(server.start().ok());
  EXPECT_EQ(Client(server.port()).exchange(get("/")).status, 500);
  EXPECT_EQ(Client(server.port()).exchange("NONSENSE\r\n\r\n").status, 500);
}

TEST(Server, lets_a_responder_outlive_it) {
  Kept kept;
  Client client;
  {
    Service service([&](const Request&, const Responder& responder) { kept.add(responder); });
    ASSERT_TRUE(client.connect(service.port()));
    client.send(get("/") + get("/"));
    ASSERT_TRUE(eventually([&] { return kept.size() == 1; }));
  }
  kept.at(0).send({200, {}, "too late"});
  EXPECT_EQ(client.receive().status, 0);
}

TEST(Server, answers_head_without_the_body) {
  Service service(echo);
  Client client(service.port());
  client.send("HEAD /head HTTP/1.1\r\nHost: h\r\n\r\n");
  const auto received = client.receive(false);
  EXPECT_EQ(received.status, 200);
  EXPECT_TRUE(received.has("\r\nContent-Length: 5\r\n"));
  EXPECT_EQ(client.exchange(get("/next")).body, "/next") << "no byte of a body was sent before";
}

TEST(Server, sends_no_body_and_no_length_with_204_and_304) {
  Service service([](const Request& request, const Responder& responder) {
    responder.send({request.path == "/204" ? 204 : 304, {}, "not for sending"});
  });
  Client client(service.port());
  for (const int status : {204, 304, 204}) {
    const auto received = client.exchange(get("/" + std::to_string(status)));
    EXPECT_EQ(received.status, status);
    EXPECT_FALSE(received.has("Content-Length"));
  }
}

TEST(Server, sends_date_and_length_but_no_server_name) {
  Service service([](const Request&, const Responder& responder) {
    responder.send({201, {{"X-A", "b"}}, ""});
  });
  const auto received = Client(service.port()).exchange(get("/"));
  EXPECT_TRUE(received.has("HTTP/1.1 201 Created\r\nDate: "));
  EXPECT_TRUE(received.has(" GMT\r\nX-A: b\r\nContent-Length: 0\r\n"));
  EXPECT_FALSE(received.has("Server"));
  EXPECT_FALSE(received.has("Connection"));
}

TEST(DateText, writes_the_date_as_http_wants_it) {
  DateText date;
  EXPECT_EQ(date.at(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");  // from RFC 9110 section 5.6.7
  EXPECT_EQ(date.at(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(date.at(951'782'400), "Tue, 29 Feb 2000 00:00:00 GMT");
}

TEST(Server, refuses_to_send_fields_that_would_split_an_answer) {
  const std::vector<std::pair<std::string, std::string>> fields{{"X-A", "b\r\nSet-Cookie: c"},
                                                                {"X-A", "b\nc"},
                                                                {"X-A", std::string("b\0c", 3)},
                                                                {"X-A", "b\x7f"},
                                                                {"X A", "b"},
                                                                {"", "b"},
                                                                {"X-A:", "b"},
                                                                {"Content-Length", "9"},
                                                                {"transfer-encoding", "x"},
                                                                {"Connection", "close"}};
  std::atomic<std::size_t> next = 0;
  Service service([&](const Request&, const Responder& responder) {
    responder.send({200, {fields[next++]}, "body"});
  });
  Client client(service.port());
  for (const auto& field : fields) {
    const auto received = client.exchange(get("/"));
    EXPECT_EQ(received.status, 500) << field.first;
    EXPECT_EQ(received.body, "internal") << field.first;
    EXPECT_FALSE(received.has("Set-Cookie"));
  }
  EXPECT_EQ(service.counters().responses_refused, fields.size());
}

TEST(Server, refuses_an_invalid_status) {
  Service service([](const Request& request, const Responder& responder) {
    responder.send({std::stoi(std::string(request.path.substr(1))), {}, ""});
  });
  Client client(service.port());
  for (const auto* status : {"0", "100", "199", "600", "-1"})
    EXPECT_EQ(client.exchange(get(std::string("/") + status)).status, 500) << status;
  EXPECT_TRUE(client.exchange(get("/599")).has("HTTP/1.1 599 \r\n"));
}

TEST(Server, sends_a_large_answer_whole_to_a_client_that_reads_late) {
  const std::string large(32 * 1024 * 1024, 'x');
  Service service([&](const Request&, const Responder& responder) { responder.send({200, {}, large}); });
  Client client(service.port());
  client.send(get("/") + get("/"));
  ASSERT_TRUE(eventually([&] { return service.counters().responses == 1; }));
  EXPECT_EQ(client.receive().body, large);
  EXPECT_EQ(client.receive().body, large);
}

}  // namespace
}  // namespace parley::http::support
