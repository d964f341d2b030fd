#pragma once
/// The last handler: turns an uncaught exception into a sentence and an exit code (docs/operating.md). It is
/// the one place outside store/ that knows store's LmdbError (store/engine/lmdb.hpp), which readers let
/// propagate. For the main thread.

#include <functional>

namespace parley::app {

/// Returns what `act` returns. If `act` throws: exit_damaged for a store that LMDB cannot read, exit_failed
/// otherwise, with a message on standard error.
[[nodiscard]] int in_words(const std::function<int()>& act);

}  // namespace parley::app
