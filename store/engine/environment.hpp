#pragma once
/// Internal to store/: the open data file: LMDB's environment, its tables, and the pool of read transactions.
/// Thread: open and destroy on one; the rest on any. The mutex here is the only one in store/.
/// Invariant: at most readers_max read transactions exist; open_ of them are in use.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "store/engine/data_directory.hpp"
#include "store/engine/migrations.hpp"
#include "store/store.hpp"

namespace parley::store {

/// Less than the size of LMDB's reader table (1,024), because tools in other processes share it.
inline constexpr std::size_t readers_max = 1'000;
inline constexpr unsigned lmdb_readers_max = 1'024;
/// A snapshot held longer than this is counted as slow (F11).
inline constexpr std::chrono::nanoseconds slow_snapshot = std::chrono::seconds(1);

class Environment {
 public:
  /// See Store::open.
  [[nodiscard]] static Expected<std::unique_ptr<Environment>> open(const Options& options);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  [[nodiscard]] MDB_env* handle() const { return handle_; }
  [[nodiscard]] MDB_dbi operator[](TableId table) const { return tables_[static_cast<std::size_t>(table)]; }

  /// See Store::migration.
  [[nodiscard]] const std::optional<Migration>& migration() const { return migration_; }
  /// See Store::schema.
  [[nodiscard]] std::uint32_t schema() const { return schema_; }

  /// Begins a read transaction on the newest state. Waits while all are in use. Throws LmdbError.
  [[nodiscard]] MDB_txn* begin_read();
  /// Returns the transaction to the pool. Needs: it has no open cursor.
  void end_read(MDB_txn* transaction, std::chrono::nanoseconds held);

  /// Whether LMDB refuses all further writes because it could not write its meta page and does not know which
  /// one is on disk.
  [[nodiscard]] bool has_panicked() const;

  /// Frees the slot of a reader in another process (a backup) that was killed. Its pages could not be reused.
  void forget_dead_readers();

  void count_corrupt_read() { corrupt_reads_.count(); }
  /// Free space of the directory's file system, or what the file size limit leaves if that is less; 0 if unknown.
  [[nodiscard]] std::uint64_t free_bytes() const;
  [[nodiscard]] Usage usage() const;

 private:
  Environment(Directory directory, MDB_env* handle) : directory_(std::move(directory)), handle_(handle) {
    mdb_env_set_userctx(handle_, &corrupt_reads_);
  }

  /// Runs the migration steps that an older file needs, then opens the tables. Throws LmdbError. Problem: see
  /// migrate().
  [[nodiscard]] Expected<Done> bring_up_to_date(std::uint32_t schema_max);

  Directory directory_;
  MDB_env* handle_;
  Tables tables_{};
  std::optional<Migration> migration_;
  std::uint32_t schema_ = 0;

  std::mutex mutex_;
  std::condition_variable reader_free_;
  std::vector<MDB_txn*> idle_;  ///< reset; each keeps its slot; guarded by mutex_
  std::size_t open_ = 0;        ///< guarded by mutex_

  std::atomic<std::uint64_t> snapshots_open_{0};
  std::atomic<std::uint64_t> snapshots_slow_{0};
  CorruptReads corrupt_reads_;
};

}  // namespace parley::store
