#include "store/engine/environment.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "store/engine/lmdb_assert.hpp"

namespace parley::store {
namespace {

constexpr mdb_mode_t private_file = 0600;

std::filesystem::path path_of_data(const Directory& directory) {
  return directory.path() / "data.mdb";
}

Problem damaged(const Directory& directory, std::string_view why) {
  return problem(ProblemKind::internal, "The data file " + path_of_data(directory).string() + " " +
                                            std::string(why) +
                                            ". Restore it from a backup, or move the directory away to start "
                                            "with an empty one.");
}

Problem cannot_open(const Directory& directory, int code) {
  if (is_damage_code(code)) return damaged(directory, "is damaged or not parley's");
  std::string why = mdb_strerror(code);
  if (code == ENOMEM)
    why += "; the process may not use that much address space (ulimit -v): reduce --map-size";
  return cannot("open", path_of_data(directory), why);
}

/// How far the data file may still grow under the process's file size limit (`ulimit -f`, LimitFSIZE).
std::uint64_t growth_left(MDB_env* handle) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  mdb_filehandle_t file = -1;
  struct stat status {};
  if (mdb_env_get_fd(handle, &file) != 0 || ::fstat(file, &status) != 0) return 0;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return limit.rlim_cur > size ? limit.rlim_cur - size : 0;
}

/// Keeps a data file that may be opened; removes it if a store may be created.
Expected<Done> prepare(const Directory& directory) {
  std::error_code error;
  // No client has seen a store whose first start was interrupted, and its first pages may be only partly written.
  if (directory.has_started()) std::filesystem::remove(path_of_data(directory), error);
  const auto bytes = std::filesystem::file_size(path_of_data(directory), error);
  if (!error && bytes > 0) return Done{};
  if (directory.is_settled()) return damaged(directory, "is missing or empty");
  return directory.begin();
}

/// Reading pages beyond the end of the file raises SIGBUS. An undamaged file may lack a few pages at its end
/// that were allocated and freed within one transaction and never written.
Expected<Done> check_length(const Directory& directory, MDB_env* handle) {
  constexpr std::uint64_t unwritten_bytes_max = 1 << 20;
  MDB_envinfo info{};
  MDB_stat status{};
  require(mdb_env_info(handle, &info), "read the file's figures");
  require(mdb_env_stat(handle, &status), "read the file's figures");
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path_of_data(directory), error);
  if (error) return cannot("read", path_of_data(directory), error.message());
  if (bytes + unwritten_bytes_max < (info.me_last_pgno + 1) * status.ms_psize) {
    return damaged(directory, "is shorter than it was");
  }
  return Done{};
}

/// NOTLS lets a snapshot move between threads. No flag weakens a commit, except NOSYNC on request (ADR 3). The
/// map is large from the start and never resized.
int open_file(MDB_env* handle, const Options& options, const Directory& directory) {
  const unsigned flags = MDB_NOTLS | (options.fsync ? 0U : unsigned{MDB_NOSYNC});
  if (const int code = mdb_env_set_mapsize(handle, options.map_bytes)) return code;
  if (const int code = mdb_env_set_maxdbs(handle, static_cast<MDB_dbi>(all_tables.size()))) return code;
  if (const int code = mdb_env_set_maxreaders(handle, lmdb_readers_max)) return code;
  if (const int code = mdb_env_open(handle, directory.path().c_str(), flags, private_file)) return code;
  int dead = 0;  // slots of a killed process would pin old pages
  return mdb_reader_check(handle, &dead);
}

}  // namespace

