#pragma once
/// Bytes as text (hex, base64url), as a digest, and as a name for the table `unique`. Pure functions; any thread.

#include <optional>
#include <string>
#include <string_view>

namespace parley::store {

/// Bytes as base64url without padding, and back (RFC 4648 section 5).
[[nodiscard]] std::string base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
/// Two lower-case digits per byte.
[[nodiscard]] std::string hex(std::string_view bytes);
/// The 32 bytes of SHA-256.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The text after `=`, or `#` and its SHA-256 if it is longer than 255 bytes. Equal only for equal texts.
[[nodiscard]] std::string unique_name(std::string_view text);
/// The unique name of a record that the files of a project own (D110). `kind`: the number of its RecordKind.
[[nodiscard]] std::string applied_name(int kind, std::string_view project, std::string_view key);

}  // namespace parley::store
