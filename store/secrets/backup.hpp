#pragma once
/// Backs up a data directory while a server uses it, and restores it into a new one (D96, F15). Only for the
/// command line: one thread.
///
///   FILE       the data file as of one committed transaction, compacted
///   FILE.keys  the keys next to the data file. Without them, agents' secrets cannot be read and no API key
///              is valid. Only --new-secrets-key changes them: one copy, kept apart from the data, is enough for
///              every backup.
///
///   keys = 1*( name SP 64HEXDIG LF )           ; name = "pepper.key" / "secrets.key"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "model/expected.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::store {

struct BackupReport {
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;     ///< number of values that were read back and verified
  bool has_master_key = false;  ///< in the key files or among the given keys
};

/// Copies as a separate reader, so a server in the directory continues (its lock, I14, excludes only a second
/// writer). Both files have mode 0600 and are on disk when it returns, or neither exists. `given` keys are not
/// written to FILE.keys. Problem: store_refuses: the directory holds no store, a file already exists, or the
/// disk is full; internal: the store is damaged, or a restore would not accept its keys.
[[nodiscard]] Expected<BackupReport> back_up(const std::filesystem::path& directory,
                                             const std::filesystem::path& file, const GivenKeys& given = {});

struct RestoreSource {
  std::filesystem::path file;
  std::filesystem::path keys;
  GivenKeys given = {};  ///< keys that a server would use
};

/// Creates `directory` from a backup. Copies everything to a new directory next to it, migrates it to the
/// current schema, verifies every value and view, and then renames it in one step.
/// Problem: store_refuses: `directory` exists and is not empty, the backup is damaged or has a newer schema, or
/// the keys are missing or belong to another store.
[[nodiscard]] Expected<BackupReport> restore(const RestoreSource& source,
                                             const std::filesystem::path& directory);

/// The file to which back_up writes the keys.
[[nodiscard]] std::filesystem::path keys_path_for(const std::filesystem::path& file);

}  // namespace parley::store
