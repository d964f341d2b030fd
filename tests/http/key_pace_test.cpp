#include <gtest/gtest.h>

#include "http/auth/rate_limiter.hpp"

namespace parley::http {
namespace {

constexpr Time pace_begin{1'700'000'000'000};

int admitted(RateLimiter& pace, const Id& key, Time now, int asked) {
  int count = 0;
  for (int i = 0; i < asked; ++i) count += pace.admits(key, now) ? 1 : 0;
  return count;
}

TEST(RateLimiter, limits_each_key_to_its_share_of_a_second_API6) {
  RateLimiter pace(10);
  const Id one{{1}};
  const Id other{{2}};
  EXPECT_EQ(admitted(pace, one, pace_begin, 30), 10);
  EXPECT_EQ(admitted(pace, other, pace_begin, 30), 10);
  EXPECT_EQ(admitted(pace, one, Time{pace_begin.ms + 99}, 30), 0);
  EXPECT_EQ(admitted(pace, one, Time{pace_begin.ms + 100}, 30), 1);
  EXPECT_EQ(admitted(pace, one, Time{pace_begin.ms + 600}, 30), 5);
  EXPECT_EQ(admitted(pace, one, Time{pace_begin.ms + 60'000}, 30), 10);
}

TEST(RateLimiter, has_no_limit_unless_one_is_set) {
  RateLimiter pace(0);
  EXPECT_EQ(admitted(pace, Id{{1}}, pace_begin, 100'000), 100'000);
}

TEST(RateLimiter, tolerates_a_clock_that_was_set_back) {
  RateLimiter pace(10);
  const Id key{{1}};
  EXPECT_EQ(admitted(pace, key, pace_begin, 30), 10);
  EXPECT_EQ(admitted(pace, key, Time{pace_begin.ms - 3'600'000}, 30), 10);
}

}  // namespace
}  // namespace parley::http
