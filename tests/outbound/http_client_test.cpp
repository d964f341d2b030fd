// Calls over real sockets that succeed, are repeated, canceled or bounded (D71, D75, F16, F18, F21, F24).

#include "outbound/client/http_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/outbound/support/calls.hpp"
#include "tests/outbound/support/server.hpp"

namespace parley::outbound::support {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Answers each request with the next of these statuses; the last status is repeated.
Server::Script statuses(std::vector<std::string> all, std::atomic<int>& requests, std::string fields = "") {
  return [=, &requests](Peer& peer) {
    while (!peer.request().empty()) {
      const auto index = std::min(static_cast<std::size_t>(requests++), all.size() - 1);
      if (!peer.answer("said", all[index], fields)) return;
    }
  };
}

RetryRules model_rules(int attempts) {
  return {attempts, true};
}

TEST(HttpClient, sends_what_was_given_and_nothing_of_its_own_that_matters) {
  std::string seen;
  const Server server([&](Peer& peer) {
    seen = peer.request();
    peer.answer("good", "201 Created", "Content-Type: text/plain\r\n");
  });
  auto request = to(server.url("/turn?x=1#part"));
  request.fields = {{"Idempotency-Key", "k-1"}, {"Content-Type", "application/json"}, {"X-Empty", ""}};
  request.body = std::string("a\0b", 3);
  const auto ended = ask_once(request);
  EXPECT_EQ(answer_of(ended).status, 201);
  EXPECT_EQ(answer_of(ended).body, "good");
  EXPECT_EQ(answer_of(ended).content_type, "text/plain");
  EXPECT_EQ(answer_of(ended).retry_after_ms, -1);
  EXPECT_GE(answer_of(ended).duration_ms, 1) << "what was measured is never 0";
  EXPECT_EQ(ended.attempts, 1);
  EXPECT_EQ(seen, "POST /turn?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                      "\r\nUser-Agent: parley\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nIdempotency-Key: "
                      "k-1\r\nContent-Type: application/json\r\nX-Empty:\r\nContent-Length: 3\r\n\r\n" +
                      std::string("a\0b", 3));
}

TEST(HttpClient, uses_its_connection_again) {
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(word_of(ask(client, to(server.url()))), "200");
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client.figures().connections, 1U);
  EXPECT_EQ(client.figures().answers, 20U);
}

TEST(HttpClient, counts_what_went_and_came) {
  std::atomic<int> requests = 0;
  const Server server(statuses({"503 Down", "200 OK"}, requests));
  HttpClient client(small_limits(), open_guard());
  auto request = to(server.url());
  request.body = "twelve bytes";
  EXPECT_EQ(word_of(ask(client, request, model_rules(3))), "200");
  const Figures figures = client.figures();
  EXPECT_EQ(figures.calls, 1U);
  EXPECT_EQ(figures.attempts, 2U);
  EXPECT_EQ(figures.retries, 1U);
  EXPECT_EQ(figures.sent_bytes, 2 * request.body.size());
  EXPECT_GT(figures.received_bytes, 2 * std::string("said").size()) << "heads count too";
}

TEST(HttpClient, keeps_the_operators_connections_apart_D75) {
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  auto request = to(server.url());
  ask(client, request);
  request.is_trusted = true;
  ask(client, request);
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, measures_the_time_of_the_answer_alone) {
  std::atomic<int> requests = 0;
  const Server server([&](Peer& peer) {
    while (!peer.request().empty()) {
      const bool is_last = ++requests == 2;
      std::this_thread::sleep_for(milliseconds(is_last ? 50 : 500));
      peer.answer("x", is_last ? "200 OK" : "503 Busy");
    }
  });
  const auto ended = ask_once(to(server.url()), model_rules(2));
  EXPECT_EQ(word_of(ended), "200");
  EXPECT_GE(answer_of(ended).duration_ms, 49);
  EXPECT_LT(answer_of(ended).duration_ms, 500);
}

// The minimum speed applies to the answer; an interim answer only announces that the answer will follow.
TEST(HttpClient, waits_after_an_interim_answer_as_long_as_without_one_RFC9110_15_2) {
  for (const std::string interim : {"100 Continue", "102 Processing", "103 Early Hints"}) {
    for (const int times : {1, 8}) {
      const Server server([&](Peer& peer) {
        peer.request();
        for (int i = 0; i < times; ++i) {
          peer.send("HTTP/1.1 " + interim + "\r\n\r\n");
          std::this_thread::sleep_for(milliseconds(400 / times));
        }
        peer.answer("x");
      });
      const auto ended = ask_once(to(server.url()));
      EXPECT_EQ(word_of(ended), "200") << interim << " " << times;
    }
  }
}

