#pragma once
/// Puts the parts together and runs the server until it is told to stop. The main thread's work.

#include "app/options/config.hpp"

namespace parley::app {

/// Serves until SIGTERM or SIGINT, then drains (D91). The process's exit code: 0 after a clean stop, 1 when it could not
/// start, 3 when the disk failed under a commit (F7).
[[nodiscard]] int serve(const Config& config);

}  // namespace parley::app
