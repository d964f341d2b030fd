#pragma once
/// The one actor that writes to the store: gathers the change sets that wait and commits them in one transaction (group
/// commit, D92). Spawned detached, so that LMDB's write transaction stays on one thread.

#include "actors/base/handles.hpp"
#include "actors/runtime/waiting_clients_actor.hpp"
#include "actors/services.hpp"
#include "actors/streams/events_handle.hpp"
#include "actors/telemetry/telemetry_handle.hpp"

namespace parley::actors {

class WriterActor : public Writer::base {
 public:
  WriterActor(caf::actor_config& config, Services& services, WaitingClients room,
              const WaitingClientsFigures& waiters, Events events = {},
              const EventFigures* event_figures = nullptr, Webhooks webhooks = {}, Telemetry telemetry = {});

  behavior_type make_behavior() override;
  /// Commits the remaining change sets. A promise keeps its actor alive, so a leftover promise would keep the
  /// writer alive indefinitely.
  void on_exit() override;

 private:
  using Promise = caf::typed_response_promise<store::Outcome>;

  Promise gather(Commit& commit);
  void flush();
  void notify_telemetry(const std::vector<store::ChangeSet>& batch,
                        const std::vector<store::Outcome>& outcomes);
  void notify_webhooks(const std::vector<store::ChangeSet>& batch);

  Services& services_;
  WaitingClients room_;
  const WaitingClientsFigures& waiters_;
  Events events_;
  const EventFigures* event_figures_;  ///< null: no client watches events
  Webhooks webhooks_;
  Telemetry telemetry_;
  std::vector<store::ChangeSet> batch_;
  std::vector<Promise> promises_;
  bool reported_broken_ = false;
  bool reported_refused_ = false;  ///< the refused precedence for canceling runs was logged
};

}  // namespace parley::actors
