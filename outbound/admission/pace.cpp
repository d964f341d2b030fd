#include "outbound/admission/pace.hpp"

#include <algorithm>

namespace parley::outbound {
namespace {

constexpr int throttled_status = 429;
constexpr int busy_status = 503;
constexpr int first_fault_status = 500;
/// Time-outs alone do not halve the window below this: otherwise, a service that never answers would hold every
/// conversation for its time-out, one after the other.
constexpr std::size_t timeouts_window_min = 16;
constexpr std::size_t timeouts_min = 4;      ///< fewer may be chance
constexpr std::size_t remembered_max = 128;  ///< answers and time-outs; the weight of older ones decreases

}  // namespace

bool is_throttled(const HttpOutcome& outcome) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  if (answer == nullptr) return false;
  return answer->status == throttled_status || (answer->status == busy_status && answer->retry_after_ms >= 0);
}

Pace::Sign Pace::sign_of(const HttpOutcome& outcome) {
  if (is_throttled(outcome)) return Sign::throttled;
  if (const auto* failure = std::get_if<Failure>(&outcome))
    return failure->kind == FailureKind::timeout ? Sign::timeout : Sign::nothing;
  return std::get<HttpAnswer>(outcome).status < first_fault_status ? Sign::good : Sign::nothing;
}

bool Pace::admits(std::size_t on_wire, std::int64_t now_ms) const {
  return !is_slowed() || (now_ms >= paused_until_ms_ && on_wire < window());
}

std::size_t Pace::window() const {
  return is_slowed() ? std::max<std::size_t>(static_cast<std::size_t>(window_), 1)
                     : std::numeric_limits<std::size_t>::max();
}

bool Pace::is_starved(std::int64_t now_ms, std::int64_t for_ms) const {
  return is_slowed() && now_ms - good_ms_ >= for_ms;
}

void Pace::on_end(const Ended& ended, std::size_t on_wire, std::int64_t now_ms, const CallLimits& limits) {
  const bool is_of_round = !is_slowed() || ended.began_ms >= cut_ms_;
  if (answers_ + timeouts_ >= remembered_max) {
    answers_ /= 2;
    timeouts_ /= 2;
  }
  switch (ended.sign) {
    case Sign::nothing: return;
    case Sign::good:
      throttled_row_ = 0;
      good_ms_ = now_ms;
      ++answers_;
      return grow(now_ms, limits);
    case Sign::timeout:
      ++timeouts_;
      if (is_of_round && timeouts_ >= timeouts_min && timeouts_ * 2 >= answers_)
        cut(on_wire, timeouts_window_min, now_ms);
      return;
    case Sign::throttled:
      ++throttled_row_;
      if (is_of_round) cut(on_wire, limits.throttled_window_min, now_ms);
      throttled_ms_ = now_ms;
      if (throttled_row_ < limits.throttled_row_max) return;
      window_ = 1;
      const auto pause_ms = ended.pause_ms >= 0 ? ended.pause_ms : limits.retry_wait_ms;
      paused_until_ms_ = std::max(paused_until_ms_, now_ms + std::min(pause_ms, limits.retry_after_ms_max));
      return;
  }
}

void Pace::cut(std::size_t on_wire, std::size_t least, std::int64_t now_ms) {
  const double size = is_slowed() ? window_ : static_cast<double>(std::max<std::size_t>(on_wire, 1));
  if (!is_slowed()) {
    free_at_ = 2 * std::max(size, static_cast<double>(least));
    good_ms_ = now_ms;
  }
  window_ = std::min(std::max(size / 2, static_cast<double>(least)), std::max(size, 1.0));
  cut_ms_ = throttled_ms_ = now_ms;
  answers_ = timeouts_ = 0;
}

void Pace::grow(std::int64_t now_ms, const CallLimits& limits) {
  if (!is_slowed()) return;
  window_ += now_ms - throttled_ms_ >= limits.calm_ms ? 1 : 1 / window_;
  if (window_ >= free_at_) *this = Pace();
}

}  // namespace parley::outbound
