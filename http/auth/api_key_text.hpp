#pragma once
/// The text form of API keys (D80), and their keyed hash; only the hash is stored. A fast hash suffices for random
/// secrets of 256 bits. Thread: any; the pepper never changes.
///
///   key     = prefix "_" secret
///   prefix  = "parley_" 8 ALNUM
///   secret  = 43 base64url characters             ; 256 bits
///   hash    = hex HMAC-SHA256(pepper, key)
///
/// A key in any other form (PARLEY_BOOTSTRAP_KEY) has the prefix "parley_" followed by the first 8 digits of its
/// hash.

#include <filesystem>
#include <string>
#include <string_view>

#include "model/expected.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::http {

/// A longer text is not a key: oversized header values are rejected here.
inline constexpr std::size_t key_bytes_max = 512;
/// The minimum length of a key chosen by an operator (D81).
inline constexpr std::size_t bootstrap_key_bytes_min = 20;

/// A new key. Its text is shown once; its prefix and hash are stored.
struct NewKey {
  std::string text;
  std::string prefix;
  std::string hash;
};

class Keys {
 public:
  explicit Keys(const store::Key256& pepper) : pepper_(pepper) {}

  [[nodiscard]] NewKey make() const;
  /// 256 random bits as 43 base64url characters.
  [[nodiscard]] static std::string random_secret();
  /// A key chosen by an operator. Needs: bootstrap_key_bytes_min to key_bytes_max visible characters.
  [[nodiscard]] NewKey adopt(std::string_view text) const;

  [[nodiscard]] std::string hash_of(std::string_view text) const;
  /// The prefix by which the store finds a key; reveals nothing about the secret.
  [[nodiscard]] std::string prefix_of(std::string_view text) const;
  /// Takes constant time for hashes of equal length.
  [[nodiscard]] static bool same_hash(std::string_view a, std::string_view b);

 private:
  store::Key256 pepper_;
};

}  // namespace parley::http
