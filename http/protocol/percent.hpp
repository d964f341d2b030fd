#pragma once
/// Percent-decoding of path segments and query values (RFC 3986 section 2.1), once and strictly (F33). Pure
/// functions.

#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

/// How `+` is read: as a space in a query value, as itself in a path.
enum class Plus { literal, space };

/// The decoded text; nullopt for a broken escape, for a NUL byte, and for bytes that are not UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, Plus plus);

/// A path in its normal form (RFC 3986 section 6.2.2): unnecessary escapes are decoded, the others are in
/// upper case. An invalid escape is left unchanged.
[[nodiscard]] std::string normal_path(std::string_view path);

/// `text` with every byte escaped that must not appear in a URI reference between `<` and `>` (RFC 8288
/// section 3).
[[nodiscard]] std::string safe_in_link(std::string_view text);

}  // namespace parley::http
