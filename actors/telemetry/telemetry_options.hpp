#pragma once
/// Options and counters of the export of spans. No CAF: for app/ and tests.

#include <atomic>
#include <cstdint>
#include <string>

namespace parley::actors {

struct TelemetryOptions {
  std::string endpoint;       ///< --otlp-endpoint; empty: nothing is sent
  std::string authorization;  ///< value of the Authorization header; empty: none
};

/// Since the server started. Thread: any.
struct TelemetryFigures {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> failed{0};   ///< spans that the collector did not accept
  std::atomic<std::uint64_t> dropped{0};  ///< results dropped because the queue was full
};

}  // namespace parley::actors
