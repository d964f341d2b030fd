#pragma once
/// Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) of a command. The first asks it to end: live conversations are canceled and what is decided is
/// reported. A second one ends the process immediately. Async-signal-safe; the main thread installs it.

#include <atomic>

namespace parley::client {

/// From here on SIGINT, SIGTERM and SIGHUP are requests; SIGPIPE is ignored, and so is SIGHUP under nohup(1).
void take_stop_requests();
/// True once a signal has arrived; for calls that must end early.
[[nodiscard]] const std::atomic<bool>& stop_requested();
/// 130, 143 or 129; 0: no signal.
[[nodiscard]] int stop_exit_code();
/// For work that must finish after a request, such as reading the decided results: later calls are not interrupted.
void finish_after_stop();

/// A process group that a second signal kills. Bounded; groups beyond the bound are killed by the runner alone.
void note_process_group(int group);
void forget_process_group(int group);

}  // namespace parley::client
