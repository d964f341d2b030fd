#include "store/engine/lmdb.hpp"

#include <cerrno>

namespace parley::store {
namespace {

/// As require(), for a read; counts damage. Running out of memory is not damage, and later failures of the same
/// transaction were counted with their cause.
void require_read(MDB_txn* transaction, int code, std::string_view doing) {
  if (code == MDB_SUCCESS) return;
  auto* corrupt = static_cast<CorruptReads*>(mdb_env_get_userctx(mdb_txn_env(transaction)));
  if (corrupt != nullptr && code != ENOMEM && code != MDB_BAD_TXN) corrupt->count();
  throw LmdbError(code, doing);
}

}  // namespace

std::optional<std::string_view> get(MDB_txn* transaction, MDB_dbi table, std::string_view key) {
  MDB_val key_bytes = bytes_of(key);
  MDB_val value{};
  const int code = mdb_get(transaction, table, &key_bytes, &value);
  if (code == MDB_NOTFOUND) return std::nullopt;
  require_read(transaction, code, "read");
  return text_of(value);
}

void put(MDB_txn* transaction, MDB_dbi table, std::string_view key, std::string_view value) {
  MDB_val key_bytes = bytes_of(key);
  MDB_val value_bytes = bytes_of(value);
  require(mdb_put(transaction, table, &key_bytes, &value_bytes, 0), "write");
}

void erase(MDB_txn* transaction, MDB_dbi table, std::string_view key) {
  MDB_val key_bytes = bytes_of(key);
  const int code = mdb_del(transaction, table, &key_bytes, nullptr);
  if (code != MDB_NOTFOUND) require(code, "delete");
}

Cursor::Cursor(MDB_txn* transaction, MDB_dbi table) {
  require(mdb_cursor_open(transaction, table, &cursor_), "open a cursor");
}

bool Cursor::seek(std::string_view key) {
  key_ = bytes_of(key);
  return move(MDB_SET_RANGE);
}

bool Cursor::move(MDB_cursor_op operation) {
  const int code = mdb_cursor_get(cursor_, &key_, &value_, operation);
  if (code == MDB_NOTFOUND) return false;
  require_read(mdb_cursor_txn(cursor_), code, "move a cursor");
  return true;
}

}  // namespace parley::store
