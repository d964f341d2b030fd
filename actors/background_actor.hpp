#pragma once
/// Does what takes long and is asked by a client, such as scoring a page of conversations again: one piece after the other,
/// on a thread of its own that gives way to all others, so that neither connections nor actors wait for it.
/// Bound: limits::background_max pieces wait or are under way, which the gateway sees to.

#include "actors/handles.hpp"

namespace parley::actors {

class BackgroundActor : public Background::base {
 public:
  explicit BackgroundActor(caf::actor_config& config) : Background::base(config) {}

  behavior_type make_behavior() override;
};

}  // namespace parley::actors
