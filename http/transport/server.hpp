#pragma once
/// Server: the HTTP/1.1 transport. An acceptor distributes connections to workers. Workers frame requests strictly
/// and pass them to the product's handler, which answers through a Responder at any time and from any thread.
///
///   Server server(options, handler, render_fault);
///   TRY(listening, server.listen());   // the port is known, clients wait
///   TRY(started, server.start());      // clients are served
///   server.drain(8s); server.stop();   // requests in flight are answered, then the server ends
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
  /// Starts the threads. Problem: `internal` if descriptors or threads run out. Needs: listen().
  [[nodiscard]] Expected<Done> start();

  /// Stops accepting connections, closes idle ones, adds `Connection: close` to every answer and waits for the
  /// remaining requests until the deadline (D91, I66). Requests that are still in flight then are answered with 503,
  /// which takes up to one more second. Returns true if there were no such requests.
  bool drain(std::chrono::milliseconds deadline);
  /// Ends all threads and connections, whether answered or not. Idempotent.
  void stop();

  [[nodiscard]] const TransportCounters& counters() const { return *counters_; }
  /// Bytes of the bodies that are being received or processed.
  [[nodiscard]] std::size_t body_bytes() const { return bodies_->bytes(); }
  /// Bytes of the counted answers that clients have not read yet.
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
  std::size_t next_worker_ = 0;  ///< used by the acceptor
  Acceptor acceptor_;
};

}  // namespace parley::http
