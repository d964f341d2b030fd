#pragma once
/// Acceptor: a thread that accepts and deals connections out to the workers in turn. It never waits for a
/// client.
///
/// Bound: over `connections_max` a client is told 503 by a worker; over `refusals_max` more it is just
/// closed. Without descriptors (EMFILE, ENFILE) a reserve is given up for one moment to take and close the
/// waiting client: an unaccepted one would wake the thread for ever (F41).

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "http/transport/descriptor.hpp"
#include "http/transport/mailbox.hpp"
#include "http/transport/server_options.hpp"
#include "http/transport/transport_counters.hpp"
#include "model/expected.hpp"

namespace parley::http {

class Acceptor {
 public:
  /// Gets every accepted connection, on the acceptor's thread.
  using Deal = std::function<void(Arrival)>;

  Acceptor(const ServerOptions& options, TransportCounters& counters, OpenConnections& open, Deal deal);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Binds and listens; clients wait in the backlog until start(). Problem: `internal` with the system's
  /// reason.
  [[nodiscard]] Expected<Done> listen();
  /// The port bound, also where any was asked for.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Throws std::system_error when no thread is to be had. Needs: listen().
  void start();
  /// Ends the thread and closes the listening socket: clients in the backlog are reset. Again: no effect.
  void stop();

 private:
  void run();
  void accept_waiting();
  [[nodiscard]] bool accept_one();
  void admit(Descriptor socket, const store::Address& peer);
  void turn_one_away();

  const ServerOptions& options_;
  TransportCounters& counters_;
  OpenConnections& open_;
  OpenConnections turned_away_;  ///< told 503; they take no place of those that are served
  Deal deal_;
  Descriptor listening_;
  Descriptor stop_;
  Descriptor reserve_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace parley::http
