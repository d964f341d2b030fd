#pragma once
/// Calls in tests: small limits, and a wait for one answer.

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "outbound/client/http_client.hpp"

namespace parley::outbound::support {

struct Ended {
  HttpOutcome outcome;
  int attempts = 0;
};

/// Waiting times are short, so that a test that needs all of them is quick.
inline CallLimits small_limits() {
  CallLimits limits;
  limits.slow_window_ms = 150;
  limits.retry_wait_ms = 4;
  limits.open_ms = 20;
  limits.open_ms_max = 50;
  limits.open_wait_ms_max = 400;
  return limits;
}

/// Limits under which a second call waits for its slot.
inline CallLimits one_at_once() {
  CallLimits limits = small_limits();
  limits.calls_max = 1;
  return limits;
}

inline Guard open_guard() {
  return {true, {}};
}

inline HttpRequest to(std::string url) {
  HttpRequest request;
  request.url = std::move(url);
  request.body = "{}";
  return request;
}

inline std::future<Ended> begin(HttpClient& client, HttpRequest request, RetryRules rules = {},
                                CallId* id = nullptr) {
  auto promise = std::make_shared<std::promise<Ended>>();
  auto future = promise->get_future();
  const auto given = client.start(std::move(request), rules, [promise](HttpOutcome outcome, int attempts) {
    promise->set_value({std::move(outcome), attempts});
  });
  if (id != nullptr) *id = given;
  return future;
}

inline Ended ask(HttpClient& client, HttpRequest request, RetryRules rules = {}) {
  return begin(client, std::move(request), rules).get();
}

/// Makes one call with a client of its own.
inline Ended ask_once(HttpRequest request, RetryRules rules = {}, const CallLimits& limits = small_limits(),
                      Guard guard = open_guard()) {
  HttpClient client(limits, std::move(guard));
  return ask(client, std::move(request), rules);
}

inline const HttpAnswer& answer_of(const Ended& ended) {
  return std::get<HttpAnswer>(ended.outcome);
}
inline const Failure& failure_of(const Ended& ended) {
  return std::get<Failure>(ended.outcome);
}

/// `200`, or `timeout`: the word that the tables of tests compare.
inline std::string word_of(const Ended& ended) {
  if (const auto* answer = std::get_if<HttpAnswer>(&ended.outcome)) return std::to_string(answer->status);
  return std::string(slug(std::get<Failure>(ended.outcome).kind));
}

}  // namespace parley::outbound::support
