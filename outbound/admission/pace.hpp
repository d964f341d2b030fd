#pragma once
/// Pace: how many calls one service gets at once after it said that they are too many (ADR 28). Without such a word there is
/// no bound of its own.
///
///   what came back                           the window                          besides
///   429, or 503 with Retry-After             halved, once for each round         `throttled_row_max` in a row: one call at a
///                                                                                time, after the pause that was asked for
///   time-out, if a third of the calls since  halved, once for each round
///   the last cut timed out
///   any other answer below 500               + 1 / window; + 1 once it was       at twice the first size: no bound again
///                                            calm for `calm_ms`
///
/// A round is the calls that began after the last cut: those that were on their way say nothing new. Pure: the time is a
/// parameter, in milliseconds of a clock that never goes back.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "outbound/call_limits.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The service refuses the call because calls are too many: a 429, or a 503 that names a time.
[[nodiscard]] bool is_throttled(const HttpOutcome& outcome);

class Pace {
 public:
  enum class Sign : std::uint8_t { good, throttled, timeout, nothing };
  struct Ended {
    Sign sign = Sign::nothing;
    std::int64_t began_ms = 0;
    std::int64_t pause_ms = 0;  ///< that a throttled answer asks for
  };
  [[nodiscard]] static Sign sign_of(const HttpOutcome& outcome);

  /// Whether one more call may begin beside those on the wire.
  [[nodiscard]] bool admits(std::size_t on_wire, std::int64_t now_ms) const;
  /// A call ended. `on_wire`: how many there were with it.
  void on_end(const Ended& ended, std::size_t on_wire, std::int64_t now_ms, const CallLimits& limits);

  [[nodiscard]] bool is_slowed() const { return window_ > 0; }
  [[nodiscard]] std::size_t window() const;
  [[nodiscard]] std::int64_t paused_until_ms() const { return paused_until_ms_; }
  /// It has been slowed for that long without one good answer.
  [[nodiscard]] bool is_starved(std::int64_t now_ms, std::int64_t for_ms) const;

 private:
  void cut(std::size_t on_wire, std::size_t least, std::int64_t now_ms);
  void grow(std::int64_t now_ms, const CallLimits& limits);

  double window_ = 0;   ///< 0: no bound
  double free_at_ = 0;  ///< the window at which there is no bound again
  std::int64_t cut_ms_ = 0;
  std::int64_t good_ms_ = 0;       ///< the last good answer, or when it was slowed
  std::int64_t throttled_ms_ = 0;  ///< the last throttled answer or time-out that counted
  std::int64_t paused_until_ms_ = 0;
  std::size_t answers_ = 0;   ///< of late, since the last cut
  std::size_t timeouts_ = 0;  ///< the same
  int throttled_row_ = 0;
};

}  // namespace parley::outbound
