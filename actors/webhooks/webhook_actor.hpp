#pragma once
/// Delivers events to webhooks (D153, ADR 59): turns notices into deliveries, sends each until the receiver
/// has accepted it, and saves the outcome of each attempt before the next one. A crash repeats at most the
/// attempts whose outcome was not yet saved. Event-based; memory holds the keys of owed deliveries, not their
/// bodies.

#include <map>
#include <set>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"
#include "actors/webhooks/delivery_saving.hpp"

namespace parley::actors {

class WebhookActor : public Webhooks::base {
 public:
  WebhookActor(caf::actor_config& config, Services& services);

  behavior_type make_behavior() override;
  /// Drops the handle: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  /// Deliveries of one webhook.
  struct Queue {
    std::multimap<Time, Id> due;
    std::size_t in_flight = 0;
    std::optional<Time> failing_since;
  };
  void begin(const DeliverFrom& from);
  void load();
  void expand();
  void expanded(const NoticesExpanded& message);
  void queue(const store::DeliveryKey& key, Time at);
  void send_due();
  /// Starts an attempt, unless there is nothing to send now.
  void attempt(const store::DeliveryKey& key);
  void give_up(const store::DeliveryKey& key, const std::string& why);
  /// No attempt was made: another one follows after `ms`.
  void put_off(const store::DeliveryKey& key, std::int64_t ms);
  void returned(const DeliveryReturned& message);
  void save();
  void saved(const DeliveriesSaved& message);
  void purge();
  /// Wakes the actor at `at`, unless an earlier wake-up is set.
  void wake(Time at);
  void tick();
  void note_figures();

  Services& services_;
  WebhookFigures& figures_;
  Records records_;
  std::map<Id, Queue> queues_;
  Id served_;  ///< the webhook whose turn was last
  std::size_t owed_ = 0;
  std::size_t in_flight_ = 0;
  std::set<store::DeliveryKey> sending_;  ///< chosen, not yet returned
  bool is_refused_ = false;  ///< the last commit was refused: this node does not lead, or the disk is full
  bool is_expanding_ = false;
  bool must_expand_ = false;
  std::vector<UnsavedAttempt> unsaved_;
  std::shared_ptr<DeliverySaving> saving_;
  std::optional<Time> wakes_at_;
  Time purged_at_;
};

}  // namespace parley::actors
