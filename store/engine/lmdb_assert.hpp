#pragma once
/// What LMDB's assertions do when a page is impossible. By default they abort without a message that an
/// operator understands (F9). Set once by main, before any thread starts and any store is opened; read by
/// every open.

#include <lmdb.h>

#include <string_view>

namespace parley::store {

/// Ends the process; `what` is LMDB's own message. Must not return.
using AssertHandler = void (*)(std::string_view what);

void set_assert_handler(AssertHandler end);

/// Internal to store/: makes the environment's assertions call the function set above.
void set_assert_hook(MDB_env* environment);

}  // namespace parley::store
