#pragma once
/// A text as one segment of a path or one value of a query (RFC 3986). Pure function.

#include <string>
#include <string_view>

namespace parley {

/// The text with everything but unreserved characters escaped.
[[nodiscard]] std::string uri_escaped(std::string_view text);

}  // namespace parley
