#pragma once
/// 256-bit keys in files that only the server's user may read. A key is created once and is durable before its
/// first use. The fingerprint of a key identifies it in the store that uses it: 16 bytes that reveal nothing
/// about the key, under a name in `meta`. Used at start and by command-line tools; any thread, one at a time
/// per file.
///
///   keyfile = 64 HEXDIG LF                               ; mode 0600
///   meta NAME = 16 bytes of HMAC-SHA256(key, "fingerprint")

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/expected.hpp"

namespace parley::store {

class Secrets;
class Snapshot;

using Key256 = std::array<std::uint8_t, 32>;

/// Keys from the environment, used instead of the files.
struct GivenKeys {
  std::optional<std::string> secrets = {};  ///< PARLEY_SECRETS_KEY
  std::optional<std::string> pepper = {};   ///< PARLEY_PEPPER_KEY
};

/// 64 lower-case hex digits; nullopt for any other text.
[[nodiscard]] std::optional<Key256> key_from_hex(std::string_view text);
/// The key in `file`; nullopt if the file does not exist. Problem: as read_or_make_key.
[[nodiscard]] Expected<std::optional<Key256>> read_key(const std::filesystem::path& file);
/// The key in `file`. If the file does not exist, creates a random key, durable before its first use. Problem:
/// `store_refuses` for the operator: unreadable, malformed, or readable by others.
[[nodiscard]] Expected<Key256> read_or_make_key(const std::filesystem::path& file);
/// Writes a file with mode 0600, durable together with its directory. Replaces an existing file as a whole.
[[nodiscard]] Expected<Done> write_private_file(const std::filesystem::path& file, std::string_view text);

[[nodiscard]] std::string fingerprint_of(const Secrets& key);
/// The stored fingerprint with this name; nullopt before the first start with a key.
[[nodiscard]] Expected<std::optional<std::string>> known_fingerprint(const Snapshot& snapshot,
                                                                     std::string_view name);

}  // namespace parley::store
