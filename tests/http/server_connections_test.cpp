// How connections start and end: faults, timeouts, limits, draining, leaks (D91, F25-F28, F41, I64, I65).

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/http/support/client.hpp"
#include "tests/http/support/service.hpp"

namespace parley::http::support {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// All timeouts but one have their usual values.
ServerOptions hasty(milliseconds Timeouts::*timeout) {
  auto options = Service::two_threads();
  options.timeouts.*timeout = milliseconds(60);
  return options;
}

TEST(Server, closes_after_an_answer_when_asked_to) {
  Service service(echo);
  const std::array requests{std::string("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
                            std::string("GET /a HTTP/1.0\r\n\r\n"),
                            std::string("GET /a HTTP/1.0\r\nConnection: close\r\n\r\n")};
  for (const auto& request : requests) {
    Client client(service.port());
    const auto received = client.exchange(request + get("/never"));
    EXPECT_EQ(received.body, "/a");
    EXPECT_TRUE(received.has("\r\nConnection: close\r\n"));
    EXPECT_TRUE(client.is_closed());
  }
  EXPECT_EQ(service.counters().requests, requests.size());
}

TEST(Server, closes_if_the_handler_asks_for_it) {
  Service service([](const Request&, const Responder& responder) { responder.send({200, {}, "bye", true}); });
  Client client(service.port());
  EXPECT_TRUE(client.exchange(get("/")).has("\r\nConnection: close\r\n"));
  EXPECT_TRUE(client.is_closed());
}

TEST(Server, answers_a_fault_in_order_and_closes) {
  Service service(echo);
  Client client(service.port());
  client.send(get("/first") + "NONSENSE\r\n\r\n" + get("/never"));
  EXPECT_EQ(client.receive().body, "/first");
  const auto fault = client.receive();
  EXPECT_EQ(fault.status, 400);
  EXPECT_EQ(fault.body, "invalid-request-line");
  EXPECT_TRUE(fault.has("\r\nConnection: close\r\n"));
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(service.counters().requests, 1U);
}

TEST(Server, lets_a_client_read_the_413_while_it_is_still_sending) {
  auto options = Service::two_threads();
  options.body_bytes_max = 1024;
  Service service(echo, options);
  std::string smuggled;
  while (smuggled.size() < 4 * 1024 * 1024) smuggled += get("/smuggled");
  const std::array requests{
      post("/", smuggled),
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n" + smuggled};
  for (const auto& request : requests) {
    Client client(service.port());
    EXPECT_TRUE(client.send(request));
    EXPECT_EQ(client.receive().status, 413);
    EXPECT_TRUE(client.is_closed()) << "not reset";
  }
  EXPECT_EQ(service.counters().requests, 0U) << "nothing in a body is executed";
}

TEST(Server, accepts_a_body_up_to_its_limit) {
  auto options = Service::two_threads();
  options.body_bytes_max = 1024 * 1024;
  Service service(
      [](const Request& request, const Responder& responder) {
        responder.send({200, {}, std::to_string(request.body.size())});
      },
      options);
  Client client(service.port());
  EXPECT_EQ(client.exchange(post("/", std::string(1024 * 1024, 'x'))).body, "1048576");
  EXPECT_EQ(client.exchange(post("/", std::string(1024 * 1024 + 1, 'x'))).status, 413);
}

TEST(Server, sends_100_to_a_client_that_waits_for_it) {
  Service service(echo);
  Client client(service.port());
  client.send("POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  EXPECT_EQ(client.exchange("abc").body, "/eabc");
  const auto refused = client.exchange(
      "POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
  EXPECT_EQ(refused.status, 413) << "F28: before the body is sent";
}

TEST(Server, closes_an_idle_connection_silently) {
  Service service(echo, hasty(&Timeouts::idle));
  Client fresh(service.port());
  EXPECT_TRUE(fresh.is_closed());
  Client used(service.port());
  EXPECT_EQ(used.exchange(get("/")).body, "/");
  EXPECT_TRUE(used.is_closed());
  EXPECT_EQ(service.counters().faults, 0U);
}

TEST(Server, answers_408_to_a_head_that_drips) {
  Service service(echo, hasty(&Timeouts::head));
  Client silent(service.port());
  silent.send("GET / HTTP/1.1\r\nHo");
  EXPECT_EQ(silent.receive().status, 408);
  EXPECT_TRUE(silent.is_closed());

  Client dripping(service.port());
  const auto reader = std::async(std::launch::async, [&] { return dripping.receive().status; });
  ASSERT_TRUE(dripping.send("GET / HTTP/1.1\r\n"));
  while (reader.wait_for(milliseconds(5)) != std::future_status::ready) {
    if (!dripping.send("a: b\r\n")) break;
  }
  EXPECT_EQ(service.counters().timeouts, 2U);
}

TEST(Server, answers_408_to_a_body_that_drips) {
  Service service(echo, hasty(&Timeouts::body));
  Client client(service.port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab");
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(service.counters().requests, 0U);
}

TEST(Server, lets_a_steady_body_take_longer_than_the_time_out) {
  auto options = hasty(&Timeouts::body);
  options.timeouts.body_bytes_per_s_min = 1;  // 400 bytes allow 400 seconds
  Service service(echo, options);
  Client client(service.port());
  client.send("POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 402\r\n\r\n" + std::string(400, 'x'));
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_EQ(client.exchange("yz").body, "/b" + std::string(400, 'x') + "yz");
}

TEST(Server, never_times_out_a_request_under_way) {
  auto options = Service::two_threads();
  options.timeouts = {milliseconds(30), milliseconds(30), milliseconds(30),
                      milliseconds(30), milliseconds(30), 1024};
  Kept kept;
  Service service([&](const Request&, const Responder& responder) { kept.add(responder); }, options);
  Client client(service.port());
  client.send(get("/") + "GET /pipelined HTTP/1.1\r\n");
  ASSERT_TRUE(eventually([&] { return kept.size() == 1; }));
  std::this_thread::sleep_for(milliseconds(200));
  kept.at(0).send({200, {}, "in the end"});
  EXPECT_EQ(client.receive().body, "in the end");
  EXPECT_EQ(client.receive().status, 408) << "the next head is timed from here";
}

TEST(Server, cuts_a_client_that_does_not_read_and_serves_the_others) {
  const std::string large(16 * 1024 * 1024, 'x');
  Service service(
      [&](const Request& request, const Responder& responder) {
        responder.send({200, {}, request.path == "/large" ? large : "small"});
      },
      hasty(&Timeouts::write_stall));
  std::vector<Client> deaf(4);
  for (auto& client : deaf) {
    ASSERT_TRUE(client.connect(service.port()));
    client.send(get("/large"));
  }
  Client other(service.port());
  while (service.counters().write_stalls < deaf.size()) ASSERT_EQ(other.exchange(get("/")).body, "small");
  ASSERT_TRUE(eventually([&] { return service.connections_open() == 1; }));
}

TEST(Server, answers_503_over_the_cap) {
  auto options = Service::two_threads();
  options.connections_max = 2;
  Service service(echo, options);
  Client first(service.port());
  Client second(service.port());
  EXPECT_EQ(first.exchange(get("/1")).body, "/1");
  EXPECT_EQ(second.exchange(get("/2")).body, "/2");
  Client third(service.port());
  EXPECT_EQ(third.exchange(get("/3")).status, 503);
  EXPECT_TRUE(third.is_closed());
  third.leave();
  second.leave();
  ASSERT_TRUE(eventually([&] { return service.connections_open() == 1; }));
  EXPECT_EQ(Client(service.port()).exchange(get("/4")).body, "/4");
}

TEST(Server, refused_clients_take_no_places_from_served_ones) {
  auto options = Service::two_threads();
  options.connections_max = 1;
  Service service(echo, options);
  Client served(service.port());
  EXPECT_EQ(served.exchange(get("/1")).body, "/1");
  std::vector<Client> refused(bounds::refusals_max);
  for (auto& client : refused) ASSERT_TRUE(client.connect(service.port()));
  EXPECT_EQ(refused.front().receive().status, 503);
  EXPECT_EQ(refused.back().receive().status, 503);
  served.leave();
  ASSERT_TRUE(eventually([&] { return service.connections_open() == 0; }));
  EXPECT_EQ(Client(service.port()).exchange(get("/2")).body, "/2") << "though the refused ones linger";
}

TEST(Server, drains_by_answering_requests_in_flight) {
  Kept kept;
  Service service([&](const Request& request, const Responder& responder) {
    if (request.path == "/now") return echo(request, responder);
    kept.add(responder);
  });
  Client idle(service.port());
  EXPECT_EQ(idle.exchange(get("/now")).body, "/now");
  Client busy(service.port());
  busy.send(get("/slow"));
  Client half(service.port());
  half.send("GET /now HTTP/1.1\r\nHost");
  ASSERT_TRUE(eventually([&] { return kept.size() == 1 && service.connections_open() == 3; }));

  auto drained = std::async(std::launch::async, [&] { return service.drain(seconds(5)); });
  EXPECT_TRUE(idle.is_closed());
  EXPECT_FALSE(Client().connect(service.port()));
  EXPECT_EQ(drained.wait_for(milliseconds(50)), std::future_status::timeout);
  half.send(": h\r\n\r\n");
  const auto last = half.receive();
  EXPECT_EQ(last.body, "/now") << "it was sent before the drain";
  EXPECT_TRUE(last.has("\r\nConnection: close\r\n"));
  EXPECT_TRUE(half.is_closed());
  half.leave();
  kept.at(0).send({200, {}, "answered"});
  EXPECT_EQ(busy.receive().body, "answered");
  EXPECT_TRUE(busy.is_closed());
  busy.leave();
  EXPECT_TRUE(drained.get());
}

TEST(Server, drains_no_longer_than_its_deadline) {
  Kept kept;
  Service service([&](const Request&, const Responder& responder) { kept.add(responder); });
  Client client(service.port());
  client.send(get("/"));
  ASSERT_TRUE(eventually([&] { return kept.size() == 1; }));
  EXPECT_FALSE(service.drain(milliseconds(20)));
  service.stop();
  EXPECT_EQ(client.receive().status, 503) << "a waiting client gets an answer";
}

TEST(Server, reports_why_it_cannot_listen) {
  Service service(echo);
  ServerOptions taken;
  taken.port = service.port();
  const auto in_use = Server(taken, echo, render).listen();
  ASSERT_FALSE(in_use.ok());
  EXPECT_NE(in_use.problem().detail.find("Address already in use"), std::string::npos);
  ServerOptions named;
  named.host = "localhost";
  EXPECT_FALSE(Server(named, echo, render).listen().ok());
}

/// One visit, of a kind chosen by its number: orderly, cut off, reset after some bytes of the answer, or nonsense.
void visit(std::uint16_t port, int number) {
  Client client(port);
  switch (number % 6) {
    case 0: client.exchange(get("/")); return;
    case 1: client.send("GET / HT"); return;
    case 2: client.exchange("NONSENSE\r\n\r\n"); return;
    case 3: client.send(post("/", std::string(300'000, 'x'))); return;
    case 4: client.send(get("/") + get("/") + get("/")); return client.reset();
    default: {
      client.send(get("/large"));
      std::string bytes(static_cast<std::size_t>(number), ' ');
      static_cast<void>(::recv(client.descriptor(), bytes.data(), bytes.size(), 0));
      return client.reset();
    }
  }
}

TEST(Server, leaks_no_descriptor_and_no_thread_in_a_storm) {
  const auto threads_before = running_threads();
  const auto descriptors_before = open_descriptors();
  constexpr int workers = 2;
  {
    Elsewhere elsewhere;
    const std::string large(1024 * 1024, 'x');
    Service service([&](const Request& request, const Responder& responder) {
      const auto& body = request.path == "/large" ? large : request.path;
      elsewhere.run_later([responder, text = std::string(body)] { responder.send({200, {}, text}); });
    });
    Client warm(service.port());
    ASSERT_EQ(warm.exchange(get("/")).body, "/");
    const auto running = open_descriptors();
    std::vector<std::thread> clients;
    for (int c = 0; c < 4; ++c) {
      clients.emplace_back([&, c] {
        for (int i = 0; i < 300; ++i) visit(service.port(), c + 4 * i);
      });
    }
    for (auto& client : clients) client.join();
    // A client that left early occupies a descriptor only when the acceptor reaches it.
    EXPECT_TRUE(eventually([&] { return service.connections_open() == 1 && open_descriptors() == running; }))
        << service.connections_open() << " connections, " << open_descriptors() << " descriptors, not "
        << running;
    EXPECT_EQ(warm.exchange(get("/")).body, "/");
  }
  // The kernel wakes the joining thread before it removes the joined one from /proc.
  EXPECT_TRUE(eventually([&] { return running_threads() == threads_before; })) << running_threads();
  // Pistache never closes the notification descriptor of a reactor (ADR 2).
  EXPECT_LE(open_descriptors(), descriptors_before + workers);
}

/// Lowers the limit so that only `spare` more descriptors fit; restores it at the end.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t spare) {
    getrlimit(RLIMIT_NOFILE, &before_);
    std::set<std::string> used;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      used.insert(entry.path().filename());
    rlim_t limit = 0;
    for (std::size_t free = 0; free < spare; ++limit) {
      if (!used.contains(std::to_string(limit))) ++free;
    }
    auto lowered = before_;
    lowered.rlim_cur = limit;
    setrlimit(RLIMIT_NOFILE, &lowered);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

milliseconds processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::duration_cast<milliseconds>(
             std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec));
}

TEST(Server, survives_running_out_of_descriptors) {
#ifdef __SANITIZE_ADDRESS__
  // UBSan needs a pipe to inspect types, and fails without free descriptors. The plain build runs this test.
  GTEST_SKIP() << "the sanitizers need descriptors themselves";
#endif
  Service service(echo);
  // Gives every thread of the server its descriptors before they run out.
  std::deque<Client> first(8);
  for (auto& client : first) ASSERT_TRUE(client.connect(service.port()));
  for (auto& client : first) EXPECT_EQ(client.exchange(get("/")).status, 200);
  for (auto& client : first) client.leave();
  ASSERT_TRUE(eventually([&] { return service.connections_open() == 0; }));
  std::deque<Client> clients(20);
  Client last;
  const FewDescriptors few(6);
  for (auto& client : clients) ASSERT_TRUE(client.connect(service.port()));
  std::size_t served = 0;
  for (auto& client : clients) served += client.exchange(get("/")).status == 200 ? 1U : 0U;
  EXPECT_GT(served, 0U);
  EXPECT_LT(served, clients.size());
  EXPECT_EQ(service.counters().connections_refused, clients.size() - served);

  const auto before = processor_time();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_LT(processor_time() - before, milliseconds(150)) << "it does not spin at the limit";
  for (auto& client : clients) client.leave();
  ASSERT_TRUE(eventually([&] { return service.connections_open() == 0; }));
  ASSERT_TRUE(last.connect(service.port()));
  EXPECT_EQ(last.exchange(get("/again")).body, "/again");
}

}  // namespace
}  // namespace parley::http::support
