#pragma once
/// Does long work, one piece at a time, on its own thread with a lower priority than all others, so that
/// neither connections nor actors wait for it. Spawned detached by the supervisor, limits::background_threads
/// times; the background actor gives each idle thread the next piece.

#include "actors/base/handles.hpp"

namespace parley::actors {

class BackgroundThreadActor : public BackgroundThread::base {
 public:
  explicit BackgroundThreadActor(caf::actor_config& config) : BackgroundThread::base(config) {}

  behavior_type make_behavior() override;
};

}  // namespace parley::actors
