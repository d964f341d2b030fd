#pragma once
/// RateLimiter: limits the POSTs per second of each API key (`--key-rate`, off by default). One number per
/// key, the instant until which its share is used up (GCRA). Keys that share one of the 4,096 slots share the
/// limit. Thread: any, without locks.
/// Thread: any, without locks.

#include <array>
#include <atomic>
#include <cstdint>

#include "model/id.hpp"
#include "model/time.hpp"

namespace parley::http {

class RateLimiter {
 public:
  /// Needs: at most 1,000,000. 0: no limit.
  explicit RateLimiter(std::int64_t per_second);

  /// Takes one request from the key's share. False: the share of this second is used up, and nothing was
  /// taken.
  [[nodiscard]] bool admits(const Id& key, Time now);

 private:
  std::int64_t interval_us_;
  std::array<std::atomic<std::int64_t>, 4'096> used_until_us_{};
};

}  // namespace parley::http