TEST(HttpClient, does_not_treat_an_interim_answer_as_the_first_byte_of_the_answer) {
  const Server server([](Peer& peer) {
    peer.request();
    while (peer.send("HTTP/1.1 102 Processing\r\n\r\n")) std::this_thread::sleep_for(milliseconds(20));
  });
  auto request = to(server.url());
  request.first_byte_ms = 300;
  const auto ended = ask_once(request);
  ASSERT_EQ(word_of(ended), "timeout");
  EXPECT_NE(failure_of(ended).detail.find("sent no answer within 300 ms"), std::string::npos)
      << failure_of(ended).detail;
}

TEST(HttpClient, asks_an_agent_only_once_for_any_status_F18) {
  for (const std::string status : {"500 Oh", "502 Oh", "503 Oh", "429 Slowly", "404 No", "302 There"}) {
    std::atomic<int> requests = 0;
    const Server server(statuses({status}, requests, "Retry-After: 0\r\n"));
    const auto ended = ask_once(to(server.url()));
    EXPECT_EQ(answer_of(ended).status, std::stoi(status));
    EXPECT_EQ(ended.attempts, 1);
    EXPECT_EQ(requests, 1);
  }
}

TEST(HttpClient, repeats_what_may_be_repeated_F21) {
  std::atomic<int> requests = 0;
  const Server server(statuses({"500 Oh", "429 Slowly", "529 Full", "200 OK"}, requests));
  const auto ended = ask_once(to(server.url()), model_rules(4));
  EXPECT_EQ(word_of(ended), "200");
  EXPECT_EQ(ended.attempts, 4);
}

TEST(HttpClient, gives_the_last_answer_when_its_attempts_are_used_up) {
  std::atomic<int> requests = 0;
  const Server server(statuses({"500 Oh", "503 Oh", "200 OK"}, requests));
  const auto ended = ask_once(to(server.url()), model_rules(2));
  EXPECT_EQ(word_of(ended), "503");
  EXPECT_EQ(ended.attempts, 2);
  EXPECT_EQ(requests, 2);
}

TEST(HttpClient, waits_as_long_as_retry_after_says) {
  std::atomic<int> requests = 0;
  const Server server(statuses({"429 Slowly", "200 OK"}, requests, "Retry-After: 1\r\n"));
  const auto begin_at = std::chrono::steady_clock::now();
  EXPECT_EQ(word_of(ask_once(to(server.url()), model_rules(2))), "200");
  EXPECT_GE(std::chrono::steady_clock::now() - begin_at, milliseconds(990));
}

TEST(HttpClient, does_not_wait_for_a_retry_after_of_hours) {
  for (const auto& [told, ms] :
       std::vector<std::pair<std::string, std::int64_t>>{{"7200", 7'200'000},
                                                         {"99999", 86'400'000},
                                                         {"9223372036854775807", 86'400'000},
                                                         {"9223372036854775808", 86'400'000},
                                                         {" 99999999999999999999\t", 86'400'000},
                                                         {"Wed, 21 Oct 2099 07:28:00 GMT", 86'400'000},
                                                         {std::string(300, '9'), 86'400'000}}) {
    std::atomic<int> requests = 0;
    const Server server(statuses({"429 Slowly", "200 OK"}, requests, "Retry-After: " + told + "\r\n"));
    const auto ended = ask_once(to(server.url()), model_rules(4));
    ASSERT_EQ(word_of(ended), "429") << told;
    EXPECT_EQ(answer_of(ended).retry_after_ms, ms) << told;
    EXPECT_EQ(ended.attempts, 1) << told;
  }
}

TEST(HttpClient, ignores_a_retry_after_of_an_interim_answer_RFC9110_15_2) {
  for (const std::string told : {"7200", "99999999999999999999"}) {
    std::atomic<int> requests = 0;
    const Server server([&](Peer& peer) {
      while (!peer.request().empty()) {
        const bool is_first = requests++ == 0;
        peer.send("HTTP/1.1 103 Hints\r\nRetry-After: " + told + "\r\n\r\n");
        if (!peer.answer("said", is_first ? "503 Busy" : "200 OK")) return;
      }
    });
    const auto ended = ask_once(to(server.url()), model_rules(2));
    ASSERT_EQ(word_of(ended), "200") << told;
    EXPECT_EQ(answer_of(ended).retry_after_ms, -1) << told;
  }
}

