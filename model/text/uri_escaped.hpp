#pragma once
/// Escapes a text as one path segment or one query value (RFC 3986). Pure function.

#include <string>
#include <string_view>

namespace parley {

/// The text with everything but unreserved characters escaped.
[[nodiscard]] std::string uri_escaped(std::string_view text);

}  // namespace parley
