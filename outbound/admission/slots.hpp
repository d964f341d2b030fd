#pragma once
/// Slots: counts the calls on the wire and queues the waiting ones. Each service has one line (a `Line`),
/// oldest call first. The lines take turns, so that a thousand calls to one service do not delay the only call
/// to another. A line may have a circuit breaker, and gets its own pace once its service reported too many
/// calls. Pure: the time is a parameter.
///
/// Invariant: a call is in at most one line, and on_wire() never exceeds calls_max.
/// Needs: ids that increase over time; a call that returns after a failed attempt keeps its place.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "outbound/admission/circuit_breaker.hpp"
#include "outbound/admission/pace.hpp"
#include "outbound/call_limits.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// What the end of a call shows about its service.
enum class Health { good, bad, unknown };

class Slots {
 public:
  /// Called when a line begins to keep state that outlives its calls (a failure or a rate limit), and when that
  /// state ends.
  using OnRemembered = std::function<void(const std::string& origin, bool is_remembered)>;

  /// `limits` must outlive the object.
  explicit Slots(const CallLimits& limits, OnRemembered on_remembered = {})
      : limits_(limits), on_remembered_(std::move(on_remembered)) {}

  /// The calls to one service, which wait for each other. Agents, tester and judge on one origin are three
  /// services: each provider has its own circuit breaker; agents have none.
  struct Line {
    std::string origin;
    std::string_view provider = {};  ///< empty: no circuit breaker
    bool operator==(const Line&) const = default;
  };
  struct Slot {
    CallId id = 0;
    CircuitBreaker::Pass pass = CircuitBreaker::Pass::normal;
  };

  /// Puts the call at its place in the line.
  void wait(CallId id, const Line& line);
  /// Removes the call from the line. Does nothing if the call does not wait.
  void forget(CallId id, const Line& line);
  /// Gives the next call a slot; nullopt while no call may start. `permit` is called last, for the limit over
  /// all clients.
  [[nodiscard]] std::optional<Slot> next(std::int64_t now_ms, const std::function<bool()>& permit = {});
  /// A call leaves its slot.
  void release(const Line& line, CircuitBreaker::Pass pass, Health health, std::int64_t now_ms,
               const Pace::Ended& ended = {});
  /// Whether the line's circuit breaker delays its calls.
  [[nodiscard]] bool is_open(const Line& line) const;
  /// Whether the line's service has admitted no call for so long that its calls must not wait any longer.
  [[nodiscard]] bool is_starved(const Line& line, std::int64_t now_ms) const;
  /// The current limit of the line; nullopt: no limit.
  [[nodiscard]] std::optional<std::size_t> window(const Line& line) const;
  /// When a breaker or a pause admits the next waiting call; nullopt if no call waits for that.
  [[nodiscard]] std::optional<std::int64_t> opens_at_ms() const;

  [[nodiscard]] std::size_t on_wire() const { return on_wire_; }
  [[nodiscard]] std::size_t open_breakers() const { return open_breakers_; }
  /// The number of lines with fewer concurrent calls because their service requested that.
  [[nodiscard]] std::size_t slowed() const { return slowed_; }
  /// The number of remembered lines: those with calls, or with a breaker that keeps state.
  [[nodiscard]] std::size_t lines() const { return lines_.size(); }

 private:
  struct State {
    std::set<CallId> waiting;
    std::size_t on_wire = 0;
    bool has_turn = false;       ///< its key is in turns_
    bool is_remembered = false;  ///< the last reported value
    CircuitBreaker breaker;
    Pace pace;
  };
  [[nodiscard]] std::optional<std::int64_t> opens_at_ms(const State& state) const;
  [[nodiscard]] bool may_go(const State& state, const std::string& key, std::int64_t now_ms) const;
  void note(const std::string& key, State& state, bool is_remembered);
  void drop_if_idle(const std::string& key);

  const CallLimits& limits_;
  OnRemembered on_remembered_;
  std::unordered_map<std::string, State> lines_;
  std::deque<std::string> turns_;  ///< lines with waiting calls, each once
  std::size_t on_wire_ = 0;
  std::size_t open_breakers_ = 0;
  std::size_t slowed_ = 0;
};

}  // namespace parley::outbound