TEST(HttpClient, ignores_an_invalid_retry_after) {
  for (const std::string told :
       {"soon", "Wed, 21 Oct 2015 07:28:00 GMT", "-99999999999999999999", "x99999999999999999999", ""}) {
    std::atomic<int> requests = 0;
    const Server server(statuses({"429 Slowly", "200 OK"}, requests, "Retry-After: " + told + "\r\n"));
    EXPECT_EQ(word_of(ask_once(to(server.url()), model_rules(4))), "200") << told;
  }
}

TEST(HttpClient, starts_no_attempt_after_the_deadline) {
  for (const std::int64_t within_ms : {500, 60'000}) {
    std::atomic<int> requests = 0;
    const Server server(statuses({"503 Oh", "200 OK"}, requests, "Retry-After: 1\r\n"));
    RetryRules rules = model_rules(4);
    rules.begins_within_ms = within_ms;
    const auto ended = ask_once(to(server.url()), rules);
    EXPECT_EQ(word_of(ended), within_ms < 1'000 ? "503" : "200");
    EXPECT_EQ(ended.attempts, within_ms < 1'000 ? 1 : 2);
  }
}

TEST(HttpClient, starts_no_first_attempt_after_the_deadline) {
  std::atomic<int> requests = 0;
  const Server hanging(hangs_and_counts(requests));
  HttpClient client(one_at_once(), open_guard());
  CallId on_wire = 0, patient = 0;
  auto first = begin(client, to(hanging.url()), {}, &on_wire);
  while (requests == 0) std::this_thread::yield();
  for (const std::string_view provider : {"", "tester"}) {
    RetryRules rules;
    rules.provider = provider;
    rules.begins_within_ms = 50;
    auto waiting = begin(client, to(hanging.url()), rules);
    ASSERT_EQ(waiting.wait_for(seconds(10)), std::future_status::ready) << "it does not wait for the slot";
    const auto ended = waiting.get();
    EXPECT_EQ(word_of(ended), "canceled");
    EXPECT_FALSE(failure_of(ended).was_sent);
    EXPECT_EQ(ended.attempts, 0);
  }
  RetryRules rules;
  rules.begins_within_ms = 60'000;
  auto in_time = begin(client, to(hanging.url()), rules, &patient);
  client.cancel(on_wire);
  EXPECT_EQ(word_of(first.get()), "canceled");
  while (requests < 2) std::this_thread::yield();
  client.cancel(patient);
  EXPECT_EQ(word_of(in_time.get()), "canceled");
}

TEST(HttpClient, tries_a_connection_three_times_D71) {
  const auto url = "http://127.0.0.1:" + std::to_string(closed_port()) + "/hook?token=secret";
  const auto ended = ask_once(to(url));
  EXPECT_EQ(word_of(ended), "connect");
  EXPECT_EQ(ended.attempts, 3);
  EXPECT_FALSE(failure_of(ended).was_sent);
  EXPECT_NE(failure_of(ended).detail.find("Connection refused"), std::string::npos)
      << failure_of(ended).detail;
  EXPECT_EQ(failure_of(ended).detail.find("secret"), std::string::npos);
}

TEST(HttpClient, cancels_a_call_in_any_state_F24) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  auto limits = small_limits();
  limits.calls_max = 1;
  limits.retry_wait_ms = 60'000;
  HttpClient client(limits, open_guard());
  CallId on_wire = 0, queued = 0;
  auto first = begin(client, to(hanging.url()), {}, &on_wire);
  auto second = begin(client, to(hanging.url()), {}, &queued);
  while (hanging.connections() == 0) std::this_thread::yield();
  EXPECT_EQ(client.in_flight(), 2U);
  EXPECT_EQ(client.held_bytes(), 2 * to("").body.size());
  client.cancel(queued);
  EXPECT_EQ(word_of(second.get()), "canceled");
  client.cancel(on_wire);
  client.cancel(on_wire);
  EXPECT_EQ(word_of(first.get()), "canceled");
  EXPECT_EQ(client.in_flight(), 0U);
  EXPECT_EQ(client.held_bytes(), 0U);

  CallId resting = 0;
  auto third = begin(client, to("http://127.0.0.1:" + std::to_string(closed_port())), {}, &resting);
  while (client.figures().attempts < 2) std::this_thread::yield();
  client.cancel(resting);
  EXPECT_EQ(word_of(third.get()), "canceled");
}

TEST(HttpClient, completes_each_call_once_in_a_storm_of_cancels) {
  const Server server(always("x"));
  auto limits = small_limits();
  limits.calls_max = 8;
  HttpClient client(limits, open_guard());
  constexpr int calls = 2'000;
  std::vector<std::atomic<int>> completions(calls);
  std::vector<CallId> ids(calls);
  std::thread starter([&] {
    for (std::size_t i = 0; i < calls; ++i)
      ids[i] = client.start(to(server.url()), {}, [&, i](const HttpOutcome&, int) { ++completions[i]; });
  });
  for (CallId id = 1; id <= calls; id += 2) client.cancel(id);
  starter.join();
  for (CallId id = 1; id <= calls; id += 3) client.cancel(id);
  while (client.in_flight() > 0) std::this_thread::yield();
  client.stop();
  for (const auto& count : completions) EXPECT_EQ(count, 1);
}

TEST(HttpClient, stops_with_calls_in_flight_and_starts_none_afterwards) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  HttpClient client(small_limits(), open_guard());
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 20; ++i) ends.push_back(begin(client, to(hanging.url())));
  while (hanging.connections() < 20) std::this_thread::yield();
  client.stop();
  ends.push_back(begin(client, to(hanging.url())));
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "canceled");
  client.stop();
  EXPECT_EQ(client.in_flight(), 0U);
}

