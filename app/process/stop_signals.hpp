#pragma once
/// The signals that end the server (D91, I66): blocked in every thread, received by the main thread, and
/// after the first one by a thread of their own. What a second signal means is a pure function; the rest is
/// the main thread's.

#include <chrono>
#include <csignal>
#include <functional>

namespace parley::app {

/// A signal and the time of its arrival.
struct StopSignal {
  int number;
  std::chrono::steady_clock::time_point at;
};

/// Whether it repeats the first signal. timeout(1), service managers and shells send a signal to the process
/// and to its group, so that one request arrives twice within milliseconds.
[[nodiscard]] bool is_same_request(const StopSignal& first, const StopSignal& again);

/// SIGTERM, SIGINT and SIGHUP, blocked from here on in this thread and the threads that it starts. Ignores
/// SIGPIPE. Needs: no other thread runs.
[[nodiscard]] sigset_t block_signals();

/// What the main thread does while it waits.
struct WhileServing {
  std::function<void()> daily;
  std::function<void()> on_hangup;
};

/// Waits for the first signal to stop. Afterwards a second request to stop ends the process immediately, with
/// exit_failed (I66).
void wait_for_stop(const sigset_t& signals, const WhileServing& meanwhile);

}  // namespace parley::app
