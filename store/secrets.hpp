#pragma once
/// Secrets at rest (D23): AES-256-GCM through OpenSSL, with the record's id and the secret's name as
/// associated data, so that a sealed value moved to another record or name does not open. Any thread; the key
/// never changes.
///
///   sealed  = "v1:" base64url(nonce ciphertext tag)      ; nonce 12 bytes, tag 16 bytes
///   keyfile = 64 HEXDIG LF                               ; mode 0600

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/id.hpp"
#include "model/result.hpp"

namespace parley::store {

using Key256 = std::array<std::uint8_t, 32>;

/// The key in `file`; a new random one where there is no file yet (durable before it is used).
/// Problem: `store_refuses` for the operator: unreadable, malformed, or readable by others.
[[nodiscard]] Result<Key256> read_or_make_key(const std::filesystem::path& file);
/// Writes a new file with mode 0600, durable with its directory; one that is there is replaced as a whole.
[[nodiscard]] Result<Done> write_private_file(const std::filesystem::path& file, std::string_view text);

class Secrets {
 public:
  explicit Secrets(const Key256& key) : key_(key) {}
  ~Secrets();
  Secrets(const Secrets&) = default;
  Secrets& operator=(const Secrets&) = default;

  /// The key of `<directory>/secrets.key`, or that of PARLEY_SECRETS_KEY where given (64 hex digits).
  [[nodiscard]] static Result<Secrets> open(const std::filesystem::path& directory,
                                            const std::optional<std::string>& given);

  /// A key for one other purpose, which tells nothing of this one.
  [[nodiscard]] Key256 derived(std::string_view purpose) const;

  [[nodiscard]] std::string seal(const Id& record, std::string_view name, std::string_view plain) const;
  /// Problem: `internal` where the text was changed, or sealed for another record, name or key.
  [[nodiscard]] Result<std::string> unseal(const Id& record, std::string_view name,
                                           std::string_view sealed) const;

 private:
  Key256 key_;
};

/// Bytes as base64url without padding, and back (RFC 4648 section 5).
[[nodiscard]] std::string base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);
[[nodiscard]] std::string hex(std::string_view bytes);
/// The 32 bytes of SHA-256.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace parley::store
