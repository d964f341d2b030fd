#pragma once
/// Secrets at rest (D23): AES-256-GCM through OpenSSL. The associated data is the record's id and the secret's
/// name, so a sealed value cannot be opened under another record or name. Any thread; the key never changes.
///
///   sealed  = "v1:" base64url(nonce ciphertext tag)      ; nonce 12 bytes, tag 16 bytes

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/expected.hpp"
#include "model/id.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::store {

class Secrets {
 public:
  explicit Secrets(const Key256& key) : key_(key) {}
  ~Secrets();
  Secrets(const Secrets&) = default;
  Secrets& operator=(const Secrets&) = default;

  /// Uses the key in `<directory>/secrets.key`, or `given`, the value of PARLEY_SECRETS_KEY (64 hex digits).
  [[nodiscard]] static Expected<Secrets> open(const std::filesystem::path& directory,
                                              const std::optional<std::string>& given);

  /// A key for another purpose. It reveals nothing about this key.
  [[nodiscard]] Key256 derived(std::string_view purpose) const;

  [[nodiscard]] std::string seal(const Id& record, std::string_view name, std::string_view plain) const;
  /// Problem: `internal` if the text was changed, or was sealed for another record or name or with another key.
  [[nodiscard]] Expected<std::string> unseal(const Id& record, std::string_view name,
                                             std::string_view sealed) const;

 private:
  Key256 key_;
};

/// The master key in the file or in `given` (PARLEY_SECRETS_KEY); nullopt: neither has one. Problem: malformed
/// or unreadable.
[[nodiscard]] Expected<std::optional<Key256>> find_master_key(const std::filesystem::path& directory,
                                                              const std::optional<std::string>& given);

}  // namespace parley::store
