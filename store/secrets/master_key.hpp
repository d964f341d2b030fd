#pragma once
/// Which master key a store was made with (D23): its fingerprint stands in `meta`, so that a lost or another key is told
/// at the start. Taken silently, it would seal new secrets beside ones that nobody can open, and break the chain of the
/// audit log. Thread: of the start, before anything is committed.
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

/// The master key of the store; made where the store has none yet, and nothing in it was sealed by an older parley. With `takes_another`, a key that is not the store's takes
/// its place: what was sealed before stays unreadable, and the audit log goes on under it behind an anchor (audit_format.hpp).
/// Problem: `store_refuses` for the operator: the store's key is missing, or this is another one.
[[nodiscard]] Expected<Secrets> open_secrets(Store& store, const MasterKeySource& source, bool takes_another);

/// For a tool: whether the store's key is there; nothing is made or remembered, and a store that has none yet is fine.
/// Problem: as above.
[[nodiscard]] Expected<Done> check_master_key(const Snapshot& snapshot, const MasterKeySource& source);

}  // namespace parley::store
