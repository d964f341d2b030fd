#pragma once
/// Server: the HTTP/1.1 transport. An acceptor distributes connections to workers; workers frame requests
/// strictly and pass them to the product's handler, which answers through a Responder, at any time and from
/// any thread.
///
///   Server server(options, handler, render_fault);
///   TRY(listening, server.listen());   // the port is known, clients wait
///   TRY(started, server.start());      // they are served
///   server.drain(8s); server.stop();   // requests in flight are answered, then it ends
///
/// Thread: one owner; the handler runs on worker threads. Responders may outlive the server.
/// Order: listen, start, drain, stop.

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "http/transport/acceptor.hpp"
#include "http/transport/byte_budget.hpp"
#include "http/transport/server_options.hpp"
#include "http/transport/transport_counters.hpp"
#include "http/transport/worker.hpp"
#include "model/expected.hpp"

namespace parley::http {

class Server {
 public:
  /// Without `preauthorize` every body is kept.
  Server(ServerOptions options, Handler handler, FaultRenderer render_fault, Preauthorizer preauthorize = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Problem: `internal` with the system's reason, such as an address in use.
  [[nodiscard]] Expected<Done> listen();
  /// The bound port. Needs: listen().
  [[nodiscard]] std::uint16_t port() const { return acceptor_.port(); }
  /// Starts the threads. Problem: `internal` when descriptors or threads run out. Needs: listen().
  [[nodiscard]] Expected<Done> start();

  /// Accepts no more connections, closes those between requests, adds `Connection: close` to every answer and
  /// waits for the rest until the deadline (D91, I66). Requests still in flight then are answered 503, which
  /// takes up to a second more. True if there were none.
  bool drain(std::chrono::milliseconds deadline);
  /// Ends all threads and connections, answered or not. Idempotent.
  void stop();

  [[nodiscard]] const TransportCounters& counters() const { return *counters_; }
  /// Bytes of the bodies being received or worked on.
  [[nodiscard]] std::size_t body_bytes() const { return bodies_->bytes(); }
  /// Bytes of the counted answers that clients have not taken yet.
  [[nodiscard]] std::size_t answer_bytes() const { return answers_held_->bytes(); }
  [[nodiscard]] std::uint64_t connections_open() const { return open_.count(); }

 private:
  ServerOptions options_;
  Handler handler_;
  FaultRenderer render_fault_;
  Preauthorizer preauthorize_;
  std::shared_ptr<TransportCounters> counters_;
  std::shared_ptr<ByteBudget> bodies_;
  std::shared_ptr<ByteBudget> answers_held_;
  OpenConnections open_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::size_t next_worker_ = 0;  ///< the acceptor's
  Acceptor acceptor_;
};

}  // namespace parley::http
