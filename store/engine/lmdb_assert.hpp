#pragma once
/// What ends the process where LMDB finds a page that cannot be: its assertions, which would abort without a word that an
/// operator understands (F9). Set once, by main, before any thread begins and any store is opened; read by whoever opens one.

#include <lmdb.h>

#include <string_view>

namespace parley::store {

/// Ends the process; `what` is LMDB's own sentence. Must not return.
using LastWords = void (*)(std::string_view what);

void set_last_words(LastWords end);

/// Internal to store/: lets the environment's assertions end with them.
void give_last_words(MDB_env* environment);

}  // namespace parley::store
