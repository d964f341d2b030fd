#pragma once
/// The directory: knows which runs and results have an actor in memory, loads the needed ones and releases
/// idle ones. Only the directory starts and ends other actors; an actor that throws ends itself and reports
/// it. Holds a handle and two numbers for each actor in memory. Spawned by the supervisor; one event-based
/// actor on the pool, which must not block.

#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/result/result_actor.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class DirectoryActor : public Directory::base {
 public:
  DirectoryActor(caf::actor_config& config, Services& services, Writer writer, ScoringPool scoring,
                 Dispatcher dispatcher, ClaimChecks tracing, DirectoryFigures& figures);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  template <class Handle>
  struct Place {
    Handle actor;
    std::uint64_t sent = 0;  ///< messages that the actor must have seen before it may leave
    Time used;
  };
  template <class Handle>
  using Places = std::unordered_map<Id, Place<Handle>>;

  /// The place of the id. Spawns its actor if it has none.
  template <class Actor, class Handle>
  Place<Handle>& place(Places<Handle>& places, const Id& id);
  Place<ResultHandle>& result(const Id& id);
  Place<RunHandle>& run(const Id& id);
  template <class Handle>
  bool release(Places<Handle>& places, const PassivationOffer& offer);
  /// Removes the place of the id if the sender is its actor.
  template <class Handle>
  bool forget(Places<Handle>& places, const Id& id);
  template <class Handle>
  void ask_idle(Places<Handle>& places);
  void tick();
  void stop();
  [[nodiscard]] Peers peers();

  Services& services_;
  Writer writer_;
  ScoringPool scoring_;
  Dispatcher dispatcher_;
  ClaimChecks tracing_;
  DirectoryFigures& figures_;
  Places<ResultHandle> results_;
  Places<RunHandle> runs_;
};

}  // namespace parley::actors
