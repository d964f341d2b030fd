#pragma once
/// Errors that end the process: each becomes a sentence on standard error that says how to recover, and an exit code
/// (docs/operating.md). This is the one place outside store/ that knows store's LmdbError (store/engine/lmdb.hpp), which
/// readers let propagate. Main thread.

#include <functional>

namespace parley::app {

/// From here on SIGBUS and LMDB's assertions print a sentence to standard error and end the process with
/// exit_damaged.
void report_bus_errors();

/// The same for SIGSEGV. Only for tools, which just read a store; a server must leave a core file.
void report_stray_reads();

/// Returns what `act` returns. If `act` throws: exit_damaged for a store that LMDB cannot read, exit_failed
/// otherwise, with a message on standard error.
[[nodiscard]] int reporting_errors(const std::function<int()>& act);

}  // namespace parley::app
