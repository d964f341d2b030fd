#pragma once
/// Handles Ctrl-C, SIGTERM and the end of the terminal (SIGHUP). The first signal asks the command to end: it cancels
/// live conversations and reports the results that are decided. A second signal ends the process immediately.
/// Async-signal-safe; the main thread installs the handlers.

#include <atomic>

namespace parley::client {

/// Installs the handlers for SIGINT, SIGTERM and SIGHUP. SIGPIPE is ignored, and under nohup(1) also SIGHUP.
void take_stop_requests();
/// True once a signal has arrived. For calls that must end early.
[[nodiscard]] const std::atomic<bool>& stop_requested();
/// Returns 130, 143 or 129; 0 if no signal has arrived.
[[nodiscard]] int stop_exit_code();
/// Waits until the terminal has a line to read. Returns false after a stop request. A blocking read alone would miss a
/// signal that arrives just before it. Returns true immediately if standard input is not a terminal.
[[nodiscard]] bool wait_for_line();
/// For work that must finish after a request, such as reading the decided results: further calls are not interrupted.
void finish_after_stop();

/// Registers a process group that a second signal kills. The number is bounded; the runner alone kills groups beyond
/// the bound.
void note_process_group(int group);
void forget_process_group(int group);

}  // namespace parley::client
