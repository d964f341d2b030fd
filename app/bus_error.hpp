#pragma once
/// What ends a process that reads beyond the end of its data file, or a block that the disk lost (F9): a word of what helps.
/// Called once, by main, before any thread begins.

namespace parley::app {

/// From here on SIGBUS writes a sentence to standard error and ends the process with exit_damaged.
void tell_of_bus_errors();

}  // namespace parley::app
