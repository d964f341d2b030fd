#pragma once
/// The signals that end the server (D91, I66). They are blocked in every thread, received by the main thread, and
/// after the first signal received by a dedicated thread. The meaning of a second signal is a pure function;
/// everything else belongs to the main thread.

#include <chrono>
#include <csignal>
#include <functional>

namespace parley::app {

/// A signal and the time at which it arrived.
struct StopSignal {
  int number;
  std::chrono::steady_clock::time_point at;
};

/// Whether `again` repeats the first signal. timeout(1), service managers and shells send a signal both to the
/// process and to its group, so one request arrives twice within milliseconds.
[[nodiscard]] bool is_same_request(const StopSignal& first, const StopSignal& again);

/// Blocks SIGTERM, SIGINT and SIGHUP in this thread and in the threads that it starts afterwards. Ignores SIGPIPE.
/// Needs: no other thread runs.
[[nodiscard]] sigset_t block_signals();

/// The callbacks that the main thread runs while it waits.
struct WhileServing {
  std::function<void()> daily;
  std::function<void()> on_hangup;
};

/// Waits for the first signal to stop. After it, a second request to stop ends the process immediately with
/// exit_failed (I66).
void wait_for_stop(const sigset_t& signals, const WhileServing& meanwhile);

}  // namespace parley::app
