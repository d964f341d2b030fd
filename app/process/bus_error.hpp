#pragma once
/// Ends a process that reads beyond the end of its data file, a block that the disk lost, or an impossible
/// page (F9), with a message that says how to recover. Called once by main, before any thread starts and any
/// store is opened.

namespace parley::app {

/// From here on SIGBUS and LMDB's assertions print a sentence to standard error and end the process with
/// exit_damaged.
void tell_of_bus_errors();

/// The same for SIGSEGV. Only for tools, which just read a store; a server must leave a core file.
void tell_of_stray_reads();

}  // namespace parley::app
