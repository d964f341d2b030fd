#pragma once
/// Decides changes of the simple records (scenarios, tests, agents, users ...) and of previews. It keeps nothing in
/// memory: each decision is made on a snapshot, guarded by revisions, and repeated if another change interfered.
/// Thread: spawned by the supervisor; one event-based actor on the pool. Every Decide runs here and delays all others, so none
/// may block or take long.

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class RecordsActor : public Records::base {
 public:
  RecordsActor(caf::actor_config& config, Services& services, Writer writer, Dispatcher dispatcher);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// After this many conflicts in a row the client must retry.
  static constexpr int tries_max = 16;

  void decide(RecordsRequest request, int tries_left);
  void create(PreviewRequest request);
  void commit(store::ChangeSet changes, RecordsRequest request, int tries_left);

  Services& services_;
  Writer writer_;
  Dispatcher dispatcher_;
};

}  // namespace parley::actors
