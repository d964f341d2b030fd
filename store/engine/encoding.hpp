#pragma once
/// Bytes as text (hex, base64url) and as a digest. Pure functions; any thread.

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

}  // namespace parley::store
