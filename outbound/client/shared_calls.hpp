#pragma once
/// SharedCalls: the state that the threads of one HttpClient share, so that limits hold for all of them
/// together. The origin of a call determines its thread (OriginPins). Calls without an origin are not pinned,
/// and no call is if there is only one thread.
///
/// Thread: any. The lock is held for one look-up.

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "outbound/admission/origin_pins.hpp"
#include "outbound/client/wire_permits.hpp"

namespace parley::outbound {

struct NewCall;

class SharedCalls {
 public:
  SharedCalls(std::size_t calls_max, std::size_t threads)
      : permits(calls_max, threads), threads_(threads), pins_(threads) {}

  /// The thread for a call to the origin that begins now.
  [[nodiscard]] std::size_t begin(const std::string& origin) {
    if (threads_ == 1) return 0;
    const std::lock_guard lock(mutex_);
    return pins_.begin(origin);
  }
  void end(const std::string& origin) {
    if (threads_ == 1 || origin.empty()) return;
    const std::lock_guard lock(mutex_);
    pins_.end(origin);
  }
  void remember(const std::string& origin, bool is_more) {
    if (threads_ == 1) return;
    const std::lock_guard lock(mutex_);
    pins_.remember(origin, is_more);
  }

  WirePermits permits;
  std::atomic<std::size_t> calls = 0;  ///< number of calls that a thread has accepted, in any phase
  std::atomic<std::size_t> large_bodies_bytes = 0;  ///< total memory of the large answers of all transfers
  /// Starts a separate call on the thread of its origin. Set before the threads begin.
  std::function<void(NewCall call)> start;
  std::function<void(std::size_t thread)> wake;

 private:
  std::size_t threads_;
  std::mutex mutex_;
  OriginPins pins_;
};

}  // namespace parley::outbound
