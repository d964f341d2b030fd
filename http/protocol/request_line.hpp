#pragma once
/// The first line of a request: `method SP target SP version` (RFC 9112 section 3), read strictly. Pure
/// functions.

#include <string_view>
#include <variant>

#include "http/protocol/framing_fault.hpp"

namespace parley::http {

/// Views into the line. `target` is the path with its query, even if the line has the absolute form.
struct RequestLine {
  std::string_view method;
  std::string_view target;
  int minor_version = 1;
  /// An absolute form without a path: `target` is empty or only `?query`, and the character before it may be
  /// overwritten.
  bool path_missing = false;
};

/// Reads a line without its CRLF. Problem: 400, 414, 501 or 505, the first that applies in the order of
/// reading: separators, characters, length, version, method, form of the target.
[[nodiscard]] std::variant<RequestLine, FramingFault> parse_request_line(std::string_view line);

/// A host with an optional port, as in a Host field or an absolute target (RFC 3986 section 3.2.2, no user
/// information).
[[nodiscard]] bool is_authority(std::string_view text);

}  // namespace parley::http
