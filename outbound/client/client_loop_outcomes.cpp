// ClientLoop: the step after the end of an attempt: another attempt, a rest, a new token, or the end of the call.

#include "model/text/header_field_text.hpp"
#include "outbound/client/loop_call.hpp"

namespace parley::outbound {
namespace {

constexpr int unauthorized = 401;

// A call that never reached the service reveals nothing about the service.
Health health_of(const HttpOutcome& outcome) {
  if (is_failure_of_service(outcome)) return is_throttled(outcome) ? Health::unknown : Health::bad;
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure == nullptr || failure->kind == FailureKind::too_large ? Health::good : Health::unknown;
}

Pace::Ended ended_of(std::int64_t began_ms, const HttpOutcome& outcome) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  return {Pace::sign_of(outcome), began_ms, answer == nullptr ? -1 : answer->retry_after_ms};
}

}  // namespace

/// The fault of a call that was not sent because its provider keeps failing: the provider's last error (D48).
HttpOutcome ClientLoop::last_fault_of(const Call& call) const {
  const auto found = last_faults_.find(call.rules.provider);
  if (found != last_faults_.end()) return found->second;
  return Failure{FailureKind::overloaded, name_of(call.url) + " keeps failing, so calls to it are paused",
                 false};
}

void ClientLoop::remember_fault(const Call& call, Health health, const HttpOutcome& outcome) {
  if (call.rules.provider.empty() || health == Health::unknown) return;
  if (health == Health::good) {
    last_faults_.erase(call.rules.provider);
    return;
  }
  HttpOutcome& kept = last_faults_.insert_or_assign(call.rules.provider, outcome).first->second;
  auto* answer = std::get_if<HttpAnswer>(&kept);
  if (answer != nullptr && answer->body.size() > limits_.usual_body_bytes) answer->body.clear();
}

void ClientLoop::on_outcome(Call& call, HttpOutcome outcome) {
  auto* failure = std::get_if<Failure>(&outcome);
  if (failure != nullptr && call.has_left) failure->was_sent = true;
  const Health health = health_of(outcome);
  remember_fault(call, health, outcome);
  leave_phase(call, health, ended_of(call.began_ms, outcome));
  if (rests_throttled(call, outcome) || requests_new_token(call, outcome)) return;
  call.tries = after(call.tries, outcome);
  const auto wait = retry_wait_ms(outcome, call.tries, call.rules, limits_, random());
  if (!wait || now_ms() + *wait >= call.begins_until_ms) return complete(call, std::move(outcome));
  if (canceled_groups_.holds(call.request))
    return complete(call, canceled(failure == nullptr || failure->was_sent));
  rest(call, *wait);
}

/// Whether the service refused the call because it receives too many. If so, the call waits and uses up no attempt.
bool ClientLoop::rests_throttled(Call& call, const HttpOutcome& outcome) {
  if (!is_throttled(outcome)) return false;
  ++counters_.throttled;
  const std::int64_t pause_ms = std::get<HttpAnswer>(outcome).retry_after_ms;
  if (!call.rules.waits_when_throttled || pause_ms < 0 || pause_ms > limits_.retry_after_ms_max) return false;
  const auto now = now_ms();
  if (call.throttled_since_ms == never_ms) call.throttled_since_ms = now;
  // All callers received the same time, so their calls are spread.
  const auto wait_ms =
      pause_ms + static_cast<std::int64_t>(random() * static_cast<double>(limits_.retry_wait_ms));
  const auto until_ms = std::min(call.begins_until_ms, call.throttled_since_ms + limits_.throttled_ms_max);
  if (now + wait_ms >= until_ms) return false;
  ++call.throttling.answers;
  call.throttling.waited_ms += wait_ms;
  counters_.throttled_wait_ms += static_cast<std::uint64_t>(wait_ms);
  if (canceled_groups_.holds(call.request)) {
    complete(call, canceled(true));
  } else {
    rest(call, wait_ms);
  }
  return true;
}

/// The token may have been withdrawn early, so another one is fetched once.
bool ClientLoop::requests_new_token(Call& call, const HttpOutcome& outcome) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  const bool is_refused =
      answer != nullptr && answer->status == unauthorized && call.request.grant != nullptr;
  if (!is_refused || call.has_new_token || now_ms() >= call.begins_until_ms) return false;
  call.has_new_token = true;
  tokens_.drop(*call.request.grant, call.token);
  if (canceled_groups_.holds(call.request)) {
    complete(call, canceled(true));
  } else {
    go_on(call);
  }
  return true;
}

void ClientLoop::rest(Call& call, std::int64_t wait_ms) {
  call.phase = Phase::resting;
  set_timer(call, now_ms() + wait_ms);
}

/// Reports that a service gets fewer concurrent calls, or the normal number again.
void ClientLoop::report_pace(const Call& call, std::optional<std::size_t> before) {
  const auto now = slots_.window(call.line);
  const bool has_changed = before.has_value() != now.has_value() || (now == 1 && before != 1);
  if (has_changed && on_slowed_)
    on_slowed_(SlowedOrigin{call.line.origin, call.rules.provider, now.value_or(0)});
}

double ClientLoop::random() {
  return std::uniform_real_distribution<double>(0, 1)(random_);
}

// ---- tokens of calls with a grant (RFC 6749 4.4)

/// Queues the call once it has its token.
void ClientLoop::go_on(Call& call) {
  if (call.request.grant == nullptr) return wait_for_slot(call);
  auto token = tokens_.find(*call.request.grant, now_ms());
  if (!token) return authorize(call);
  call.token = std::move(*token);
  auto& fields = call.request.fields;
  std::erase_if(fields, [](const auto& field) { return same_ignoring_case(field.first, "Authorization"); });
  fields.emplace_back("Authorization", "Bearer " + call.token);
  wait_for_slot(call);
}

void ClientLoop::authorize(Call& call) {
  call.phase = Phase::authorizing;
  if (call.begins_until_ms != never_ms) set_timer(call, call.begins_until_ms);
  if (tokens_.wait(*call.request.grant, call.id)) fetch_token(*call.request.grant);
}

void ClientLoop::fetch_token(const TokenGrant& grant) {
  NewCall fetch;
  fetch.request = tokens_.request(grant);
  fetch.rules = {.attempts = 2, .repeats_after_send = true, .waits_when_throttled = true};
  fetch.completion = [post = around_.post_token, grant](HttpOutcome outcome, int) {
    post({grant, std::move(outcome)});
  };
  shared_.start(std::move(fetch));
}

void ClientLoop::on_token(const FetchedToken& token) {
  const auto taken = tokens_.take(token.grant, token.outcome, now_ms());
  if (taken.taken == Tokens::Taken::again) return fetch_token(token.grant);
  for (const CallId id : taken.waiting) {
    const auto found = calls_.find(id);
    if (found == calls_.end()) continue;
    Call& call = *found->second;
    clear_timer(call);
    if (taken.taken == Tokens::Taken::token) {
      go_on(call);
    } else {
      complete(call, taken.failure);
    }
  }
}

}  // namespace parley::outbound
