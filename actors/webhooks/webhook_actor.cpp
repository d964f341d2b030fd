#include "actors/webhooks/webhook_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/actor_failure.hpp"
#include "actors/base/never_lost.hpp"
#include "actors/webhooks/webhook_events.hpp"
#include "outbound/webhooks/webhook_call.hpp"

namespace parley::actors {
namespace {

/// Long enough to collect the events of one change set.
constexpr std::chrono::milliseconds collect_for{20};
constexpr std::size_t in_flight_max = 64;
constexpr std::size_t in_flight_of_webhook_max = 8;
/// Beyond this number notices stay in the outbox.
constexpr std::size_t owed_max = 100'000;
constexpr std::size_t load_step = 1'000;
constexpr std::size_t purge_step = 5'000;
constexpr std::int64_t retry_ms = 1'000;    ///< after a refused commit, or a call for which there was no room
constexpr std::int64_t recheck_ms = 5'000;  ///< between checks whether a disabled webhook was enabled
constexpr std::int64_t purge_every_ms = 600'000;
constexpr std::int64_t kept_ms = 7 * 24 * 3'600'000LL;

/// The failure is ours: it shows nothing about the receiver.
bool is_ours(const outbound::Failure& failure) {
  return failure.kind == outbound::FailureKind::canceled || failure.kind == outbound::FailureKind::overloaded;
}

Attempt attempt_of(const outbound::HttpOutcome& outcome, Time now) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome)) return {now, 0, failure->detail};
  const auto& answer = std::get<outbound::HttpAnswer>(outcome);
  return {now, answer.status, {}, answer.retry_after_ms};
}

}  // namespace

WebhookActor::WebhookActor(caf::actor_config& config, Services& services)
    : Webhooks::base(config), services_(services), figures_(*services.webhook_figures) {}

WebhookActor::behavior_type WebhookActor::make_behavior() {
  set_exception_handler(ends_process("webhook actor", services_));
  return {
      [this](const DeliverFrom& from) { begin(from); },
      [this](Flush) {
        must_expand_ = true;
        if (records_) wake({services_.clock.now().ms + collect_for.count()});
      },
      [this](const NoticesExpanded& message) { expanded(message); },
      [this](const DeliveryReturned& message) { returned(message); },
      [this](const DeliveriesSaved& message) { saved(message); },
      [this](Tick) { tick(); },
  };
}

void WebhookActor::on_exit() {
  records_ = nullptr;
  queues_.clear();
}

void WebhookActor::begin(const DeliverFrom& from) {
  records_ = caf::actor_cast<Records>(from.records);
  if (!records_) return;  // another node of the cluster delivers
  is_refused_ = false;
  load();
  purge();
  expand();
  send_due();
}

/// Also runs when this node leads again: its state is then outdated, except for the attempts in progress.
void WebhookActor::load() {
  std::set<store::DeliveryKey> busy = sending_;
  for (const UnsavedAttempt& each : unsaved_) busy.insert(each.key);
  if (saving_) {
    for (const UnsavedAttempt& each : saving_->unsaved) busy.insert(each.key);
  }
  for (auto& [webhook, queue] : queues_) queue.due.clear();
  owed_ = busy.size();
  const store::Snapshot snapshot = services_.store.snapshot();
  store::DeliveryKey after;
  while (true) {
    const auto owed = store::owed_deliveries(snapshot, after, load_step);
    if (owed.empty()) return;
    after = owed.back().key;
    for (const store::Delivery& each : owed) {
      if (!busy.contains(each.key)) queue(each.key, each.next_attempt_at.value_or(Time{}));
    }
  }
}

void WebhookActor::queue(const store::DeliveryKey& key, Time at) {
  queues_[key.webhook].due.emplace(at, key.id);
  ++owed_;
}