Expected<std::unique_ptr<Environment>> Environment::open(const Options& options) {
  TRY(directory, Directory::open(options.directory));
  TRY(prepared, prepare(directory));
  MDB_env* handle = nullptr;
  require(mdb_env_create(&handle), "create an environment");
  set_assert_hook(handle);
  std::unique_ptr<Environment> environment(new Environment(std::move(directory), handle));
  const Directory& home = environment->directory_;
  if (const int code = open_file(handle, options, home)) return cannot_open(home, code);
  try {
    TRY(whole, check_length(home, handle));
    TRY(migration, environment->bring_up_to_date(options.schema_max));
  } catch (const LmdbError& error) {
    return cannot_open(home, error.code());
  }
  TRY(settled, home.settle());
  return environment;
}

Expected<Done> Environment::bring_up_to_date(std::uint32_t schema_max) {
  const auto began = std::chrono::steady_clock::now();
  TRY(migrated, migrate(handle_, schema_max));
  tables_ = migrated.tables;
  schema_ = migrated.to;
  if (migrated.from == 0 || migrated.from == migrated.to) return Done{};
  const auto took = std::chrono::steady_clock::now() - began;
  migration_ = Migration{migrated.from, migrated.to, std::chrono::ceil<std::chrono::milliseconds>(took)};
  return Done{};
}

Environment::~Environment() {
  CHECK(open_ == 0);
  for (MDB_txn* transaction : idle_) mdb_txn_abort(transaction);
  // Matters only without fsync; a failure can no longer be reported.
  static_cast<void>(mdb_env_sync(handle_, 1));
  mdb_env_close(handle_);
}

MDB_txn* Environment::begin_read() {
  MDB_txn* transaction = nullptr;
  {
    std::unique_lock lock(mutex_);
    reader_free_.wait(lock, [&] { return open_ < readers_max; });
    ++open_;
    if (!idle_.empty()) {
      transaction = idle_.back();
      idle_.pop_back();
    }
  }
  const int code = transaction != nullptr ? mdb_txn_renew(transaction)
                                          : mdb_txn_begin(handle_, nullptr, MDB_RDONLY, &transaction);
  if (code != MDB_SUCCESS) {
    if (transaction != nullptr) mdb_txn_abort(transaction);
    const std::lock_guard lock(mutex_);
    --open_;
    throw LmdbError(code, "begin to read");
  }
  snapshots_open_.fetch_add(1, std::memory_order_relaxed);
  return transaction;
}

void Environment::end_read(MDB_txn* transaction, std::chrono::nanoseconds held) {
  mdb_txn_reset(transaction);
  if (held > slow_snapshot) snapshots_slow_.fetch_add(1, std::memory_order_relaxed);
  snapshots_open_.fetch_sub(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  --open_;
  idle_.push_back(transaction);
  reader_free_.notify_one();
}

bool Environment::has_panicked() const {
  /// LMDB reports the state of an environment only at the start of a transaction.
  MDB_txn* transaction = nullptr;
  const int code = mdb_txn_begin(handle_, nullptr, MDB_RDONLY, &transaction);
  if (code == 0) mdb_txn_abort(transaction);
  return code == MDB_PANIC;
}

void Environment::forget_dead_readers() {
  int dead = 0;
  require(mdb_reader_check(handle_, &dead), "look for dead readers");
}

std::uint64_t Environment::free_bytes() const {
  struct statvfs status {};
  if (!directory_.stat_file_system(status)) return 0;
  return std::min(std::uint64_t{status.f_bavail} * status.f_frsize, growth_left(handle_));
}

Usage Environment::usage() const {
  MDB_envinfo info{};
  MDB_stat status{};
  require(mdb_env_info(handle_, &info), "read the file's figures");
  require(mdb_env_stat(handle_, &status), "read the file's figures");
  return {.map_bytes = info.me_mapsize,
          .used_bytes = (info.me_last_pgno + 1) * status.ms_psize,
          .disk_free_bytes = free_bytes(),
          .snapshots_open = snapshots_open_.load(std::memory_order_relaxed),
          .snapshots_slow = snapshots_slow_.load(std::memory_order_relaxed),
          .corrupt_reads = corrupt_reads_.counted()};
}

}  // namespace parley::store
