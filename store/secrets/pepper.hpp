#pragma once
/// Which pepper a store's API keys were hashed with: its fingerprint stands in `meta`, so that another pepper is told at the
/// start; taken silently, it would make every key of the store a stranger's. Thread: of the start, before anything is
/// committed; of the tools.
///
///   meta "pepper" = 16 bytes of HMAC-SHA256(pepper, "fingerprint")

#include <filesystem>

#include "store/secrets/key_file.hpp"
#include "store/store.hpp"

namespace parley::store {

/// The pepper in `<directory>/pepper.key`; made where it is absent and the store has no API keys yet. Its fingerprint is
/// remembered where an older parley has not. Problem: store_refuses for the operator: missing, malformed or another one.
[[nodiscard]] Expected<Key256> open_pepper(Store& store, const std::filesystem::path& directory);

/// For a tool: whether the pepper is there and the store's; nothing is made or remembered. Problem: as above.
[[nodiscard]] Expected<Done> check_pepper(const Snapshot& snapshot, const std::filesystem::path& directory);

}  // namespace parley::store
