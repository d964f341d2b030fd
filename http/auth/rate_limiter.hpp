#pragma once
/// KeyPace: how many POSTs each API key may send (reliability 5.5, 5.6 API6; `--key-rate`, off by default). One number a key,
/// the instant at which its share is used up (GCRA); keys that fall into one slot share it, which 4,096 slots make rare.
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

  /// Takes one request of the key's share. False: the share of a second is used up, and nothing was taken.
  [[nodiscard]] bool admits(const Id& key, Time now);

 private:
  std::int64_t interval_us_;
  std::array<std::atomic<std::int64_t>, 4'096> used_until_us_{};
};

}  // namespace parley::http
