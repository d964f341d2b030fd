#pragma once
/// TraceParent: the position of a request in a distributed trace (W3C Trace Context). It is copied from a
/// client's request, so that the service's log lines and calls for the request have the same trace id. Pure
/// values.

#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// traceparent = version "-" trace-id "-" parent-id "-" flags; 2, 32, 16 and 2 lower-case hex digits. A version above 00
/// may be followed by "-" and more, which is dropped.
struct TraceParent {
  std::string trace_id;   ///< 32 digits, not all 0
  std::string parent_id;  ///< 16 digits, not all 0
  std::string flags;      ///< 2 digits; the lowest bit means that the caller samples

  /// nullopt for a malformed header, which is treated as absent.
  [[nodiscard]] static std::optional<TraceParent> read(std::string_view text);
  /// The header of a call that the service makes for the request.
  [[nodiscard]] std::string text() const;
  bool operator==(const TraceParent&) const = default;
};

}  // namespace parley
