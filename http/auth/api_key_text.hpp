#pragma once
/// API keys as text (D80, reliability 5.2): their form, and the keyed hash that is all that is stored of
/// them. A fast hash is right for 256-bit random secrets. Thread: any; the pepper never changes.
///
///   key     = prefix "_" secret     prefix = "parley_" 8 ALNUM     secret = 43 base64url characters (256
///   bits) hash    = hex HMAC-SHA256(pepper, key)
///
/// A key of any other form (PARLEY_BOOTSTRAP_KEY) has the prefix "parley_" and the first 8 digits of its
/// hash.

#include <filesystem>
#include <string>
#include <string_view>

#include "model/expected.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::http {

/// Longer texts cannot be keys; a hostile header stops here.
inline constexpr std::size_t key_bytes_max = 512;
/// A key that an operator chooses must be at least so long (D81).
inline constexpr std::size_t bootstrap_key_bytes_min = 20;

/// A new key: the text is shown once, prefix and hash are stored.
struct NewKey {
  std::string text;
  std::string prefix;
  std::string hash;
};

class Keys {
 public:
  explicit Keys(const store::Key256& pepper) : pepper_(pepper) {}

  [[nodiscard]] NewKey make() const;
  /// The key that an operator chose. Needs: bootstrap_key_bytes_min to key_bytes_max visible characters.
  [[nodiscard]] NewKey adopt(std::string_view text) const;

  [[nodiscard]] std::string hash_of(std::string_view text) const;
  /// What the key is looked up by; says nothing of the secret.
  [[nodiscard]] std::string prefix_of(std::string_view text) const;
  /// In constant time for hashes of one length.
  [[nodiscard]] static bool same_hash(std::string_view a, std::string_view b);

 private:
  store::Key256 pepper_;
};

}  // namespace parley::http
