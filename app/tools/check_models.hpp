#pragma once
/// `parley check-models`: asks the tester's model and the judge's once each, as a server with the same options would reach them.
/// No data directory is touched. The main thread's work; it waits for both answers, as long as their time-outs say.

#include "app/options/config.hpp"

namespace parley::app {

/// A line of stdout for each role: what answered, or why not. The process's exit code: 0 when each model that is configured
/// answered, 1 when one did not or none is configured.
[[nodiscard]] int check_models(const Config& config);

}  // namespace parley::app
