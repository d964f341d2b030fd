#pragma once
/// Handles failed LMDB assertions, which occur when a page is impossible. By default LMDB aborts without a
/// message that an operator understands (F9). main sets the handler once, before any thread starts and any
/// store is opened; every open reads it.

#include <lmdb.h>

#include <string_view>

namespace parley::store {

/// Ends the process and must not return; `what` is LMDB's own message.
using AssertHandler = void (*)(std::string_view what);

void set_assert_handler(AssertHandler end);

/// Internal to store/: makes the environment's assertions call the handler set above.
void set_assert_hook(MDB_env* environment);

}  // namespace parley::store
