#pragma once
/// The one actor that writes to the store: gathers the change sets that wait and commits them in one transaction (group
/// commit, D92). Spawned detached, so that LMDB's write transaction stays on one thread.

#include "actors/handles.hpp"
#include "actors/world.hpp"

namespace parley::actors {

class WriterActor : public Writer::base {
 public:
  WriterActor(caf::actor_config& config, World& world);

  behavior_type make_behavior() override;
  /// Commits what still waits. A promise holds its actor, so one that stayed would keep the writer for ever.
  void on_exit() override;

 private:
  using Promise = caf::typed_response_promise<store::Outcome>;

  Promise gather(Commit& commit);
  void flush();

  World& world_;
  std::vector<store::ChangeSet> batch_;
  std::vector<Promise> promises_;
  bool told_broken_ = false;
};

}  // namespace parley::actors
