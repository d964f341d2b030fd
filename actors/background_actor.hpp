#pragma once
/// Keeps the pieces of long work that clients ask for, such as scoring a page of conversations again, until a thread idles: one
/// queue for all of them, so that no piece waits behind a long one while a thread has nothing to do. Spawned by the supervisor;
/// one event-based actor on the pool.
/// Bound: limits::background_max pieces wait or are under way, which the gateway sees to.
/// Order: pieces begin in the order in which they came.

#include <deque>
#include <vector>

#include "actors/handles.hpp"
#include "actors/world.hpp"

namespace parley::actors {

class BackgroundActor : public Background::base {
 public:
  BackgroundActor(caf::actor_config& config, World& world, std::vector<BackgroundThread> threads);

  behavior_type make_behavior() override;
  /// Drops the handles, and what still waits.
  void on_exit() override;

 private:
  /// Gives idle threads what waits.
  void hand_out();

  World& world_;
  std::vector<BackgroundThread> idle_;
  std::deque<BackgroundWork> waiting_;
};

}  // namespace parley::actors
