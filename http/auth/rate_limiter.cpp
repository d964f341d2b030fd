#include "http/auth/rate_limiter.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace parley::http {
namespace {

constexpr std::int64_t second_us = 1'000'000;
constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t failures_a_minute = 5;
constexpr std::int64_t failure_ms = minute_ms / failures_a_minute;

std::size_t slot_of(const store::Address& address, std::size_t slots) {
  constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const bool is_v4 = std::equal(mapped.begin(), mapped.end(), address.begin());
  constexpr std::size_t network_bytes = 8;
  const std::string_view all(reinterpret_cast<const char*>(address.data()), address.size());
  return std::hash<std::string_view>{}(is_v4 ? all : all.substr(0, network_bytes)) % slots;
}

}  // namespace

RateLimiter::RateLimiter(std::int64_t per_second)
    : interval_us_(per_second == 0 ? 0 : second_us / per_second) {}

bool RateLimiter::admits(const Id& key, Time now) {
  if (interval_us_ == 0) return true;
  std::atomic<std::int64_t>& slot = used_until_us_.at(std::hash<Id>{}(key) % used_until_us_.size());
  const std::int64_t now_us = now.ms * 1'000;
  std::int64_t used = slot.load(std::memory_order_relaxed);
  for (;;) {
    // If the clock is set back, a client must not be locked out for longer than a second.
    const std::int64_t from = used > now_us + second_us ? now_us : std::max(used, now_us);
    const std::int64_t until = from + interval_us_;
    if (until > now_us + second_us) return false;
    if (slot.compare_exchange_weak(used, until, std::memory_order_relaxed)) return true;
  }
}

int SignInLimiter::wait_s(const store::Address& address, Time now) const {
  const auto& slot = used_until_ms_.at(slot_of(address, used_until_ms_.size()));
  // If the clock is set back, an address must not be locked out for longer than a minute.
  const std::int64_t used = std::min(slot.load(std::memory_order_relaxed), now.ms + minute_ms);
  const std::int64_t wait_ms = used - (now.ms + minute_ms - failure_ms);
  return wait_ms <= 0 ? 0 : static_cast<int>((wait_ms + 999) / 1'000);
}

void SignInLimiter::note_failure(const store::Address& address, Time now) {
  auto& slot = used_until_ms_.at(slot_of(address, used_until_ms_.size()));
  std::int64_t used = slot.load(std::memory_order_relaxed);
  std::int64_t until = 0;
  do {
    until = std::clamp(used, now.ms, now.ms + minute_ms) + failure_ms;
  } while (!slot.compare_exchange_weak(used, until, std::memory_order_relaxed));
}

}  // namespace parley::http