void WebhookActor::expand() {
  if (is_expanding_ || owed_ >= owed_max || !records_) return;
  is_expanding_ = true;
  must_expand_ = false;
  const auto made = std::make_shared<NoticesExpanded>();
  const Decide decide = [made, url = services_.settings.public_url](
                            const store::Snapshot& snapshot, Time now,
                            IdSource& ids) -> Expected<store::ChangeSet> {
    TRY(expansion, expand_notices(snapshot, now, ids, url));
    made->made = std::move(expansion.made);
    made->has_more = expansion.has_more;
    return std::move(expansion.changes);
  };
  const Completion<Done> on_done = [me = Webhooks{this}, made](const Expected<Done>& committed) {
    if (!committed.ok()) *made = {{}, true, true};
    caf::anon_send(me, *made);
  };
  send(records_, RecordsRequest{decide, never_lost(on_done)});
}

void WebhookActor::expanded(const NoticesExpanded& message) {
  is_expanding_ = false;
  is_refused_ = message.is_refused;
  const Time now = services_.clock.now();
  for (const store::DeliveryKey& key : message.made) queue(key, now);
  must_expand_ = must_expand_ || message.has_more || message.is_refused;
  if (message.is_refused) {
    wake({now.ms + retry_ms});
  } else if (must_expand_) {
    expand();
  }
  send_due();
}

void WebhookActor::send_due() {
  // A delivery whose outcome could not be saved would be sent again by the next start, or by the next leader.
  if (*services_.is_stopping || !records_ || is_refused_) return;
  const Time now = services_.clock.now();
  std::vector<store::DeliveryKey> chosen;
  auto each = queues_.upper_bound(served_);
  for (std::size_t tried = 0; tried < queues_.size() && in_flight_ < in_flight_max; ++tried, ++each) {
    if (each == queues_.end()) each = queues_.begin();
    Queue& queue = each->second;
    while (in_flight_ < in_flight_max && queue.in_flight < in_flight_of_webhook_max && !queue.due.empty() &&
           queue.due.begin()->first <= now) {
      chosen.push_back({each->first, queue.due.begin()->second});
      sending_.insert(chosen.back());
      queue.due.erase(queue.due.begin());
      ++queue.in_flight;
      ++in_flight_;
      served_ = each->first;
    }
  }
  for (const store::DeliveryKey& key : chosen) attempt(key);
  std::optional<Time> next;
  for (const auto& [webhook, queue] : queues_) {
    if (queue.due.empty() || queue.due.begin()->first <= now) continue;
    if (!next || queue.due.begin()->first < *next) next = queue.due.begin()->first;
  }
  if (next) wake(*next);
  save();
  note_figures();
}

void WebhookActor::attempt(const store::DeliveryKey& key) {
  const Time now = services_.clock.now();
  const store::Snapshot snapshot = services_.store.snapshot();
  const auto delivery = store::find_owed(snapshot, key);
  const auto webhook = snapshot.find<Webhook>(key.webhook);
  if (!delivery || !*delivery || !webhook || !*webhook) return give_up(key, "the webhook was deleted");
  const bool is_sent =
      ((*webhook)->is_enabled && !(*webhook)->is_archived) || (*delivery)->event == store::test_event;
  if (!is_sent) {
    queues_[key.webhook].failing_since.reset();
    if (is_too_old(**delivery, now, services_.settings.webhook_give_up_ms))
      return give_up(key, "the webhook is disabled");
    return put_off(key, recheck_ms);
  }
  outbound::WebhookMessage message{(*webhook)->url, std::nullopt, store::message_id(key.id),
                                   (*delivery)->body, now};
  if ((*webhook)->secret && services_.secrets != nullptr) {
    auto secret = services_.secrets->unseal(key.webhook, "secret", *(*webhook)->secret);
    if (!secret) {
      const outbound::Failure failure{outbound::FailureKind::bad_url, secret.problem().detail};
      return send(Webhooks{this}, DeliveryReturned{key, failure});
    }
    message.secret = std::move(secret).value();
  }
  services_.outside.start(outbound::webhook_request(message), {},
                          [me = Webhooks{this}, key](outbound::HttpOutcome outcome, int) {
                            caf::anon_send(me, DeliveryReturned{key, std::move(outcome)});
                          });
}

void WebhookActor::give_up(const store::DeliveryKey& key, const std::string& why) {
  sending_.erase(key);
  const Time now = services_.clock.now();
  unsaved_.push_back({key, {now, 0, why}, now, true});
  --queues_[key.webhook].in_flight;
  --in_flight_;
}

