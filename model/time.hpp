#pragma once
/// Points in time as the API shows them: UTC, whole milliseconds, RFC 3339 (D7). Plain values, no clock
/// inside.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// Milliseconds since 1970-01-01T00:00:00Z.
struct Time {
  std::int64_t ms = 0;
  auto operator<=>(const Time&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// `2026-01-31T12:00:00.000Z`. Needs: a year from 0000 to 9999.
[[nodiscard]] std::string to_text(Time time);

/// Reads an RFC 3339 date-time with any offset and any number of fraction digits (truncated to ms); nullopt
/// if malformed or outside the years 0000 to 9999 in UTC.
[[nodiscard]] std::optional<Time> time_from_text(std::string_view text);

}  // namespace parley
