#pragma once
/// Acceptor: a thread that accepts connections and distributes them to the workers round-robin. It never waits for a
/// client.
///
/// Bound: above `connections_max` connections, a worker answers 503; above `refusals_max` more, the connection is
/// closed without an answer. If the process runs out of descriptors (EMFILE, ENFILE), the reserve is briefly released
/// to accept and close the waiting client, which would otherwise wake the thread continuously (F41).

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
  /// Receives every accepted connection, on the acceptor's thread.
  using Deal = std::function<void(Arrival)>;

  Acceptor(const ServerOptions& options, TransportCounters& counters, OpenConnections& open, Deal deal);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Binds and listens; clients wait in the backlog until start(). Problem: `internal` with the system's reason.
  [[nodiscard]] Expected<Done> listen();
  /// The bound port, even if the options request port 0.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Throws std::system_error if no thread can be created. Needs: listen().
  void start();
  /// Ends the thread and closes the listening socket; clients in the backlog are reset. Idempotent.
  void stop();

 private:
  [[nodiscard]] static Expected<Descriptor> listening_on(const ListenAddress& wanted);
  void run();
  void accept_waiting(int socket);
  [[nodiscard]] bool accept_one(int listening);
  void admit(Descriptor socket, const store::Address& peer);
  void turn_one_away(int listening);

  const ServerOptions& options_;
  TransportCounters& counters_;
  OpenConnections& open_;
  OpenConnections turned_away_;  ///< answered 503; not counted towards `connections_max`
  Deal deal_;
  std::vector<Descriptor> listening_;
  Descriptor stop_;
  Descriptor reserve_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace parley::http
