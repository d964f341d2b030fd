#pragma once
/// Whether driven conversations respect their deadline (--conversation-deadline): a conversation that one process has
/// driven for longer than the deadline gets no further calls. The time is the actors' own, counts from the first call
/// to the agent, and ends with the process. One thread.

#include <algorithm>
#include <map>
#include <string>

#include "outbound/outgoing_call.hpp"

namespace parley::sim {

/// The result that a call to an agent concerns.
[[nodiscard]] std::string result_of(const outbound::HttpRequest& request);

class Hurry {
 public:
  explicit Hurry(std::int64_t deadline_ms = 0) : deadline_ms_(deadline_ms) {}

  void begin_process() {
    first_.clear();
    now_ms_ = 0;
  }
  void pass(std::int64_t ms) {
    now_ms_ += ms;
    longest_ms_ = std::max(longest_ms_, now_ms_);
  }
  void asked(const outbound::HttpRequest& request) {
    const auto [place, is_new] = first_.try_emplace(result_of(request), now_ms_);
    is_late_ = is_late_ || (deadline_ms_ > 0 && now_ms_ - place->second > deadline_ms_);
  }

  /// Whether an agent was called after the deadline of its conversation.
  [[nodiscard]] bool is_late() const { return is_late_; }
  /// Whether a process lived long enough for a conversation to reach its deadline.
  [[nodiscard]] bool may_end() const { return deadline_ms_ > 0 && longest_ms_ > deadline_ms_; }

 private:
  std::int64_t deadline_ms_ = 0;
  std::int64_t now_ms_ = 0;
  std::int64_t longest_ms_ = 0;
  std::map<std::string, std::int64_t> first_;
  bool is_late_ = false;
};

}  // namespace parley::sim
