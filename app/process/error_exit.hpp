#pragma once
/// The last place where what nobody else catches becomes a sentence and an exit code of the table in docs/operating.md.
/// Owned by main; for its thread alone.

#include <functional>

namespace parley::app {

/// What `act` returns; or, where it throws, exit_damaged for a store that LMDB cannot read, exit_failed for all else, told on
/// standard error.
[[nodiscard]] int in_words(const std::function<int()>& act);

}  // namespace parley::app
