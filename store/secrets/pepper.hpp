#pragma once
/// The pepper that the store's API keys were hashed with. Its fingerprint is in `meta`, so that a different
/// pepper is reported at start. Otherwise every API key of the store would silently be invalid. Thread: the
/// starting thread, before the first commit; tools.
///
///   meta "pepper" = 16 bytes of HMAC-SHA256(pepper, "fingerprint")

#include <filesystem>
#include <optional>
#include <string>

#include "store/secrets/key_file.hpp"
#include "store/store.hpp"

namespace parley::store {

/// The pepper in `<directory>/pepper.key`. Creates it if it is missing and the store has no API keys yet.
/// Stores its fingerprint if an older parley did not. `given`: PARLEY_PEPPER_KEY, used instead of the file.
/// Problem: store_refuses for the operator: missing, malformed or different.
[[nodiscard]] Expected<Key256> open_pepper(Store& store, const std::filesystem::path& directory,
                                           const std::optional<std::string>& given = {});

/// For tools: checks that the store's pepper is present, and changes nothing. Problem: as above.
[[nodiscard]] Expected<Done> check_pepper(const Snapshot& snapshot, const std::filesystem::path& directory,
                                          const std::optional<std::string>& given = {});
/// The pepper in the file or in `given`; nullopt: neither has one. Problem: malformed or unreadable.
[[nodiscard]] Expected<std::optional<Key256>> find_pepper(const std::filesystem::path& directory,
                                                          const std::optional<std::string>& given);

}  // namespace parley::store
