#pragma once
/// Breaker: leaves a service alone that fails every time, and finds out with single calls when it is back.
///
///            failures_to_open in a row             open_ms passed, one call tries
///   closed ────────────────────────────► open ─────────────────────────────────► trying
///     ▲                                   ▲  the try fails: twice as long           │
///     │                                   └─────────────────────────────────────────┤
///     └──────────────────────────────── a call succeeds ────────────────────────────┘
///
/// Pure: the time comes in, in milliseconds of a clock that never goes back.

#include <cstdint>

#include "outbound/call_limits.hpp"

namespace parley::outbound {

class CircuitBreaker {
 public:
  enum class State { closed, open, trying };
  /// Of a call that was let through: the one that tries, or one of the crowd.
  enum class Pass { normal, trial };

  /// Whether a call may be sent now.
  [[nodiscard]] bool admits(std::int64_t now_ms) const;
  /// A call is sent. Needs: admits().
  Pass begin();
  void on_success();
  void on_failure(Pass pass, std::int64_t now_ms, const CallLimits& limits);
  /// A call ended without telling anything (canceled): if it was the trial, another one may try.
  void on_nothing(Pass pass);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] std::int64_t open_until_ms() const { return open_until_ms_; }
  /// Without failures since the last success: nothing would be lost with it.
  [[nodiscard]] bool is_fresh() const { return state_ == State::closed && failures_ == 0; }

 private:
  void open(std::int64_t now_ms, const CallLimits& limits);

  State state_ = State::closed;
  int failures_ = 0;  ///< in a row
  std::int64_t open_for_ms_ = 0;
  std::int64_t open_until_ms_ = 0;
};

}  // namespace parley::outbound
