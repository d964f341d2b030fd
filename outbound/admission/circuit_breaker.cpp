#include "outbound/admission/circuit_breaker.hpp"

#include <algorithm>

namespace parley::outbound {

bool CircuitBreaker::admits(std::int64_t now_ms) const {
  switch (state_) {
    case State::closed: return true;
    case State::open: return now_ms >= open_until_ms_;
    case State::trying: return false;
  }
  return false;
}

CircuitBreaker::Pass CircuitBreaker::begin() {
  if (state_ == State::closed) return Pass::normal;
  state_ = State::trying;
  return Pass::trial;
}

void CircuitBreaker::on_success() {
  *this = CircuitBreaker();
}

void CircuitBreaker::on_failure(Pass pass, std::int64_t now_ms, const CallLimits& limits) {
  // Calls that were sent before the breaker opened may fail late; that is not new information.
  if (state_ != State::closed && pass == Pass::normal) return;
  failures_ = std::min(failures_ + 1, limits.failures_to_open);
  if (pass == Pass::trial || failures_ == limits.failures_to_open) open(now_ms, limits);
}

void CircuitBreaker::on_nothing(Pass pass) {
  if (state_ == State::trying && pass == Pass::trial) state_ = State::open;
}

void CircuitBreaker::open(std::int64_t now_ms, const CallLimits& limits) {
  open_for_ms_ = std::clamp(open_for_ms_ * 2, limits.open_ms, limits.open_ms_max);
  open_until_ms_ = now_ms + open_for_ms_;
  state_ = State::open;
}

}  // namespace parley::outbound
