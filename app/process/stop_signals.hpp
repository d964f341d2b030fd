#pragma once
/// The signals that end the server (D91, I66): blocked in every thread, taken by the main one, and by a thread of their own once
/// the first has come. What a second one means is a pure function; the rest is the main thread's.

#include <chrono>
#include <csignal>
#include <functional>

namespace parley::app {

/// A signal and when it was taken.
struct StopSignal {
  int number;
  std::chrono::steady_clock::time_point at;
};

/// Whether it is the first one come again. timeout(1), service managers and shells send a signal to the process and to its group
/// too, so that it comes twice in a moment and nobody asked twice.
[[nodiscard]] bool is_same_request(const StopSignal& first, const StopSignal& again);

/// SIGTERM and SIGINT, blocked from here on in this thread and in those that it starts. Ignores SIGPIPE and SIGHUP. Needs: no
/// other thread runs.
[[nodiscard]] sigset_t block_signals();

/// Waits for the first signal, and calls `daily` once a day meanwhile. From then on a second request to stop ends the process
/// at once, with exit_failed (I66).
void wait_for_stop(const sigset_t& signals, const std::function<void()>& daily);

}  // namespace parley::app
