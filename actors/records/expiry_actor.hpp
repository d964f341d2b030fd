#pragma once
/// Deletes idempotency records after 24 hours (D9) and expired sessions, and erases the texts of large runs
/// that were deleted (D25), in steps too small to delay the writer noticeably. While more remains, the next
/// step follows soon; otherwise the actor pauses. It reads only the oldest rows, so a pause costs one read of
/// each table. Spawned by the supervisor; an event-based actor, which must not block.

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class ExpiryActor : public Expiry::base {
 public:
  ExpiryActor(caf::actor_config& config, Services& services, Records records);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// First the keys, then the rest of deleted runs, each in its own change set, so that neither stops the
  /// other.
  void sweep();
  void erase();

  Services& services_;
  Records records_;
  bool has_more_ = false;  ///< this sweep left something to delete
};

}  // namespace parley::actors
