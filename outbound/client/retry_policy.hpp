#pragma once
/// Decides when a call is repeated (D71). Pure: the random number is a parameter.
///
///   outcome                                     repeated
///   no connection, nothing was sent             always, twice; after that like any other failure
///   408, 425, 429, 5xx, time-out, slow, broken  with `repeats_after_send`, up to `attempts`
///   any other answer, refused or too large      never

#include <cstdint>
#include <optional>

#include "outbound/call_limits.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The attempts that a call has made.
struct Tries {
  int made = 0;
  int unconnected = 0;  ///< number of them that ended before anything was sent
};

/// Counts one more outcome.
[[nodiscard]] Tries after(Tries tries, const HttpOutcome& outcome);

/// The wait before the next attempt; nullopt: the outcome is final. `random` is in [0, 1).
[[nodiscard]] std::optional<std::int64_t> retry_wait_ms(const HttpOutcome& outcome, Tries tries,
                                                        const RetryRules& rules, const CallLimits& limits,
                                                        double random);

/// Whether the outcome shows that the service does not work. 408, 425 and 429 come from a service that works
/// but is busy.
[[nodiscard]] bool is_failure_of_service(const HttpOutcome& outcome);

}  // namespace parley::outbound
