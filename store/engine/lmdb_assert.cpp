#include "store/engine/lmdb_assert.hpp"

namespace parley::store {
namespace {

AssertHandler assert_handler = nullptr;

}  // namespace

void set_assert_handler(AssertHandler end) {
  assert_handler = end;
}

void set_assert_hook(MDB_env* environment) {
  if (assert_handler == nullptr) return;
  // Fails only for a null environment.
  static_cast<void>(
      mdb_env_set_assert(environment, [](MDB_env*, const char* what) { assert_handler(what); }));
}

}  // namespace parley::store
