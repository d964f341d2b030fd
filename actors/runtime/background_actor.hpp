#pragma once
/// Keeps the pieces of long work that clients ask for until a thread idles: one queue for all its threads, so that no piece waits
/// behind a long one while a thread has nothing to do. The supervisor spawns two, event-based actors on the pool: one for what
/// takes seconds, such as scoring a page of conversations again, and one for bodies whose patterns take long to check (I65).
/// Bound: limits::background_max pieces of the first wait or are under way, which the gateway sees to; of the second what the
/// bounds of its queue say, and who comes beyond them is told `busy`.
/// Order: pieces of one owner begin in the order in which they came, and owners take turns.

#include <vector>

#include "actors/base/handles.hpp"
#include "actors/runtime/fair_queue.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class BackgroundActor : public Background::base {
 public:
  BackgroundActor(caf::actor_config& config, Services& world, std::vector<BackgroundThread> threads,
                  const QueueBounds& bounds);

  behavior_type make_behavior() override;
  /// Drops the handles, and what still waits.
  void on_exit() override;

 private:
  void take(BackgroundWork& work);
  /// Gives idle threads what waits.
  void hand_out();

  Services& world_;
  std::vector<BackgroundThread> idle_;
  FairQueue<BackgroundWork> waiting_;
  bool is_ending_ = false;  ///< nothing begins any more
};

}  // namespace parley::actors
