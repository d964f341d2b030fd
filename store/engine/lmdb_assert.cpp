#include "store/engine/lmdb_assert.hpp"

namespace parley::store {
namespace {

LastWords last_words = nullptr;

}  // namespace

void set_last_words(LastWords end) {
  last_words = end;
}

void give_last_words(MDB_env* environment) {
  if (last_words == nullptr) return;
  // Fails only for a null environment.
  static_cast<void>(mdb_env_set_assert(environment, [](MDB_env*, const char* what) { last_words(what); }));
}

}  // namespace parley::store
