#pragma once
/// One call in the ClientLoop; only the source files of that class include this.

#include "outbound/client/client_loop.hpp"
#include "outbound/clock.hpp"

namespace parley::outbound {

[[nodiscard]] inline Failure canceled(bool was_sent) {
  return {FailureKind::canceled, "the call was canceled", was_sent};
}

struct ClientLoop::Call {
  CallId id = 0;
  HttpRequest request;
  RetryRules rules;
  Completion completion;
  Url url;
  Slots::Line line;
  Phase phase = Phase::queued;
  CircuitBreaker::Pass pass = CircuitBreaker::Pass::normal;
  Tries tries;
  Throttling throttling;
  std::int64_t throttled_since_ms = never_ms;
  std::string token;                        ///< token that is sent with the call
  bool has_new_token = false;               ///< fetched after a 401
  std::int64_t begins_until_ms = never_ms;  ///< no attempt begins after this
  std::int64_t began_ms = 0;                ///< start of the attempt
  std::int64_t timer_ms = never_ms;         ///< its entry in timers_
  std::size_t shard = 0;
  bool is_sent_again = false;      ///< in this attempt, after a dead kept connection
  bool has_left = false;           ///< in this attempt, on that connection
  std::vector<Address> addresses;  ///< for this attempt
  std::unique_ptr<Transfer> transfer;
};

}  // namespace parley::outbound
