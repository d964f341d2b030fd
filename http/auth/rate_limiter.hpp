#pragma once
/// RateLimiter: limits the POSTs per second of each API key (`--key-rate`, off by default). Stores one number per
/// key: the instant until which its share is used up (GCRA). Keys that map to the same of the 4,096 slots share the
/// limit. Thread: any, without locks.

#include <array>
#include <atomic>
#include <cstdint>

#include "model/id.hpp"
#include "model/time.hpp"
#include "store/audit/author.hpp"

namespace parley::http {

class RateLimiter {
 public:
  /// Needs: at most 1,000,000. 0 means no limit.
  explicit RateLimiter(std::int64_t per_second);

  /// Takes one request from the key's share. Returns false and takes nothing if the share of this second is used up.
  [[nodiscard]] bool admits(const Id& key, Time now);

 private:
  std::int64_t interval_us_;
  std::array<std::atomic<std::int64_t>, 4'096> used_until_us_{};
};

/// SignInLimiter: allows five failed sign-ins per minute from one address, then one every twelve seconds. An IPv6
/// address counts as its /64 network, because one client may own all of it. Thread: any, without locks.
class SignInLimiter {
 public:
  /// Seconds until the address may try again; 0 means now.
  [[nodiscard]] int wait_s(const store::Address& address, Time now) const;
  void note_failure(const store::Address& address, Time now);

 private:
  std::array<std::atomic<std::int64_t>, 4'096> used_until_ms_{};
};

}  // namespace parley::http
