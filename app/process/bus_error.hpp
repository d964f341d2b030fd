#pragma once
/// What ends a process that reads beyond the end of its data file, a block that the disk lost, or a page that makes no sense
/// (F9): a word of what helps. Called once, by main, before any thread begins and any store is opened.

namespace parley::app {

/// From here on SIGBUS and LMDB's assertions write a sentence to standard error and end the process with exit_damaged.
void tell_of_bus_errors();

/// The same for SIGSEGV. For tools, which do nothing but read a store; a server that has it must leave a core.
void tell_of_stray_reads();

}  // namespace parley::app
