#pragma once
/// CircuitBreaker: stops calls to a service that fails every time, and detects its recovery with single calls.
///
///            failures_to_open in a row             open_ms passed, one call tries
///   closed ────────────────────────────► open ─────────────────────────────────► trying
///     ▲                                   ▲  the try fails: twice as long           │
///     │                                   └─────────────────────────────────────────┤
///     └──────────────────────────────── a call succeeds ────────────────────────────┘
///
/// Pure: the time is a parameter, in milliseconds of a monotonic clock.

#include <cstdint>

#include "outbound/call_limits.hpp"

namespace parley::outbound {

class CircuitBreaker {
 public:
  enum class State { closed, open, trying };
  /// The kind of an admitted call: the trial, or a normal call.
  enum class Pass { normal, trial };

  /// Whether a call may be sent now.
  [[nodiscard]] bool admits(std::int64_t now_ms) const;
  /// Call when a call is sent. Needs: admits().
  Pass begin();
  void on_success();
  void on_failure(Pass pass, std::int64_t now_ms, const CallLimits& limits);
  /// A call ended without an outcome (canceled). If it was the trial, another call may be the trial.
  void on_nothing(Pass pass);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] std::int64_t open_until_ms() const { return open_until_ms_; }
  /// Whether there were no failures since the last success, so that the breaker may be dropped.
  [[nodiscard]] bool is_fresh() const { return state_ == State::closed && failures_ == 0; }

 private:
  void open(std::int64_t now_ms, const CallLimits& limits);

  State state_ = State::closed;
  int failures_ = 0;  ///< consecutive failures
  std::int64_t open_for_ms_ = 0;
  std::int64_t open_until_ms_ = 0;
};

}  // namespace parley::outbound
