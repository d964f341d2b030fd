#pragma once
/// Internal to store/: C++ wrappers for LMDB's calls, with byte strings for MDB_val and exceptions for return
/// codes. Cursor and WriteTransaction each belong to one thread. A cursor must be destroyed before its transaction.

#include <lmdb.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "store/engine/value.hpp"

namespace parley::store {

/// LMDB's error codes for a file that is damaged or not an LMDB file.
[[nodiscard]] constexpr bool is_damage_code(int code) {
  return code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND || code == MDB_INVALID ||
         code == MDB_VERSION_MISMATCH || code == MDB_BAD_TXN || code == MDB_INCOMPATIBLE;
}

/// LMDB or the operating system failed. The committer converts it to an outcome; a reader lets it propagate,
/// because the process cannot continue.
class LmdbError : public std::runtime_error {
 public:
  LmdbError(int code, std::string_view doing)
      : std::runtime_error(std::string(doing) + ": " + mdb_strerror(code)), code_(code) {}
  [[nodiscard]] int code() const { return code_; }
  /// The file is damaged; a restart or more space would not help.
  [[nodiscard]] bool is_damage() const { return is_damage_code(code_); }

 private:
  int code_;
};

/// A value that a transaction needed failed verification.
class CorruptError : public std::runtime_error {
 public:
  explicit CorruptError(Corrupt corrupt)
      : std::runtime_error("a stored value does not verify"), corrupt_(std::move(corrupt)) {}
  [[nodiscard]] const Corrupt& corrupt() const { return corrupt_; }

 private:
  Corrupt corrupt_;
};

inline void require(int code, std::string_view doing) {
  if (code != MDB_SUCCESS) throw LmdbError(code, doing);
}

/// Counts reads that found damage: a value that does not verify, or a page that LMDB cannot read. An
/// environment may have one as its `mdb_env_set_userctx`. It must outlive the environment's transactions. Any
/// thread.
class CorruptReads {
 public:
  void count() { reads_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t counted() const { return reads_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> reads_{0};
};

[[nodiscard]] inline MDB_val bytes_of(std::string_view text) {
  // LMDB's API takes void* for keys and values, but only reads them.
  return {text.size(), const_cast<char*>(text.data())};
}
[[nodiscard]] inline std::string_view text_of(const MDB_val& bytes) {
  return {static_cast<const char*>(bytes.mv_data), bytes.mv_size};
}

/// The bytes stored under `key`; a view that is valid until the transaction ends or writes.
[[nodiscard]] std::optional<std::string_view> get(MDB_txn* transaction, MDB_dbi table, std::string_view key);
void put(MDB_txn* transaction, MDB_dbi table, std::string_view key, std::string_view value);
/// A missing key is not an error.
void erase(MDB_txn* transaction, MDB_dbi table, std::string_view key);

/// A position in a table. Each move returns whether the cursor is on a row.
class Cursor {
 public:
  Cursor(MDB_txn* transaction, MDB_dbi table);
  ~Cursor() { mdb_cursor_close(cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  bool first() { return move(MDB_FIRST); }
  bool last() { return move(MDB_LAST); }
  /// Needs: the cursor is on a row.
  bool next() { return move(MDB_NEXT); }
  bool previous() { return move(MDB_PREV); }
  /// Moves to the first key that is not less than `key`.
  bool seek(std::string_view key);
  /// Moves to the last key that is less than `key`.
  bool seek_before(std::string_view key) { return seek(key) ? previous() : last(); }

  [[nodiscard]] std::string_view key() const { return text_of(key_); }
  [[nodiscard]] std::string_view value() const { return text_of(value_); }

 private:
  bool move(MDB_cursor_op operation);

  MDB_cursor* cursor_ = nullptr;
  MDB_val key_{};
  MDB_val value_{};
};

/// Aborts unless committed.
class WriteTransaction {
 public:
  explicit WriteTransaction(MDB_env* environment) {
    require(mdb_txn_begin(environment, nullptr, 0, &transaction_), "begin a transaction");
  }
  ~WriteTransaction() { abort(); }
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;

  [[nodiscard]] MDB_txn* handle() const { return transaction_; }
  [[nodiscard]] int commit() { return mdb_txn_commit(std::exchange(transaction_, nullptr)); }
  void abort() {
    if (transaction_ != nullptr) mdb_txn_abort(std::exchange(transaction_, nullptr));
  }

 private:
  MDB_txn* transaction_ = nullptr;
};

}  // namespace parley::store