void WebhookActor::put_off(const store::DeliveryKey& key, std::int64_t ms) {
  sending_.erase(key);
  Queue& queue = queues_[key.webhook];
  const Time then{services_.clock.now().ms + ms};
  queue.due.emplace(then, key.id);
  --queue.in_flight;
  --in_flight_;
  wake(then);
}

void WebhookActor::returned(const DeliveryReturned& message) {
  const Time now = services_.clock.now();
  const auto* failure = std::get_if<outbound::Failure>(&message.outcome);
  if (failure != nullptr && is_ours(*failure)) return put_off(message.key, retry_ms);
  sending_.erase(message.key);
  Queue& queue = queues_[message.key.webhook];
  --queue.in_flight;
  --in_flight_;
  const Attempt made = attempt_of(message.outcome, now);
  if (made.succeeded()) {
    queue.failing_since.reset();
  } else {
    ++figures_.attempts_failed;
    if (!queue.failing_since) queue.failing_since = now;
  }
  unsaved_.push_back({message.key, made, queue.failing_since.value_or(now)});
  save();
  send_due();
}

void WebhookActor::save() {
  if (saving_ || unsaved_.empty() || !records_) return;
  saving_ = std::make_shared<DeliverySaving>();
  saving_->unsaved = std::exchange(unsaved_, {});
  const Decide decide = [saving = saving_, give_up_ms = services_.settings.webhook_give_up_ms](
                            const store::Snapshot& snapshot, Time, IdSource&) {
    return decide_saving(snapshot, *saving, give_up_ms);
  };
  const Completion<Done> on_done = [me = Webhooks{this}](const Expected<Done>& committed) {
    caf::anon_send(me, DeliveriesSaved{!committed.ok()});
  };
  send(records_, RecordsRequest{decide, never_lost(on_done)});
}

void WebhookActor::saved(const DeliveriesSaved& message) {
  const std::shared_ptr<DeliverySaving> ended = std::exchange(saving_, nullptr);
  if (!ended) return;
  is_refused_ = message.is_refused;
  if (message.is_refused) {  // the store refuses writes for now; the deliveries are still owed
    unsaved_.insert(unsaved_.begin(), ended->unsaved.begin(), ended->unsaved.end());
    return wake({services_.clock.now().ms + retry_ms});
  }
  for (const auto& [key, at] : ended->again) queues_[key.webhook].due.emplace(at, key.id);
  owed_ -= std::min(owed_, ended->over.size());
  figures_.delivered += ended->delivered;
  figures_.given_up += ended->over.size() - ended->delivered;
  for (const Webhook& webhook : ended->disabled) {
    queues_[webhook.stamp.id].failing_since.reset();
    spdlog::warn("webhook disabled webhook={} reason=\"{}\"", to_text(webhook.stamp.id),
                 webhook.disabled_reason.value_or(""));
  }
  std::erase_if(queues_, [](const auto& each) {
    return each.second.due.empty() && each.second.in_flight == 0 && !each.second.failing_since;
  });
  if (must_expand_) expand();
  save();
  send_due();
}

void WebhookActor::purge() {
  const Time now = services_.clock.now();
  if (now.ms - purged_at_.ms < purge_every_ms) return;
  purged_at_ = now;
  const Decide decide = [](const store::Snapshot& snapshot, Time at,
                           IdSource&) -> Expected<store::ChangeSet> {
    return decide_purge(snapshot, at, kept_ms, purge_step);
  };
  send(records_, RecordsRequest{decide, [](const Expected<Done>&) {}});
}

void WebhookActor::wake(Time at) {
  if (wakes_at_ && *wakes_at_ <= at) return;
  wakes_at_ = at;
  const std::int64_t in_ms = std::max<std::int64_t>(at.ms - services_.clock.now().ms, 0);
  delayed_send(this, std::chrono::milliseconds(in_ms), Tick{});
}

void WebhookActor::tick() {
  if (!records_) return;
  wakes_at_.reset();  // a timer may fire a millisecond early; a later delivery sets it again
  if (must_expand_) expand();
  purge();
  save();
  send_due();
}

void WebhookActor::note_figures() {
  figures_.owed = owed_;
}

}  // namespace parley::actors
