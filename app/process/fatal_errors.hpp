#pragma once
/// Errors that end the process. Each prints a sentence on standard error that says how to recover, and has an exit
/// code (docs/operating.md). This is the only place outside store/ that knows the store's LmdbError
/// (store/engine/lmdb.hpp), which readers let propagate. Main thread.

#include <functional>

#include "app/options/exit_codes.hpp"

namespace parley::app {

/// After this call, SIGBUS and LMDB's assertions print a sentence to standard error and end the process with
/// exit_damaged.
void report_bus_errors();

/// The same for SIGSEGV. Only for tools, which merely read a store; a server must leave a core file.
void report_stray_reads();

/// Returns the result of `act`. If `act` throws, prints a message on standard error and returns exit_damaged for a
/// store that LMDB cannot read, `other_failure` otherwise.
[[nodiscard]] int reporting_errors(const std::function<int()>& act, int other_failure = exit_failed);

}  // namespace parley::app
