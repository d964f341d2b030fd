// Which client carries the calls to an origin.

#include "outbound/admission/origin_pins.hpp"

#include <gtest/gtest.h>

#include "outbound/admission/slots.hpp"

namespace parley::outbound {
namespace {

TEST(OriginPins, keep_an_origin_on_one_client_and_spread_origins) {
  OriginPins pins(3);
  EXPECT_EQ(pins.begin("a"), 0U);
  EXPECT_EQ(pins.begin("b"), 1U);
  EXPECT_EQ(pins.begin("a"), 0U);
  EXPECT_EQ(pins.begin("c"), 2U);
  EXPECT_EQ(pins.begin("d"), 1U) << "the least calls, then the fewest origins";
}

TEST(OriginPins, stay_where_their_connections_are) {
  OriginPins pins(2);
  EXPECT_EQ(pins.begin("a"), 0U);
  EXPECT_EQ(pins.begin("b"), 1U);
  pins.end("b");
  EXPECT_EQ(pins.begin("b"), 1U);
}

TEST(OriginPins, move_an_origin_without_calls_off_a_busy_client) {
  OriginPins pins(2);
  EXPECT_EQ(pins.begin("idle"), 0U);
  EXPECT_EQ(pins.begin("other"), 1U);
  pins.end("idle");
  pins.end("other");
  EXPECT_EQ(pins.begin("busy"), 0U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(pins.begin("busy"), 0U);
  EXPECT_EQ(pins.begin("idle"), 1U);
  EXPECT_EQ(pins.begin("busy"), 0U) << "an origin with calls never moves";
}

TEST(OriginPins, do_not_move_an_origin_with_remembered_state) {
  OriginPins pins(2);
  EXPECT_EQ(pins.begin("slowed"), 0U);
  pins.remember("slowed", true);
  pins.end("slowed");
  EXPECT_EQ(pins.begin("other"), 1U);
  pins.end("other");
  EXPECT_EQ(pins.begin("busy"), 0U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(pins.begin("busy"), 0U);
  EXPECT_EQ(pins.begin("slowed"), 0U);
  pins.remember("slowed", false);
  pins.end("slowed");
  EXPECT_EQ(pins.begin("slowed"), 1U);
}

TEST(OriginPins, forget_origins_without_calls_beyond_their_bound) {
  OriginPins pins(2, 3);
  EXPECT_EQ(pins.begin("kept"), 0U);
  for (const auto* name : {"a", "b", "c"}) {
    (void)pins.begin(name);
    pins.end(name);
  }
  EXPECT_EQ(pins.size(), 4U);
  (void)pins.begin("d");
  EXPECT_EQ(pins.size(), 2U);
  pins.end("kept");
  pins.end("d");
}

TEST(Slots, report_what_outlives_the_calls_of_an_origin) {
  CallLimits limits;
  limits.failures_to_open = 3;
  limits.open_ms = 100;
  std::vector<std::pair<std::string, bool>> reported;
  Slots slots(limits,
              [&](const std::string& origin, bool is_more) { reported.emplace_back(origin, is_more); });
  const Slots::Line judge{"https://a:443", "judge"}, agent{"https://a:443", {}};
  for (CallId id = 1; id <= 2; ++id) slots.wait(id, judge);
  slots.wait(3, agent);
  while (slots.next(0)) {
  }
  slots.release(judge, {}, Health::bad, 0);
  slots.release(agent, {}, Health::bad, 0, {Pace::Sign::throttled, 0, -1});
  EXPECT_EQ(reported,
            (std::vector<std::pair<std::string, bool>>{{"https://a:443", true}, {"https://a:443", true}}));
  slots.release(judge, {}, Health::good, 1);
  EXPECT_EQ(reported.back(), std::pair("https://a:443" + std::string(), false));
  EXPECT_EQ(reported.size(), 3U);
}

}  // namespace
}  // namespace parley::outbound
