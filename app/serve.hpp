#pragma once
/// Assembles the parts and runs the server until it is asked to stop. Main thread.

#include "app/options/config.hpp"
#include "app/process/serve_events.hpp"

namespace parley::app {

/// Serves until `events.wait` returns, then drains (D91). Returns the same exit codes as serve(). One thread at a
/// time.
[[nodiscard]] int serve_until(const Config& config, const ServeEvents& events);

/// Serves until SIGTERM or SIGINT, then drains (D91). Returns the exit code: 0 after a clean stop, 1 if the
/// start failed, 3 if the disk failed during a commit (F7).
[[nodiscard]] int serve(const Config& config);

}  // namespace parley::app
