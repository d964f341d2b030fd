#pragma once
/// Percent-decoding of path segments and query values (RFC 3986 section 2.1), once and strictly (F33). Pure
/// functions.

#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

/// How `+` is read: in a query value it stands for a space, in a path for itself.
enum class Plus { literal, space };

/// The decoded text; nullopt for a broken escape, for a NUL byte, and for bytes that are not UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, Plus plus);

/// A path with each escape of a character that needs none undone, the others in upper case (RFC 3986 section 6.2.2): one
/// spelling for all that name the same. What is no escape stays as it is.
[[nodiscard]] std::string normal_path(std::string_view path);

/// `text` with every byte that may not stand in a URI reference between `<` and `>` escaped (RFC 8288 section
/// 3).
[[nodiscard]] std::string safe_in_link(std::string_view text);

}  // namespace parley::http
