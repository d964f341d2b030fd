#pragma once
/// Deletes records older than `--retention` (D25), one change set at a time, each decided and guarded like
/// any other change, so that requests are served in between. After a sweep it rests for a tenth of the age,
/// at least a second and at most an hour. Spawned by the supervisor after recovery; one event-based actor on
/// the pool, which must not block.

#include "actors/base/handles.hpp"
#include "actors/records/retention.hpp"
#include "actors/services.hpp"

namespace parley::actors {

class RetentionActor : public Retention::base {
 public:
  /// Needs: a retention above 0.
  RetentionActor(caf::actor_config& config, Services& services, Records records);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  void step();
  void go_on(const Removed& removed);
  void remove(const Expired& expired);
  [[nodiscard]] Time cutoff() const;
  [[nodiscard]] std::chrono::milliseconds rest() const;

  Services& services_;
  Records records_;
  RetentionWalk walk_;
};

}  // namespace parley::actors
