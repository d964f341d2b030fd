#include "outbound/client/retry_policy.hpp"

#include <algorithm>

namespace parley::outbound {
namespace {

constexpr int request_timeout = 408;
constexpr int too_early = 425;
constexpr int too_many_requests = 429;
constexpr int server_error = 500;
constexpr int doublings_max = 20;  // with more, any unit reaches the longest wait

bool is_unconnected(const HttpOutcome& outcome) {
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure != nullptr && !failure->was_sent &&
         (failure->kind == FailureKind::connect || failure->kind == FailureKind::tls);
}

bool is_transient(FailureKind kind) {
  switch (kind) {
    case FailureKind::connect:
    case FailureKind::timeout:
    case FailureKind::slow:
    case FailureKind::tls:
    case FailureKind::broken: return true;
    case FailureKind::too_large:
    case FailureKind::blocked_address:
    case FailureKind::bad_url:
    case FailureKind::canceled:
    case FailureKind::overloaded:
    case FailureKind::rate_limited:
    case FailureKind::no_token: return false;
  }
  return false;
}

bool may_succeed_later(const HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<Failure>(&outcome)) return is_transient(failure->kind);
  const int status = std::get<HttpAnswer>(outcome).status;
  return status == request_timeout || status == too_early || status == too_many_requests ||
         status >= server_error;
}

}  // namespace

Tries after(Tries tries, const HttpOutcome& outcome) {
  return {tries.made + 1, tries.unconnected + (is_unconnected(outcome) ? 1 : 0)};
}

std::optional<std::int64_t> retry_wait_ms(const HttpOutcome& outcome, Tries tries, const RetryRules& rules,
                                          const CallLimits& limits, double random) {
  const bool is_allowed = is_unconnected(outcome) || (rules.repeats_after_send && may_succeed_later(outcome));
  const int counted = tries.made - std::min(tries.unconnected, limits.connect_attempts - 1);
  if (!is_allowed || counted >= rules.attempts) return std::nullopt;
  const auto part = [random](std::int64_t ms) {
    return static_cast<std::int64_t>(random * static_cast<double>(ms));
  };
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  if (answer != nullptr && answer->retry_after_ms >= 0) {
    if (answer->retry_after_ms > limits.retry_after_ms_max) return std::nullopt;
    // All callers received the same time, so their retries are spread.
    return answer->retry_after_ms + part(limits.retry_wait_ms);
  }
  const int doublings = std::clamp(tries.made - 1, 0, doublings_max);
  return part(std::min(limits.retry_wait_ms << doublings, limits.retry_wait_ms_max));
}

bool is_failure_of_service(const HttpOutcome& outcome) {
  if (const auto* answer = std::get_if<HttpAnswer>(&outcome)) return answer->status >= server_error;
  return is_transient(std::get<Failure>(outcome).kind);
}

}  // namespace parley::outbound
