#pragma once
/// The master key that a store uses (D23). Its fingerprint is in `meta`, so that a missing or different key is
/// reported at start. Otherwise a different key would seal new secrets next to ones that can no longer be
/// opened, and would break the chain of the audit log. Thread: the starting thread, before the first commit.
///
///   meta "secrets" = 16 bytes of HMAC-SHA256(master key, "fingerprint")

#include <filesystem>
#include <optional>
#include <string>

#include "store/secrets/secrets.hpp"
#include "store/store.hpp"

namespace parley::store {

struct MasterKeySource {
  std::filesystem::path directory;
  std::optional<std::string> given;  ///< PARLEY_SECRETS_KEY
};

/// Returns the master key of the store. Creates a key if the store has none yet and contains nothing that an
/// older parley sealed. With `accepts_another`, a different key replaces the store's key: values sealed before
/// stay unreadable, and a new audit log starts under the new key. Problem: `store_refuses` for the operator:
/// the store's key is missing or different.
[[nodiscard]] Expected<Secrets> open_secrets(Store& store, const MasterKeySource& source,
                                             bool accepts_another);

/// For tools: checks that the store's key is present, and changes nothing. Accepts a store that has no key yet.
/// Problem: as above.
[[nodiscard]] Expected<Done> check_master_key(const Snapshot& snapshot, const MasterKeySource& source);

}  // namespace parley::store
