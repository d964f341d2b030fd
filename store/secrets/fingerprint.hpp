#pragma once
/// Identifies the key that a store was made with: 16 bytes that reveal nothing about the key, under a name in
/// `meta`. Pure except for the read; the thread that opens the store.
///
///   meta NAME = 16 bytes of HMAC-SHA256(key, "fingerprint")

#include <optional>
#include <string>
#include <string_view>

#include "store/secrets/secrets.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

[[nodiscard]] std::string fingerprint_of(const Secrets& key);
/// The stored fingerprint with this name; nullopt before the first start with a key.
[[nodiscard]] Expected<std::optional<std::string>> known_fingerprint(const Snapshot& snapshot,
                                                                     std::string_view name);

}  // namespace parley::store
