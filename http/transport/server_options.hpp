#pragma once
/// What an operator or a test may set of the transport, and the two functions that the product gives it. Plain values,
/// set before the server starts; it owns its copy. Thread: any; the functions are called on the workers' threads.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "http/protocol/framing_fault.hpp"
#include "http/protocol/request.hpp"
#include "http/protocol/response.hpp"
#include "http/protocol/transport_limits.hpp"
#include "http/transport/byte_budget.hpp"
#include "http/transport/responder.hpp"

namespace parley::http {

/// Time-outs of a connection (reliability 5.5). They hold within a quarter of the shortest, at most half a
/// second. A request that was handed to the handler has none: it is the product's.
struct Timeouts {
  std::chrono::milliseconds head{10'000};  ///< from the first byte of a request to its last field: 408
  std::chrono::milliseconds body{30'000};  ///< for a body, besides what `body_bytes_per_s_min` allows: 408
  std::chrono::milliseconds idle{75'000};  ///< between requests; closed silently
  std::chrono::milliseconds write_stall{30'000};  ///< without one byte of the answer being taken
  std::chrono::milliseconds linger{2'000};        ///< for the client to read the last answer and close
  std::size_t body_bytes_per_s_min = 1024;
};

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< an IPv4 or IPv6 literal, the latter also in brackets
  std::uint16_t port = 0;          ///< 0: any free one
  unsigned threads = 0;            ///< workers; 0: one a processor, at most 64
  std::size_t body_bytes_max = bounds::body_bytes_default;
  std::size_t connections_max = bounds::connections_default;
  ByteBudget::Bounds bodies{bounds::bodies_bytes_max, bounds::large_bodies_bytes_max,
                            bounds::small_body_bytes_max};
  ByteBudget::Bounds answers{bounds::answers_bytes_max, bounds::large_answers_bytes_max,
                             bounds::medium_answer_bytes_max};
  Timeouts timeouts;
};

/// Runs on a worker's thread and must not block: every other connection of that worker waits for it. What it
/// throws becomes a 500 and is counted.
using Handler = std::function<void(const Request&, Responder)>;

/// Says what becomes of a body that has not come whole with its head, so that none is kept for nobody. Any worker's
/// thread, also several at once; must not block. The handler hears of the request in any case.
using Preauthorizer = std::function<BodyUse(const Request& head)>;

/// Makes the answer to a request that never reached the handler, or whose handler failed. Any worker's
/// thread, also several at once. It needs no `close`: the connection knows.
using FaultRenderer = std::function<Response(const FramingFault&)>;

}  // namespace parley::http
