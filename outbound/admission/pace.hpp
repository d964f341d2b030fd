#pragma once
/// Pace: how many concurrent calls one service receives after it reported too many (ADR 28). Before such a report there is
/// no separate bound.
///
///   answer                                   the window                          in addition
///   429, or 503 with Retry-After             halved, once for each round         `throttled_row_max` in a row: one call at a
///                                                                                time, after the requested pause
///   time-out, if a third of the calls since  halved, once for each round
///   the last cut timed out
///   any other answer below 500               + 1 / window; + 1 once it was       at twice the first size: no bound again
///                                            calm for `calm_ms`
///
/// A round is the calls that began after the last cut: those already on the wire carry no new information. Pure: the time is a
/// parameter, in milliseconds of a clock that never goes back.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "outbound/call_limits.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The service refuses the call because it receives too many: a 429, or a 503 that names a time.
[[nodiscard]] bool is_throttled(const HttpOutcome& outcome);

class Pace {
 public:
  enum class Sign : std::uint8_t { good, throttled, timeout, nothing };
  struct Ended {
    Sign sign = Sign::nothing;
    std::int64_t began_ms = 0;
    std::int64_t pause_ms = 0;  ///< that a throttled answer requests
  };
  [[nodiscard]] static Sign sign_of(const HttpOutcome& outcome);

  /// Whether one more call may begin in addition to those on the wire.
  [[nodiscard]] bool admits(std::size_t on_wire, std::int64_t now_ms) const;
  /// A call ended. `on_wire`: the number of calls on the wire, this one included.
  void on_end(const Ended& ended, std::size_t on_wire, std::int64_t now_ms, const CallLimits& limits);

  [[nodiscard]] bool is_slowed() const { return window_ > 0; }
  [[nodiscard]] std::size_t window() const;
  [[nodiscard]] std::int64_t paused_until_ms() const { return paused_until_ms_; }
  /// It has been slowed for this long without a good answer.
  [[nodiscard]] bool is_starved(std::int64_t now_ms, std::int64_t for_ms) const;

 private:
  void cut(std::size_t on_wire, std::size_t least, std::int64_t now_ms);
  void grow(std::int64_t now_ms, const CallLimits& limits);

  double window_ = 0;   ///< 0: no bound
  double free_at_ = 0;  ///< the window at which the bound is removed
  std::int64_t cut_ms_ = 0;
  std::int64_t good_ms_ = 0;       ///< the last good answer, or the time when it was slowed
  std::int64_t throttled_ms_ = 0;  ///< the last throttled answer or time-out that counted
  std::int64_t paused_until_ms_ = 0;
  std::size_t answers_ = 0;   ///< since the last cut
  std::size_t timeouts_ = 0;  ///< the same
  int throttled_row_ = 0;
};

}  // namespace parley::outbound
