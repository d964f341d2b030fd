#include "outbound/admission/slots.hpp"

#include <algorithm>

#include "model/check.hpp"

namespace parley::outbound {
namespace {

// An origin begins with "http", so the mark keeps all keys distinct.
constexpr char breaker_mark = '!';

std::string key_of(const Slots::Line& line) {
  if (line.provider.empty()) return line.origin;
  return breaker_mark + std::string(line.provider) + breaker_mark + line.origin;
}

bool has_breaker(const std::string& key) {
  return key.front() == breaker_mark;
}

std::string origin_of(const std::string& key) {
  return has_breaker(key) ? key.substr(key.find(breaker_mark, 1) + 1) : key;
}

}  // namespace

void Slots::wait(CallId id, const Line& line) {
  const auto key = key_of(line);
  State& state = lines_[key];
  state.waiting.insert(id);
  if (state.has_turn) return;
  state.has_turn = true;
  turns_.push_back(key);
}

void Slots::forget(CallId id, const Line& line) {
  const auto key = key_of(line);
  const auto found = lines_.find(key);
  if (found == lines_.end() || found->second.waiting.erase(id) == 0) return;
  drop_if_idle(key);
}

std::optional<Slots::Slot> Slots::next(std::int64_t now_ms, const std::function<bool()>& permit) {
  if (on_wire_ >= limits_.calls_max) return std::nullopt;
  for (std::size_t left = turns_.size(); left > 0; --left) {
    auto key = std::move(turns_.front());
    turns_.pop_front();
    const auto found = lines_.find(key);
    if (found == lines_.end()) continue;
    State& state = found->second;
    if (state.waiting.empty()) {
      state.has_turn = false;
      drop_if_idle(key);
      continue;
    }
    const bool is_admitted = may_go(state, key, now_ms);
    if (is_admitted && permit && !permit()) {
      turns_.push_front(std::move(key));
      return std::nullopt;
    }
    Slot slot;
    if (is_admitted) {
      slot.id = *state.waiting.begin();
      state.waiting.erase(state.waiting.begin());
      if (has_breaker(key)) slot.pass = state.breaker.begin();
      ++state.on_wire;
      ++on_wire_;
    }
    turns_.push_back(std::move(key));
    if (is_admitted) return slot;
  }
  return std::nullopt;
}

void Slots::release(const Line& line, CircuitBreaker::Pass pass, Health health, std::int64_t now_ms,
                    const Pace::Ended& ended) {
  const auto key = key_of(line);
  const auto found = lines_.find(key);
  CHECK(found != lines_.end() && found->second.on_wire > 0 && on_wire_ > 0);
  State& state = found->second;
  const bool was_slowed = state.pace.is_slowed();
  state.pace.on_end(ended, state.on_wire, now_ms, limits_);
  if (state.pace.is_slowed() && !was_slowed) ++slowed_;
  if (was_slowed && !state.pace.is_slowed()) --slowed_;
  --state.on_wire;
  --on_wire_;
  if (has_breaker(key)) {
    const bool was_open = state.breaker.state() != CircuitBreaker::State::closed;
    switch (health) {
      case Health::good: state.breaker.on_success(); break;
      case Health::bad: state.breaker.on_failure(pass, now_ms, limits_); break;
      case Health::unknown: state.breaker.on_nothing(pass); break;
    }
    const bool is_open = state.breaker.state() != CircuitBreaker::State::closed;
    if (is_open && !was_open) ++open_breakers_;
    if (was_open && !is_open) --open_breakers_;
  }
  note(key, state, !state.breaker.is_fresh() || state.pace.is_slowed());
  drop_if_idle(key);
}

void Slots::note(const std::string& key, State& state, bool is_remembered) {
  if (state.is_remembered == is_remembered) return;
  state.is_remembered = is_remembered;
  if (on_remembered_) on_remembered_(origin_of(key), is_remembered);
}

bool Slots::is_open(const Line& line) const {
  const auto found = lines_.find(key_of(line));
  return found != lines_.end() && found->second.breaker.state() != CircuitBreaker::State::closed;
}

bool Slots::is_starved(const Line& line, std::int64_t now_ms) const {
  const auto found = lines_.find(key_of(line));
  return found != lines_.end() && found->second.pace.is_starved(now_ms, limits_.throttled_ms_max);
}

std::optional<std::size_t> Slots::window(const Line& line) const {
  const auto found = lines_.find(key_of(line));
  if (found == lines_.end() || !found->second.pace.is_slowed()) return std::nullopt;
  return found->second.pace.window();
}

std::optional<std::int64_t> Slots::opens_at_ms() const {
  if (open_breakers_ == 0 && slowed_ == 0) return std::nullopt;
  std::optional<std::int64_t> first;
  for (const auto& key : turns_) {
    const auto found = lines_.find(key);
    if (found == lines_.end() || found->second.waiting.empty()) continue;
    const auto at_ms = opens_at_ms(found->second);
    if (at_ms) first = std::min(first.value_or(*at_ms), *at_ms);
  }
  return first;
}

/// The later of the two times, because both must admit the call. A line whose window is full waits for a call to end.
std::optional<std::int64_t> Slots::opens_at_ms(const State& state) const {
  const auto bound = std::min(state.pace.window(), limits_.calls_per_origin_max);
  const bool is_open = state.breaker.state() == CircuitBreaker::State::open;
  const bool is_paused = state.pace.is_slowed() && state.on_wire < bound;
  if (state.breaker.state() == CircuitBreaker::State::trying || (!is_open && !is_paused)) return std::nullopt;
  if (state.pace.is_slowed() && !is_paused) return std::nullopt;
  return std::max(is_open ? state.breaker.open_until_ms() : 0, is_paused ? state.pace.paused_until_ms() : 0);
}

bool Slots::may_go(const State& state, const std::string& key, std::int64_t now_ms) const {
  if (!state.pace.admits(state.on_wire, now_ms)) return false;
  return state.on_wire < limits_.calls_per_origin_max && (!has_breaker(key) || state.breaker.admits(now_ms));
}

// A line that is in turns_ is removed when its turn comes.
void Slots::drop_if_idle(const std::string& key) {
  const auto found = lines_.find(key);
  if (found == lines_.end()) return;
  State& state = found->second;
  const bool is_idle = !state.has_turn && state.waiting.empty() && state.on_wire == 0;
  if (!is_idle || !state.breaker.is_fresh()) return;
  if (state.pace.is_slowed()) {
    if (slowed_ <= limits_.slow_lines_max) return;
    --slowed_;
  }
  note(key, state, false);
  lines_.erase(found);
}

}  // namespace parley::outbound
