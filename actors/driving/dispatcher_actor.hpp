#pragma once
/// The dispatcher: notifies server-driven results when they may continue, within the limits of their run and
/// of the server (D43, D55). One event-based actor; DispatchMachine has the rules.

#include "actors/base/handles.hpp"
#include "actors/driving/dispatch_machine.hpp"
#include "actors/services.hpp"

namespace parley::actors {

/// Counters of the dispatcher that other threads may read.
struct DispatchFigures {
  std::atomic<std::int64_t> driven{0};
  std::atomic<std::size_t> waiting{0};
};

class DispatcherActor : public Dispatcher::base {
 public:
  DispatcherActor(caf::actor_config& config, Services& services, Workflow workflow, DispatchFigures& figures);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  [[nodiscard]] std::int64_t slots_of(const std::optional<Id>& run) const;
  void start(const std::vector<Id>& results);

  Services& services_;
  Workflow workflow_;
  DispatchFigures& figures_;
  DispatchMachine machine_;
  Directory directory_;
};

}  // namespace parley::actors
