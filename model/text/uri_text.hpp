#pragma once
/// The characters that a URI may contain, and how the rest is escaped (RFC 3986 section 2): for received and
/// sent URIs and for ids in paths. Pure functions.

#include <string>
#include <string_view>

namespace parley {

/// The characters that a URI never needs to escape (section 2.3).
[[nodiscard]] bool is_unreserved(char c);
/// The same for a whole text, as a regular expression.
inline constexpr std::string_view unreserved_pattern = "^[A-Za-z0-9._~-]*$";
/// Adds the escape of a byte: %XX in upper case (section 2.1).
void append_escape(std::string& out, unsigned char byte);

}  // namespace parley
