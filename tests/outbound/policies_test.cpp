// Retries, circuit breaker and slots: the pure parts, with the time as an argument (D71, F18, F21, F22, I65).

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "outbound/admission/circuit_breaker.hpp"
#include "outbound/admission/slots.hpp"
#include "outbound/client/retry_policy.hpp"

namespace parley::outbound {
namespace {

constexpr double in_the_middle = 0.5;

HttpOutcome status(int code, std::int64_t retry_after_ms = -1) {
  HttpAnswer answer;
  answer.status = code;
  answer.retry_after_ms = retry_after_ms;
  return answer;
}

HttpOutcome failed(FailureKind kind, bool was_sent) {
  return Failure{kind, "", was_sent};
}

TEST(RetryPolicy, repeats_by_its_table_D71_F18_F21) {
  struct Row {
    HttpOutcome outcome;
    bool agent, model;  // whether the call is repeated after the first attempt
  };
  const std::vector<Row> rows = {
      {status(200), false, false},
      {status(302), false, false},
      {status(404), false, false},
      {status(408), false, true},
      {status(425), false, true},
      {status(429), false, true},
      {status(500), false, true},
      {status(529), false, true},
      {failed(FailureKind::connect, false), true, true},
      {failed(FailureKind::tls, false), true, true},
      {failed(FailureKind::timeout, true), false, true},
      {failed(FailureKind::slow, true), false, true},
      {failed(FailureKind::broken, true), false, true},
      {failed(FailureKind::too_large, true), false, false},
      {failed(FailureKind::blocked_address, false), false, false},
      {failed(FailureKind::bad_url, false), false, false},
      {failed(FailureKind::canceled, true), false, false},
      {failed(FailureKind::overloaded, false), false, false},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto tries = after({}, rows[i].outcome);
    const auto again = [&](const RetryRules& rules) {
      return retry_wait_ms(rows[i].outcome, tries, rules, {}, in_the_middle).has_value();
    };
    EXPECT_EQ(again({1, false}), rows[i].agent) << i;
    EXPECT_EQ(again({4, true}), rows[i].model) << i;
  }
}

TEST(RetryPolicy, treats_a_service_that_asks_for_patience_as_working) {
  for (const int code : {200, 404, 408, 425, 429}) EXPECT_FALSE(is_failure_of_service(status(code))) << code;
  for (const int code : {500, 503, 529}) EXPECT_TRUE(is_failure_of_service(status(code))) << code;
}

int attempts_of(const HttpOutcome& outcome, const RetryRules& rules) {
  Tries tries;
  do tries = after(tries, outcome);
  while (retry_wait_ms(outcome, tries, rules, {}, in_the_middle) && tries.made < 100);
  return tries.made;
}

TEST(RetryPolicy, ends) {
  EXPECT_EQ(attempts_of(failed(FailureKind::connect, false), {1, false}), 3);
  EXPECT_EQ(attempts_of(failed(FailureKind::connect, false), {3, true}), 5);
  EXPECT_EQ(attempts_of(status(503), {3, true}), 3);
  EXPECT_EQ(attempts_of(failed(FailureKind::broken, true), {4, true}), 4);
}

TEST(RetryPolicy, counts_no_connect_failure_against_the_attempts_of_a_sent_request) {
  const auto tries =
      after(after(after({}, failed(FailureKind::connect, false)), failed(FailureKind::connect, false)),
            status(500));
  EXPECT_TRUE(retry_wait_ms(status(500), tries, {2, true}, {}, 0).has_value());
  EXPECT_FALSE(retry_wait_ms(status(500), tries, {1, true}, {}, 0).has_value());
}

TEST(RetryPolicy, waits_twice_as_long_each_time_with_full_jitter) {
  const auto wait = [](int made, double random) {
    return retry_wait_ms(status(500), {made, 0}, {1'000, true}, {}, random).value();
  };
  EXPECT_EQ(wait(1, 0), 0);
  EXPECT_EQ(wait(1, in_the_middle), 250);
  EXPECT_EQ(wait(2, in_the_middle), 500);
  EXPECT_EQ(wait(6, in_the_middle), 8'000);
  EXPECT_EQ(wait(7, in_the_middle), 15'000);
  EXPECT_EQ(wait(900, in_the_middle), 15'000);
}

TEST(RetryPolicy, honours_retry_after_up_to_its_bound) {
  const auto wait = [](std::int64_t retry_after_ms) {
    return retry_wait_ms(status(429, retry_after_ms), {1, 0}, {4, true}, {}, in_the_middle);
  };
  EXPECT_EQ(wait(3'000), 3'250);
  EXPECT_EQ(wait(120'000), 120'250);
  EXPECT_EQ(wait(120'001), std::nullopt);
}

CallLimits breaker_limits() {
  CallLimits limits;
  limits.failures_to_open = 3;
  limits.open_ms = 100;
  limits.open_ms_max = 300;
  return limits;
}

TEST(CircuitBreaker, opens_after_failures_in_a_row_and_tries_with_one_call) {
  const auto limits = breaker_limits();
  CircuitBreaker breaker;
  breaker.on_failure(breaker.begin(), 0, limits);
  breaker.on_failure(breaker.begin(), 0, limits);
  breaker.on_success();
  breaker.on_failure(breaker.begin(), 0, limits);
  breaker.on_failure(breaker.begin(), 0, limits);
  EXPECT_TRUE(breaker.admits(0));
  const auto late = breaker.begin();
  breaker.on_failure(breaker.begin(), 1'000, limits);
  EXPECT_EQ(breaker.state(), CircuitBreaker::State::open);
  EXPECT_FALSE(breaker.admits(1'099));
  ASSERT_TRUE(breaker.admits(1'100));
  const auto trial = breaker.begin();
  EXPECT_EQ(trial, CircuitBreaker::Pass::trial);
  EXPECT_FALSE(breaker.admits(99'999));
  // A call that was sent earlier ends late, and decides nothing.
  breaker.on_failure(late, 1'150, limits);
  EXPECT_EQ(breaker.state(), CircuitBreaker::State::trying);
  breaker.on_failure(trial, 1'200, limits);
  EXPECT_EQ(breaker.open_until_ms(), 1'400);
  breaker.on_failure(breaker.begin(), 1'400, limits);
  EXPECT_EQ(breaker.open_until_ms(), 1'700);
  breaker.on_nothing(breaker.begin());
  ASSERT_TRUE(breaker.admits(1'700));
  breaker.begin();
  breaker.on_success();
  EXPECT_TRUE(breaker.is_fresh());
}

CallLimits slot_limits() {
  auto limits = breaker_limits();
  limits.calls_max = 4;
  limits.calls_per_origin_max = 3;
  return limits;
}

std::vector<CallId> admitted(Slots& slots, std::int64_t now_ms = 0) {
  std::vector<CallId> ids;
  while (const auto slot = slots.next(now_ms)) ids.push_back(slot->id);
  return ids;
}

TEST(Slots, let_services_take_turns_and_calls_of_one_in_order) {
  const auto limits = slot_limits();
  Slots slots(limits);
  const Slots::Line many{"many", {}}, few{"few", {}};
  for (CallId id = 1; id <= 6; ++id) slots.wait(id, many);
  slots.wait(7, few);
  EXPECT_EQ(admitted(slots), (std::vector<CallId>{1, 7, 2, 3}));
  slots.release(few, {}, Health::good, 0);
  // The service uses its three slots; the fourth stays free for another service.
  EXPECT_EQ(admitted(slots), (std::vector<CallId>{}));
  slots.release(many, {}, Health::good, 0);
  slots.wait(1, many);
  EXPECT_EQ(admitted(slots), (std::vector<CallId>{1}));
  EXPECT_EQ(slots.on_wire(), 3U);
}

TEST(Slots, forget_unused_lines) {
  const auto limits = slot_limits();
  Slots slots(limits);
  slots.wait(1, {"a", {}});
  slots.wait(2, {"b", {}});
  slots.forget(2, {"b", {}});
  slots.forget(9, {"c", {}});
  EXPECT_EQ(admitted(slots), (std::vector<CallId>{1}));
  slots.release({"a", {}}, {}, Health::bad, 0);
  EXPECT_EQ(admitted(slots), (std::vector<CallId>{}));
  EXPECT_EQ(slots.lines(), 0U);
}

TEST(Slots, hold_back_only_the_line_whose_service_fails) {
  const auto limits = slot_limits();
  Slots slots(limits);
  const Slots::Line model{"a", "judge"}, other{"a", "tester"}, agent{"a", {}};
  for (CallId id = 1; id <= 3; ++id) slots.wait(id, model);
  EXPECT_EQ(admitted(slots).size(), 3U);
  for (int i = 0; i < 3; ++i) slots.release(model, CircuitBreaker::Pass::normal, Health::bad, 0);
  EXPECT_EQ(slots.open_breakers(), 1U);
  EXPECT_TRUE(slots.is_open(model));
  for (CallId id = 4; id <= 6; ++id) slots.wait(id, model);
  slots.wait(7, agent);
  slots.wait(8, other);
  EXPECT_EQ(admitted(slots, 99), (std::vector<CallId>{7, 8}))
      << "neither agents nor the other model at one origin";
  EXPECT_EQ(slots.opens_at_ms(), 100);
  const auto trial = slots.next(100);
  ASSERT_TRUE(trial.has_value());
  EXPECT_EQ(trial->pass, CircuitBreaker::Pass::trial);
  EXPECT_EQ(admitted(slots, 100), (std::vector<CallId>{}));
  slots.release(model, trial->pass, Health::good, 150);
  EXPECT_EQ(admitted(slots, 150), (std::vector<CallId>{5, 6}));
  EXPECT_EQ(slots.open_breakers(), 0U);
}

}  // namespace
}  // namespace parley::outbound