TEST(HttpClient, refuses_calls_beyond_its_bounds) {
  const Server hanging([](Peer& peer) { peer.wait_until_closed(); });
  auto limits = small_limits();
  limits.calls_max = 2;
  limits.waiting_max = 3;
  HttpClient client(limits, open_guard());
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 5; ++i) ends.push_back(begin(client, to(hanging.url())));
  EXPECT_EQ(word_of(ask(client, to(hanging.url()))), "overloaded");
  for (auto& end : ends) EXPECT_EQ(end.wait_for(seconds(0)), std::future_status::timeout);
  EXPECT_EQ(client.figures().failures.at(static_cast<std::size_t>(FailureKind::overloaded)), 1U);
}

TEST(HttpClient, lets_a_completion_start_the_next_call) {
  const Server server(always("x"));
  HttpClient client(small_limits(), open_guard());
  std::promise<int> all;
  std::function<void(int)> go = [&](int left) {
    client.start(to(server.url()), {}, [&, left](const HttpOutcome&, int) {
      if (left == 0) return all.set_value(1);
      go(left - 1);
    });
  };
  go(50);
  EXPECT_EQ(all.get_future().get(), 1);
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, leaves_a_failing_model_alone_until_it_is_back_F22) {
  std::atomic<bool> is_well = false;
  std::atomic<int> requests = 0;
  const Server server([&](Peer& peer) {
    while (!peer.request().empty()) {
      ++requests;
      peer.answer("x", is_well ? "200 OK" : "503 Oh");
    }
  });
  auto limits = small_limits();
  limits.failures_to_open = 3;
  limits.open_ms = limits.open_ms_max = 100;
  limits.open_wait_ms_max = 60'000;
  limits.calls_max = 4;
  HttpClient client(limits, open_guard());
  const RetryRules rules{.attempts = 1, .repeats_after_send = true, .provider = "tester"};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(word_of(ask(client, to(server.url()), rules)), "503");
  is_well = true;
  std::vector<std::future<Ended>> ends;
  for (int i = 0; i < 50; ++i) ends.push_back(begin(client, to(server.url()), rules));
  // A call to an agent at the same address proceeds as usual, while no other call reaches the service.
  const auto agent = begin(client, to(server.url())).get();
  EXPECT_EQ(word_of(agent), "200");
  EXPECT_EQ(requests, 4);
  for (auto& end : ends) EXPECT_EQ(word_of(end.get()), "200");
}

TEST(HttpClient, reports_the_last_failure_of_an_unreachable_model_D48) {
  const auto url = "http://127.0.0.1:" + std::to_string(closed_port());
  auto limits = small_limits();
  limits.failures_to_open = 2;
  limits.open_ms = limits.open_ms_max = 30'000;
  HttpClient client(limits, open_guard());
  const auto ended = ask(client, to(url), {.attempts = 4, .repeats_after_send = true, .provider = "tester"});
  EXPECT_EQ(word_of(ended), "connect");
  EXPECT_EQ(ended.attempts, 2);
  EXPECT_EQ(client.figures().open_breakers, 1U);
}

}  // namespace
}  // namespace parley::outbound::support
