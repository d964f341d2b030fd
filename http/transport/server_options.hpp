#pragma once
/// The settings of the transport, and the functions that the product provides. Plain values that are set before the
/// server starts; the server keeps a copy. Thread: any; the functions are called on worker threads.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "http/protocol/framing_fault.hpp"
#include "http/protocol/request.hpp"
#include "http/protocol/response.hpp"
#include "http/protocol/transport_limits.hpp"
#include "http/transport/byte_budget.hpp"
#include "http/transport/responder.hpp"

namespace parley::http {

/// Timeouts of a connection. They fire late by up to a quarter of the shortest one, but at most half a second. A
/// request that was passed to the handler has no timeout in the transport.
struct Timeouts {
  std::chrono::milliseconds head{10'000};  ///< from the first byte of a request to its last field: 408
  /// For a body, plus the time that `body_bytes_per_s_min` allows: 408.
  std::chrono::milliseconds body{30'000};
  std::chrono::milliseconds idle{75'000};         ///< between requests; the connection is closed silently
  std::chrono::milliseconds write_stall{30'000};  ///< while the client reads no byte of the answer
  std::chrono::milliseconds linger{2'000};        ///< for the client to read the last answer and close
  std::size_t body_bytes_per_s_min = 1024;
};

struct ListenAddress {
  std::string host;  ///< an IPv4 or IPv6 literal, the latter also in brackets
  std::uint16_t port = 0;

  bool operator==(const ListenAddress&) const = default;
};
/// `127.0.0.1:7410`, `[::1]:7410`.
[[nodiscard]] inline std::string text_of(const ListenAddress& address) {
  const bool is_bare_v6 = address.host.find(':') != std::string::npos && address.host.front() != '[';
  return (is_bare_v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

struct ServerOptions {
  std::string host = "127.0.0.1";          ///< an IPv4 or IPv6 literal, the latter also in brackets
  std::uint16_t port = 0;                  ///< 0: any free port
  std::vector<ListenAddress> others = {};  ///< further addresses
  unsigned threads = 0;                    ///< workers; 0: one per processor, at most 64
  std::size_t body_bytes_max = bounds::body_bytes_default;
  std::size_t connections_max = bounds::connections_default;
  ByteBudget::Bounds bodies{bounds::bodies_bytes_max, bounds::large_bodies_bytes_max,
                            bounds::small_body_bytes_max, bounds::bodies_of_user_bytes_max};
  ByteBudget::Bounds answers{bounds::answers_bytes_max, bounds::large_answers_bytes_max,
                             bounds::medium_answer_bytes_max};
  Timeouts timeouts;
};

/// Runs on a worker thread and must not block, because the other connections of that worker wait. An exception
/// becomes a 500 and is counted.
using Handler = std::function<void(const Request&, Responder)>;

/// Decides about a body that did not arrive together with its head, so that no body is stored in vain. Called on any
/// worker thread, concurrently; must not block. The handler is called in any case.
using Preauthorizer = std::function<BodyPlan(const Request& head)>;

/// Renders the answer to a request that did not reach the handler, or whose handler failed. Called on any worker
/// thread, concurrently. It need not set `close`; the connection does.
using FaultRenderer = std::function<Response(const FramingFault&)>;

}  // namespace parley::http
