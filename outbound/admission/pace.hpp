#pragma once
/// Pace: limits the concurrent calls to a service after it reported too many (ADR 28). Before such a report, no
/// separate limit applies.
///
///   answer                                   the window                          in addition
///   429, or 503 with Retry-After             halved, once for each round         `throttled_row_max` in a row: one
///                                                                                call at a time, after the
///                                                                                requested pause
///   time-out, if a third of the calls since  halved, once for each round
///   the last cut timed out
///   any other answer below 500               + 1 / window; + 1 once it was       at twice the first size: no limit
///                                            calm for `calm_ms`
///
/// A round consists of the calls that began after the last cut: calls that were already on the wire carry no
/// new information. Pure: the time is a parameter, in milliseconds of a monotonic clock.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "outbound/call_limits.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Whether the service refused the call because it receives too many: a 429, or a 503 with a Retry-After.
[[nodiscard]] bool is_throttled(const HttpOutcome& outcome);

class Pace {
 public:
  enum class Sign : std::uint8_t { good, throttled, timeout, nothing };
  struct Ended {
    Sign sign = Sign::nothing;
    std::int64_t began_ms = 0;
    std::int64_t pause_ms = 0;  ///< the pause that a throttled answer requests
  };
  [[nodiscard]] static Sign sign_of(const HttpOutcome& outcome);

  /// Whether one more call may begin in addition to those on the wire.
  [[nodiscard]] bool admits(std::size_t on_wire, std::int64_t now_ms) const;
  /// A call ended. `on_wire`: the number of calls on the wire, including this one.
  void on_end(const Ended& ended, std::size_t on_wire, std::int64_t now_ms, const CallLimits& limits);

  [[nodiscard]] bool is_slowed() const { return window_ > 0; }
  [[nodiscard]] std::size_t window() const;
  [[nodiscard]] std::int64_t paused_until_ms() const { return paused_until_ms_; }
  /// Whether the service has been slowed for this long without a good answer.
  [[nodiscard]] bool is_starved(std::int64_t now_ms, std::int64_t for_ms) const;

 private:
  void cut(std::size_t on_wire, std::size_t least, std::int64_t now_ms);
  void grow(std::int64_t now_ms, const CallLimits& limits);

  double window_ = 0;   ///< 0: no limit
  double free_at_ = 0;  ///< the window at which the limit is removed
  std::int64_t cut_ms_ = 0;
  std::int64_t good_ms_ = 0;       ///< time of the last good answer, or when the slowing began
  std::int64_t throttled_ms_ = 0;  ///< time of the last throttled answer or time-out that counted
  std::int64_t paused_until_ms_ = 0;
  std::size_t answers_ = 0;   ///< answers since the last cut
  std::size_t timeouts_ = 0;  ///< time-outs since the last cut
  int throttled_row_ = 0;
};

}  // namespace parley::outbound
