#pragma once
/// Keeps long work that clients request until a thread is free: one queue for all threads, so that no piece
/// waits while a thread is idle. The supervisor spawns two of these event-based actors on the pool: one for
/// work that takes seconds, such as rescoring a page of conversations, and one for expensive regex validation
/// (I65). Bound: limits::background_max pieces of the first wait or run, which the gateway enforces; the
/// second has the bounds of its queue, and callers beyond them are answered `busy`. Order: pieces of one
/// owner start in the order of their arrival, and owners take turns.

#include <vector>

#include "actors/base/handles.hpp"
#include "actors/runtime/fair_queue.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class BackgroundActor : public Background::base {
 public:
  BackgroundActor(caf::actor_config& config, Services& services, std::vector<BackgroundThread> threads,
                  const QueueBounds& bounds);

  behavior_type make_behavior() override;
  /// Drops the handles, and the waiting work.
  void on_exit() override;

 private:
  void take(BackgroundWork& work);
  /// Gives idle threads the waiting work.
  void hand_out();

  Services& services_;
  std::vector<BackgroundThread> idle_;
  FairQueue<BackgroundWork> waiting_;
  bool is_ending_ = false;  ///< no further work starts
};

}  // namespace parley::actors
