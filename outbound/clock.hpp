#pragma once
/// The client's clock: milliseconds of the monotonic clock, so that no time-out depends on the time of day (F38).

#include <chrono>
#include <cstdint>
#include <limits>

namespace parley::outbound {

inline constexpr std::int64_t never_ms = std::numeric_limits<std::int64_t>::max();

[[nodiscard]] inline std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace parley::outbound
