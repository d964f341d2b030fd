#pragma once
/// The data directory: one LMDB file, one writer, any number of snapshots. app/ owns it. It must outlive every
/// snapshot and the committer's thread.
/// Thread: open and destroy on one; snapshot() and usage() on any; committer(): see Committer.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "model/expected.hpp"
#include "store/committer.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

struct Options {
  std::filesystem::path directory;
  bool fsync = true;  ///< off: a power loss may lose a commit, but never only half of one (D92)
  /// Address space, not disk space. LMDB cannot grow it while readers exist, so it is far larger than any use needs.
  std::uint64_t map_bytes = std::uint64_t{64} << 30;
  /// Writes are refused below this free disk space, so that shutdown and clean-up still have room (F6).
  std::uint64_t free_bytes_min = std::uint64_t{64} << 20;
  /// An older data file is not migrated beyond this schema, because it must accept log rows for an older schema
  /// (ADR 64).
  std::uint32_t schema_max = std::numeric_limits<std::uint32_t>::max();
};

/// Describes how opening migrated the data file of an older parley.
struct Migration {
  std::uint32_t from;  ///< schema of the file before the migration
  std::uint32_t to;
  std::chrono::milliseconds took;
};

/// Figures for metrics and alarms.
struct Usage {
  std::uint64_t map_bytes = 0;
  std::uint64_t used_bytes = 0;  ///< size of all data file pages that were ever used
  std::uint64_t disk_free_bytes = 0;
  std::uint64_t snapshots_open = 0;
  std::uint64_t snapshots_slow = 0;  ///< snapshots held longer than a second
  /// Values that did not verify, and pages that LMDB could not read; any is an alarm (I13).
  std::uint64_t corrupt_reads = 0;
};

/// Problem: store_refuses if the directory has no store, or if this user may not read it.
[[nodiscard]] Expected<Done> find_store(const std::filesystem::path& directory);

class Store {
 public:
  /// Opens or creates the store (directory mode 0700) and migrates its schema. Problem: `store_refuses` with a
  /// sentence for the operator: held by another process (nothing was changed, I14), damaged, foreign, of a
  /// newer schema, or not writable.
  [[nodiscard]] static Expected<std::unique_ptr<Store>> open(const Options& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// The current state. Waits while 1,000 snapshots are open. Throws std::runtime_error if LMDB cannot read.
  [[nodiscard]] Snapshot snapshot() const;
  /// Writes rows to `meta`, all or none, and syncs before it returns. Needs: no commit is in progress.
  /// Problem: store_refuses.
  [[nodiscard]] Expected<Done> remember(const std::map<std::string, std::string>& rows);
  /// Removes a row of `meta`. Conditions: as remember.
  [[nodiscard]] Expected<Done> forget(const std::string& name);
  /// Writes a compacted copy of one committed state to a new file and syncs it. Commits continue meanwhile. Any thread.
  [[nodiscard]] Expected<Done> copy_to(const std::filesystem::path& file) const;
  [[nodiscard]] Committer& committer() { return *committer_; }
  [[nodiscard]] Usage usage() const;
  /// nullopt if this open created the file, or if the file had the current schema.
  [[nodiscard]] const std::optional<Migration>& migration() const;
  /// The schema of the open data file: the current one, unless `schema_max` prevented the migration.
  [[nodiscard]] std::uint32_t schema() const;

 private:
  Store(std::unique_ptr<Environment> environment, const Options& options);

  std::unique_ptr<Environment> environment_;
  std::unique_ptr<Committer> committer_;
};

}  // namespace parley::store
