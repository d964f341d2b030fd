#include "actors/webhooks/delivery_rules.hpp"

#include <algorithm>

namespace parley::actors {
namespace {

/// Shorter failures are not recorded, so that a receiver that fails now and then costs no commits.
constexpr std::int64_t failing_reported_after_ms = 60'000;

}  // namespace

std::string error_of(const Attempt& attempt) {
  if (attempt.status == 0) return attempt.error;
  return "the receiver answered with status " + std::to_string(attempt.status);
}

bool is_too_old(const store::Delivery& delivery, Time now, std::int64_t give_up_ms) {
  return now.ms - time_of(delivery.key.id).ms >= give_up_ms;
}

store::Delivery abandoned(store::Delivery delivery, Time now, std::string why) {
  delivery.status = store::DeliveryStatus::failed;
  delivery.ended_at = now;
  delivery.next_attempt_at.reset();
  delivery.error = std::move(why);
  return delivery;
}

store::Delivery after_attempt(store::Delivery delivery, const Attempt& attempt, std::int64_t pause_ms,
                              std::int64_t give_up_ms) {
  ++delivery.attempts;
  delivery.answer_status.reset();
  if (attempt.status != 0) delivery.answer_status = attempt.status;
  if (attempt.succeeded()) {
    delivery.status = store::DeliveryStatus::delivered;
    delivery.ended_at = attempt.at;
    delivery.next_attempt_at.reset();
    delivery.error.reset();
    return delivery;
  }
  if (attempt.is_refused() || is_too_old(delivery, attempt.at, give_up_ms))
    return abandoned(std::move(delivery), attempt.at, error_of(attempt));
  delivery.error = error_of(attempt);
  delivery.next_attempt_at = Time{attempt.at.ms + pause_ms};
  return delivery;
}

Webhook after_attempt(Webhook webhook, const Attempt& attempt, Time failing_since, std::int64_t give_up_ms) {
  if (attempt.succeeded()) {
    webhook.failing_since.reset();
    return webhook;
  }
  const Time since = webhook.failing_since ? std::min(*webhook.failing_since, failing_since) : failing_since;
  const std::int64_t lasted = attempt.at.ms - since.ms;
  if (lasted >= std::min(failing_reported_after_ms, give_up_ms)) webhook.failing_since = since;
  if (!webhook.is_enabled || (!attempt.is_refused() && lasted < give_up_ms)) return webhook;
  webhook.is_enabled = false;
  webhook.disabled_at = attempt.at;
  webhook.disabled_reason = attempt.is_refused() ? "the receiver answered with status 410 (gone)"
                                                 : "no event could be delivered since " + to_text(since) +
                                                       "; last error: " + error_of(attempt);
  return webhook;
}

}  // namespace parley::actors
