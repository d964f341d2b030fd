#include "actors/webhooks/delivery_saving.hpp"

#include <algorithm>
#include <map>

#include "outbound/webhooks/webhook_call.hpp"

namespace parley::actors {
namespace {

struct Changed {
  Webhook before;
  Webhook after;
};

class Decision {
 public:
  Decision(const store::Snapshot& snapshot, DeliverySaving& saving, std::int64_t give_up_ms)
      : snapshot_(snapshot), saving_(saving), give_up_ms_(give_up_ms) {}

  Expected<Done> take(const UnsavedAttempt& unsaved) {
    TRY(before, store::find_owed(snapshot_, unsaved.key));
    if (!before) {
      saving_.over.push_back(unsaved.key);
      return Done{};
    }
    if (unsaved.is_abandoned) {
      end(abandoned(std::move(*before), unsaved.attempt.at, unsaved.attempt.error));
      return Done{};
    }
    const std::int64_t pause =
        outbound::webhook_pause_ms(before->attempts + 1, unsaved.attempt.retry_after_ms, unsaved.key.id);
    store::Delivery after = after_attempt(std::move(*before), unsaved.attempt, pause, give_up_ms_);
    if (after.next_attempt_at) {
      saving_.again.emplace_back(after.key, *after.next_attempt_at);
      store::put_owed(changes_, after);
    } else {
      end(after);
    }
    return move_webhook(unsaved);
  }

  store::ChangeSet finish() {
    for (auto& [id, changed] : webhooks_) {
      if (write_stored(changed.before) == write_stored(changed.after)) continue;
      changed.after.stamp.updated_at =
          std::max(changed.after.stamp.updated_at, Time{changed.before.stamp.updated_at.ms + 1});
      changes_.replace(changed.before, changed.after);
      if (changed.before.is_enabled && !changed.after.is_enabled) saving_.disabled.push_back(changed.after);
    }
    return std::move(changes_);
  }

 private:
  void end(const store::Delivery& delivery) {
    store::end_delivery(changes_, delivery);
    saving_.over.push_back(delivery.key);
    if (delivery.status == store::DeliveryStatus::delivered) ++saving_.delivered;
  }

  Expected<Done> move_webhook(const UnsavedAttempt& unsaved) {
    auto found = webhooks_.find(unsaved.key.webhook);
    if (found == webhooks_.end()) {
      TRY(webhook, snapshot_.find<Webhook>(unsaved.key.webhook));
      if (!webhook) return Done{};
      found = webhooks_.emplace(unsaved.key.webhook, Changed{*webhook, *webhook}).first;
    }
    Webhook& webhook = found->second.after;
    webhook = after_attempt(std::move(webhook), unsaved.attempt, unsaved.failing_since, give_up_ms_);
    webhook.stamp.updated_at = std::max(webhook.stamp.updated_at, unsaved.attempt.at);
    return Done{};
  }

  const store::Snapshot& snapshot_;
  DeliverySaving& saving_;
  std::int64_t give_up_ms_;
  store::ChangeSet changes_;
  std::map<Id, Changed> webhooks_;
};

}  // namespace

Expected<store::ChangeSet> decide_saving(const store::Snapshot& snapshot, DeliverySaving& saving,
                                         std::int64_t give_up_ms) {
  saving.again.clear();
  saving.over.clear();
  saving.disabled.clear();
  saving.delivered = 0;
  Decision decision(snapshot, saving, give_up_ms);
  for (const UnsavedAttempt& each : saving.unsaved) TRY_DONE(decision.take(each));
  return decision.finish();
}

store::ChangeSet decide_purge(const store::Snapshot& snapshot, Time now, std::int64_t kept_ms,
                              std::size_t most) {
  store::ChangeSet changes;
  store::DeliveryKey after;
  while (changes.writes.size() < most) {
    const auto over = store::over_deliveries(snapshot, after, most);
    if (over.empty()) break;
    after = over.back();
    for (const store::DeliveryKey& key : over) {
      const bool is_old = now.ms - time_of(key.id).ms >= kept_ms;
      const bool is_wanted = !is_old && snapshot.has(RecordKind::webhook, key.webhook);
      if (!is_wanted && changes.writes.size() < most) store::erase_over(changes, key);
    }
  }
  return changes;
}

}  // namespace parley::actors
