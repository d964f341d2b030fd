#pragma once
/// Backup of a data directory while a server works in it, and its return into a new one (D96, F15). For the command line
/// only: one thread.
///
///   FILE       the data file as of one committed transaction, compacted
///   FILE.keys  the keys beside the data file, without which agents' secrets cannot be read and no API key is valid.
///              They change with --new-secrets-key alone: one copy, kept apart from the data, serves every backup of the directory
///
///   keys = 1*( name SP 64HEXDIG LF )           ; name = "pepper.key" / "secrets.key"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "model/expected.hpp"

namespace parley::store {

struct BackupReport {
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;  ///< read back and verified
};

/// Copies as a reader of its own, so that a server in the directory goes on reading and writing (its lock, I14, is
/// against a second writer). Both files are made with mode 0600, on disk when it returns, or not there at all.
/// Problem: store_refuses: the directory holds no store, a file is there already, no space; internal:
/// the store is damaged, or its keys are not those that a restore would take. `secrets_key`: PARLEY_SECRETS_KEY.
[[nodiscard]] Expected<BackupReport> back_up(const std::filesystem::path& directory,
                                             const std::filesystem::path& file,
                                             const std::optional<std::string>& secrets_key = {});

struct RestoreSource {
  std::filesystem::path file;
  std::filesystem::path keys;
  std::optional<std::string> secrets_key = {};  ///< PARLEY_SECRETS_KEY, which a server would take
};

/// Makes `directory` out of a backup: everything is copied to a new directory beside it, brought to the current schema,
/// and every value and view is verified before that directory gets its name in one step.
/// Problem: store_refuses: `directory` is there and not empty, the backup is damaged or of a newer schema, no keys
/// or those of another store.
[[nodiscard]] Expected<BackupReport> restore(const RestoreSource& source,
                                             const std::filesystem::path& directory);

/// Where back_up puts the keys.
[[nodiscard]] std::filesystem::path keys_beside(const std::filesystem::path& file);

}  // namespace parley::store
