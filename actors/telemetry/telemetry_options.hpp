#pragma once
/// Where the spans of the service's own work are sent, and figures about them. No CAF: for app/ and tests.

#include <atomic>
#include <cstdint>
#include <string>

namespace parley::actors {

struct TelemetryOptions {
  std::string endpoint;       ///< --otlp-endpoint; empty: nothing is sent
  std::string authorization;  ///< the header of that name; empty: none
};

/// Since the start. Thread: any.
struct TelemetryFigures {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> failed{0};   ///< spans that the collector did not accept
  std::atomic<std::uint64_t> dropped{0};  ///< results for which there was no room
};

}  // namespace parley::actors
