#pragma once
/// The agents of a simulated world: the schedule decides when and how each call ends, if ever. One thread.

#include <map>
#include <random>
#include <set>

#include "actors/services.hpp"

namespace parley::sim {

/// An answer with a body that is JSON, or should be.
[[nodiscard]] outbound::HttpAnswer answered_with(int status, std::string body);

class Agents {
 public:
  /// The ways a call may end; `kinds` is their number.
  enum class Ending : std::uint8_t { says, ends, no_json, refuses, times_out };
  static constexpr std::size_t kinds = 5;

  [[nodiscard]] actors::OutboundPort outside();
  /// Ends one of the open calls. Returns false if no call is open.
  bool end_one(std::mt19937_64& dice, Ending ending);
  /// Leaves the state of a killed process. No calls are accepted until revive().
  void die();
  void revive() { is_dead_ = false; }

  [[nodiscard]] std::size_t open() const { return open_.size(); }
  /// Whether the agent of this result ever gave a bad answer.
  [[nodiscard]] bool has_failed(const std::string& result) const { return failed_.contains(result); }
  /// Whether a turn was requested while another call for the same result was open.
  [[nodiscard]] bool asked_twice_at_once() const { return asked_twice_; }

 private:
  using Done = std::function<void(outbound::HttpOutcome, int)>;
  struct Call {
    std::string result;
    Done done;
  };
  void end(outbound::CallId id, const outbound::HttpOutcome& outcome);

  std::map<outbound::CallId, Call> open_;
  outbound::CallId last_ = 0;
  std::set<std::string> failed_;
  bool asked_twice_ = false;
  bool is_dead_ = false;
};

}  // namespace parley::sim
