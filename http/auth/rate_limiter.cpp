#include "http/auth/rate_limiter.hpp"

#include <algorithm>
#include <functional>

namespace parley::http {
namespace {

constexpr std::int64_t second_us = 1'000'000;

}  // namespace

RateLimiter::RateLimiter(std::int64_t per_second)
    : interval_us_(per_second == 0 ? 0 : second_us / per_second) {}

bool RateLimiter::admits(const Id& key, Time now) {
  if (interval_us_ == 0) return true;
  std::atomic<std::int64_t>& slot = used_until_us_.at(std::hash<Id>{}(key) % used_until_us_.size());
  const std::int64_t now_us = now.ms * 1'000;
  std::int64_t used = slot.load(std::memory_order_relaxed);
  for (;;) {
    // A clock that is set back must not lock a client out for longer than a second.
    const std::int64_t from = used > now_us + second_us ? now_us : std::max(used, now_us);
    const std::int64_t until = from + interval_us_;
    if (until > now_us + second_us) return false;
    if (slot.compare_exchange_weak(used, until, std::memory_order_relaxed)) return true;
  }
}

}  // namespace parley::http
