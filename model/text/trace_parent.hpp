#pragma once
/// TraceParent: the place of a request in a distributed trace (W3C Trace Context), taken over from a client so that what
/// the service logs and calls for it can be found under one id. Pure values.

#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// traceparent = version "-" trace-id "-" parent-id "-" flags; 2, 32, 16 and 2 lower-case hex digits. A version above 00
/// may be followed by "-" and more, which is left out.
struct TraceParent {
  std::string trace_id;   ///< 32 digits, not all 0
  std::string parent_id;  ///< 16 digits, not all 0
  std::string flags;      ///< 2 digits; the lowest bit says that the caller samples

  /// Nothing for a malformed one: it is then as if none had been sent.
  [[nodiscard]] static std::optional<TraceParent> read(std::string_view text);
  /// As it is sent on with a call that the service makes.
  [[nodiscard]] std::string text() const;
  bool operator==(const TraceParent&) const = default;
};

}  // namespace parley
