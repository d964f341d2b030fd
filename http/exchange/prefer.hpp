#pragma once
/// A client's preferences (RFC 7240): `handling=strict` or `lenient`, `return=minimal`, `wait=N` (D5, D11, D47, D96).
/// Plain values.

#include <chrono>
#include <optional>

#include "http/protocol/request.hpp"

namespace parley::http {

/// Proxies time out after 60 s, and their 504 would arrive first, so a wait of 60 s ends earlier.
inline constexpr std::chrono::seconds longest_wait{55};

struct Prefer {
  bool is_strict = false;   ///< unknown fields of a body are faults (D5)
  bool is_lenient = false;  ///< misspelled fields and unknown query parameters are ignored (D99)
  bool is_minimal = false;  ///< the answer contains only new data (D11)
  /// At most 60 s; the operation's default if absent.
  std::optional<std::chrono::seconds> wait;
  bool operator==(const Prefer&) const = default;
};

/// Reads all Prefer fields. If a preference is repeated, the first one counts. Unknown and malformed ones are ignored
/// (RFC 7240).
[[nodiscard]] Prefer prefer_of(const Request& request);

}  // namespace parley::http
