#pragma once
/// Forgets idempotency keys whose 24 hours are over (D9) and erases the texts of large runs that were deleted (D25), in steps
/// that a writer hardly feels: while there is more the next one follows soon, otherwise it rests. Looks at the oldest rows
/// only, so a rest costs one look at each table. Spawned by the supervisor; an event-based actor, which must not block.

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class ExpiryActor : public Expiry::base {
 public:
  ExpiryActor(caf::actor_config& config, Services& world, Records records);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// First the keys, then what is left of deleted runs: each in a change set of its own, so that neither stops the other.
  void sweep();
  void erase();

  Services& world_;
  Records records_;
  bool has_more_ = false;  ///< of this sweep
};

}  // namespace parley::actors
