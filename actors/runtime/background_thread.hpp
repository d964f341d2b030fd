#pragma once
/// Does long work, one piece after the other, on a thread of its own that gives way to all others, so that neither connections
/// nor actors wait for it. Spawned detached by the supervisor, as many as limits::background_threads; the background actor
/// hands each the next piece when it idles.

#include "actors/base/handles.hpp"

namespace parley::actors {

class BackgroundThreadActor : public BackgroundThread::base {
 public:
  explicit BackgroundThreadActor(caf::actor_config& config) : BackgroundThread::base(config) {}

  behavior_type make_behavior() override;
};

}  // namespace parley::actors
