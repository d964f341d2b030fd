#pragma once
/// Strict percent-decoding of path segments and query values, applied once (RFC 3986 section 2.1, F33). Pure
/// functions.

#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

/// How `+` is read: as a space in a query value, as itself in a path.
enum class Plus { literal, space };

/// The decoded text; nullopt if it has an invalid escape, a NUL byte, or bytes that are not UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, Plus plus);

/// A path in its normal form (RFC 3986 section 6.2.2): unnecessary escapes are decoded, all others are written in
/// upper case. An invalid escape is left unchanged.
[[nodiscard]] std::string normal_path(std::string_view path);

/// `text` with every byte percent-encoded that must not appear in a URI reference between `<` and `>` (RFC 8288
/// section 3).
[[nodiscard]] std::string safe_in_link(std::string_view text);

}  // namespace parley::http
