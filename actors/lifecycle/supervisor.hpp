#pragma once
/// The interface of actors/ for app/: starts the actors, recovers what a crash left unfinished, and stops
/// everything in an order that loses nothing. Owned by main; called from the main thread, the gateway from
/// any thread.

#include <caf/fwd.hpp>
#include <memory>
#include <span>

#include "actors/gateway.hpp"
#include "actors/services.hpp"
#include "actors/streams/event_stream.hpp"
#include "actors/telemetry/telemetry_options.hpp"

namespace parley::actors {

/// What recovery found and did (I5-I10).
struct Recovered {
  std::size_t scored_again = 0;  ///< claims without a verdict, dispatched again
  std::size_t set_aside = 0;     ///< failed after limits::attempts_max crashes
  std::size_t runs_moved = 0;    ///< runs whose status was brought up to date with their results
  std::size_t driven_on = 0;     ///< server-driven conversations that continue
};

class Supervisor {
 public:
  /// `threads` of the actor pool; 0: one per core. Needs: `services` outlives the supervisor.
  Supervisor(Services& services, std::size_t threads, const TelemetryOptions& telemetry = {});
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  [[nodiscard]] Gateway& gateway();
  [[nodiscard]] EventGateway& events();
  [[nodiscard]] const TelemetryFigures& telemetry() const;
  /// Called when the server stops: all event streams end, and none is opened.
  void end_streams();
  /// Starts the actors that drive, score, schedule and write; makes runs and results consistent and
  /// dispatches pending work. Call it before the listener opens (I5), or when this node of a cluster begins
  /// to lead. Idempotent.
  [[nodiscard]] Expected<Recovered> recover();
  /// Called when this node of a cluster no longer leads: ends those actors. The writer refuses what they
  /// still decide. Needs: no recover() is in progress.
  void follow();
  /// Another node changed these records: wakes waiting clients and event streams. `outcomes`: one for each
  /// change set.
  void publish(std::span<const store::ChangeSet> changes, std::span<const store::Outcome> outcomes);
  /// For the actors of a cluster node. They end before stop() returns.
  [[nodiscard]] caf::actor_system& system();
  /// Waits until all actors have saved their changes and ended; the writer ends last. Afterwards the store may be closed.
  void stop();

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace parley::actors
