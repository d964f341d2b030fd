#pragma once
/// `parley check-models`: asks the tester's and the judge's model once each, as a server with the same
/// options would. No data directory is touched. Main thread; it waits for both answers within their
/// time-outs.

#include "app/options/config.hpp"

namespace parley::app {

/// Prints one line per role: the answer, or the error. Returns the exit code: 0 if each configured model
/// answered, 1 if one did not or none is configured.
[[nodiscard]] int check_models(const Config& config);

}  // namespace parley::app
