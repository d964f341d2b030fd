#pragma once
/// The log: lines of events with fields, to stderr, as text or JSON. Set up once on the main thread; spdlog is safe from
/// any thread afterwards. A log that cannot be written never stops the server (F46).

#include "app/config.hpp"

namespace parley::app {

void start_log(const Config& config);

}  // namespace parley::app
