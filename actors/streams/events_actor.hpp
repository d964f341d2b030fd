#pragma once
/// Serves event streams: collects the writer's reports for a tenth of a second, renders them on a snapshot,
/// and passes the events to the hub. While no client watches anything, the writer reports nothing and no
/// timer runs.
///
/// Order: the counter is raised when a stream is opened, before its first event is due. The client itself
/// reads after `hello` what was committed earlier.
/// Bound: limits of event_hub.hpp; a commit of more than moved_max records is reported as a change of its runs alone.

#include <map>
#include <set>

#include "actors/services.hpp"
#include "actors/streams/event_hub.hpp"
#include "actors/streams/events_handle.hpp"

namespace parley::actors {

class EventsActor : public Events::base {
 public:
  EventsActor(caf::actor_config& config, Services& services, EventFigures& figures);

  behavior_type make_behavior() override;
  void on_exit() override;

 private:
  void enter(WatchRequest& request);
  void collect(Committed& committed);
  void flush();
  void publish_runs(const store::Snapshot& snapshot);
  void look_after();
  void note_figures();

  Services& services_;
  EventFigures& figures_;
  std::unique_ptr<EventHub> hub_;  ///< since the first stream
  std::shared_ptr<EventRenderer> renderer_;
  std::set<Moved> moved_;                                ///< since the last flush
  std::map<Id, caf::actor_clock::time_point> runs_due_;  ///< runs whose event is due, and from when
  std::map<Id, caf::actor_clock::time_point> runs_notified_;
  bool is_flushing_ = false;  ///< a flush message was sent
  bool is_checking_ = false;  ///< the timer for comments and rights is running
  int looks_ = 0;
};

}  // namespace parley::actors
