#pragma once
/// Converts bytes to text (hex, base64url), to a digest, and to a name for the table `unique`. Pure functions;
/// any thread.

#include <optional>
#include <string>
#include <string_view>

namespace parley::store {

/// Converts bytes to and from base64url without padding (RFC 4648 section 5).
[[nodiscard]] std::string base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
/// Two lower-case hex digits per byte.
[[nodiscard]] std::string hex(std::string_view bytes);
/// The 32 bytes of SHA-256.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// `=` and the text, or `#` and its SHA-256 if the text is longer than 255 bytes. Equal only for equal texts.
[[nodiscard]] std::string unique_name(std::string_view text);
/// The unique name of a record that a project's files own (D110). `kind`: the number of its RecordKind.
[[nodiscard]] std::string applied_name(int kind, std::string_view project, std::string_view key);

}  // namespace parley::store
