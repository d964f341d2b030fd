#pragma once
/// Starts the runs of schedules that are due (D20). Each tick checks the enabled schedules. One guarded
/// change set consumes a due instant (scheduled_run.hpp); the run that it names is then created through the
/// directory. If a crash interrupts this, the next tick continues with the stored id. Instants that a fast
/// clock left too far in the future are corrected at the start, once a minute, and when the clock goes back
/// (F38). Missed instants start at most one run. Spawned by the supervisor after recovery; one event-based
/// actor on the pool, which must not block.

#include <set>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"
#include "model/records/scheduled_run.hpp"

namespace parley::actors {

class ScheduleActor : public Schedule::base {
 public:
  ScheduleActor(caf::actor_config& config, Services& services, Directory directory, Records records);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  void check();
  void look_through(const store::Snapshot& snapshot, store::Shelf shelf);
  [[nodiscard]] Expected<Done> check_schedule(const store::Snapshot& snapshot, const Id& id);
  void take(const Id& schedule);
  void set_right(const Id& schedule);
  void start(const ScheduledRun& schedule, const Id& run);
  void finish(const Id& schedule);

  Services& services_;
  Directory directory_;
  Records records_;
  Time looked_at_;  ///< time of the last check, by a clock that may have been ahead
  std::size_t looks_ = 0;
  bool sets_right_ = false;  ///< this check also corrects instants that are too far ahead
  std::set<Id> busy_;        ///< schedules whose run is being created
  std::set<Id> unreadable_;  ///< schedules that the log already reports
};

}  // namespace parley::actors
