// How calls to a service that reports too many calls are slowed down (ADR 28).

#include "outbound/admission/pace.hpp"

#include <gtest/gtest.h>

#include "outbound/admission/slots.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t crowd = 100;

HttpAnswer answer(int status, std::int64_t retry_after_ms = -1) {
  HttpAnswer made;
  made.status = status;
  made.retry_after_ms = retry_after_ms;
  return made;
}

Pace::Ended throttled(std::int64_t began_ms, std::int64_t pause_ms = 1'000) {
  return {Pace::Sign::throttled, began_ms, pause_ms};
}

TEST(Pace, reads_what_an_outcome_says) {
  struct Row {
    HttpOutcome outcome;
    Pace::Sign sign;
  };
  const std::vector<Row> rows{
      {answer(200), Pace::Sign::good},
      {answer(404), Pace::Sign::good},
      {answer(429), Pace::Sign::throttled},
      {answer(503, 1'000), Pace::Sign::throttled},
      {answer(503), Pace::Sign::nothing},
      {answer(500), Pace::Sign::nothing},
      {Failure{FailureKind::timeout, "", true}, Pace::Sign::timeout},
      {Failure{FailureKind::connect, "", false}, Pace::Sign::nothing},
  };
  for (const Row& row : rows) EXPECT_EQ(Pace::sign_of(row.outcome), row.sign);
}

TEST(Pace, has_no_bound_before_a_service_asks_for_one) {
  Pace pace;
  EXPECT_TRUE(pace.admits(1'000'000, 0));
  EXPECT_FALSE(pace.is_slowed());
}

TEST(Pace, halves_once_for_each_round_and_grows_slowly) {
  const CallLimits limits;
  Pace pace;
  for (std::size_t i = 0; i < 5; ++i) pace.on_end(throttled(0), crowd - i, 10, limits);
  EXPECT_EQ(pace.window(), 50U) << "calls that were on their way say nothing new";
  pace.on_end(throttled(11), 50, 20, limits);
  EXPECT_EQ(pace.window(), 25U);
  EXPECT_TRUE(pace.admits(24, 20));
  EXPECT_FALSE(pace.admits(25, 20));
  for (int i = 0; i < 25; ++i) pace.on_end({Pace::Sign::good, 20, 0}, 25, 30, limits);
  EXPECT_EQ(pace.window(), 25U);
  pace.on_end({Pace::Sign::good, 20, 0}, 25, 30, limits);
  EXPECT_EQ(pace.window(), 26U) << "one more after a round";
  const auto calm = 20 + limits.calm_ms;
  for (int i = 0; i < 10; ++i) pace.on_end({Pace::Sign::good, 20, 0}, 25, calm, limits);
  EXPECT_EQ(pace.window(), 36U);
  for (int i = 0; i < 170; ++i) pace.on_end({Pace::Sign::good, 20, 0}, 25, calm, limits);
  EXPECT_FALSE(pace.is_slowed()) << "at twice the size at which it was slowed first";
}

TEST(Pace, pauses_after_a_row_of_refusals_and_then_tries_single_calls) {
  const CallLimits limits;
  Pace pace;
  for (int i = 0; i < limits.throttled_row_max; ++i) pace.on_end(throttled(i, 3'000), crowd, i, limits);
  const auto last = limits.throttled_row_max - 1;
  EXPECT_EQ(pace.window(), 1U);
  EXPECT_EQ(pace.paused_until_ms(), last + 3'000);
  EXPECT_FALSE(pace.admits(0, last + 2'999));
  EXPECT_TRUE(pace.admits(0, last + 3'000));
  EXPECT_FALSE(pace.admits(1, last + 3'000));
  pace.on_end(throttled(last + 3'000, 1'000'000'000), 1, last + 3'000, limits);
  EXPECT_EQ(pace.paused_until_ms(), last + 3'000 + limits.retry_after_ms_max) << "the longest pause";
}

TEST(Pace, half_of_refusals_by_chance_never_pauses_for_long) {
  const CallLimits limits;
  Pace pace;
  std::uint32_t dice = 7;
  std::int64_t now = 0, paused = 0;
  int good = 0;
  while (good < 2'000) {
    now = std::max(now + 1, pace.paused_until_ms());
    ASSERT_TRUE(pace.admits(0, now));
    dice = dice * 1664525U + 1013904223U;
    const bool is_refused = (dice >> 16U) % 2 == 0;
    const auto before = pace.paused_until_ms();
    pace.on_end(is_refused ? throttled(now) : Pace::Ended{Pace::Sign::good, now, 0}, 4, now, limits);
    paused += pace.paused_until_ms() > before ? 1'000 : 0;
    good += is_refused ? 0 : 1;
  }
  EXPECT_LT(paused, 60'000);
}

TEST(Pace, a_service_that_hangs_now_and_then_is_not_slowed_down) {
  const CallLimits limits;
  Pace pace;
  for (int i = 0; i < 5'000; ++i) {
    pace.on_end({i % 10 == 0 ? Pace::Sign::timeout : Pace::Sign::good, i, 0}, crowd, i, limits);
    ASSERT_FALSE(pace.is_slowed()) << i;
  }
}

TEST(Pace, a_service_that_hangs_often_gets_fewer_calls_but_not_single_ones) {
  const CallLimits limits;
  Pace pace;
  for (int i = 0; i < 1'000; ++i) pace.on_end({Pace::Sign::timeout, i, 0}, crowd, i, limits);
  EXPECT_EQ(pace.window(), 16U);
  EXPECT_TRUE(pace.admits(0, 1'000));
}

TEST(Pace, knows_when_a_service_allows_nothing) {
  const CallLimits limits;
  Pace pace;
  pace.on_end(throttled(0), crowd, 100, limits);
  EXPECT_FALSE(pace.is_starved(100 + limits.throttled_ms_max - 1, limits.throttled_ms_max));
  EXPECT_TRUE(pace.is_starved(100 + limits.throttled_ms_max, limits.throttled_ms_max));
  pace.on_end({Pace::Sign::good, 100, 0}, 1, 5'000, limits);
  EXPECT_FALSE(pace.is_starved(100 + limits.throttled_ms_max, limits.throttled_ms_max));
}

TEST(Slots, limit_a_slowed_service_to_its_window_and_no_other_service) {
  CallLimits limits;
  Slots slots(limits);
  const Slots::Line slow{"slow", {}}, other{"other", {}};
  for (CallId id = 1; id <= 20; ++id) slots.wait(id, slow);
  std::size_t begun = 0;
  while (slots.next(0)) ++begun;
  ASSERT_EQ(begun, 20U);
  for (int i = 0; i < 20; ++i)
    slots.release(slow, CircuitBreaker::Pass::normal, Health::good, 1, {Pace::Sign::throttled, 0, 500});
  EXPECT_EQ(slots.slowed(), 1U);
  EXPECT_EQ(slots.window(slow), 1U);
  for (CallId id = 1; id <= 20; ++id) slots.wait(id, slow);
  slots.wait(21, other);
  const auto first = slots.next(2);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->id, 21U) << "its pause holds nobody else up";
  EXPECT_FALSE(slots.next(2));
  EXPECT_EQ(slots.opens_at_ms(), 501);
  EXPECT_EQ(slots.next(501)->id, 1U);
  EXPECT_FALSE(slots.next(501));
  EXPECT_EQ(slots.opens_at_ms(), std::nullopt)
      << "its window is full: the end of a call is awaited, not a time";
}

}  // namespace
}  // namespace parley::outbound
