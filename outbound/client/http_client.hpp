#pragma once
/// HttpClient: makes every call to agents and models, limited and guarded. A few threads with libcurl's multi
/// interface (CallLimits::threads) make all calls; thousands in flight need no further threads. All calls to
/// one origin are on the same thread, and the limits hold for all threads together (ADR 56).
///
/// Thread: start, cancel, cancel_group, epoch, in_flight, held_bytes, figures on any; their callbacks are
/// called on one of the client's own threads and must not block or throw. stop on any except those.
/// Invariant: each completion is called exactly once. After stop(), a start completes immediately as canceled,
/// on the caller's thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "outbound/call_limits.hpp"
#include "outbound/client/resolver.hpp"
#include "outbound/guard/address_guard.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// A service that gets fewer concurrent calls because it reported too many, or that gets the normal number
/// again (ADR 28).
struct SlowedOrigin {
  std::string origin;
  std::string_view provider;  ///< "tester" or "judge"; empty for agents
  std::size_t calls_max = 0;  ///< concurrent calls; 0: no longer limited
};
/// Called on one of the client's own threads; must not block or throw.
using OnSlowed = std::function<void(const SlowedOrigin& slowed)>;

/// on_wire, waiting, open_breakers and slowed are current values; all others count from the start.
struct Figures {
  std::size_t on_wire = 0;              ///< attempts that hold a slot
  std::size_t waiting = 0;              ///< calls that wait for a slot or for their next attempt
  std::size_t open_breakers = 0;        ///< services that are failing and receive no calls
  std::size_t slowed = 0;               ///< services that get fewer concurrent calls
  std::uint64_t throttled = 0;          ///< answers that reported too many calls
  std::uint64_t throttled_wait_ms = 0;  ///< time that calls waited after such answers
  std::uint64_t calls = 0;
  std::uint64_t attempts = 0;
  std::uint64_t retries = 0;                            ///< attempts that were not the first of their call
  std::uint64_t connections = 0;                        ///< sockets opened
  std::uint64_t sent_bytes = 0;                         ///< size of request bodies, as sent
  std::uint64_t received_bytes = 0;                     ///< size of answers, before decompression
  std::uint64_t answers = 0;                            ///< calls that ended with an answer of any status
  std::array<std::uint64_t, failure_kinds> failures{};  ///< calls without an answer, by FailureKind
};

/// `attempts`: the number of sent or tried attempts; 0 if the call never got a slot.
using Completion = std::function<void(HttpOutcome outcome, int attempts)>;

class HttpClient {
 public:
  /// Starts the threads. Throws std::system_error if the system refuses threads or file descriptors.
  explicit HttpClient(const CallLimits& limits, Guard guard, const Lookup& lookup = system_lookup,
                      const OnSlowed& on_slowed = {});
  ~HttpClient();  ///< calls stop()
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  CallId start(HttpRequest request, RetryRules rules, Completion completion);
  /// Calls the completion with `canceled`, unless it was already called or is running. Ignores unknown ids.
  void cancel(CallId id);
  /// Increases with each cancel_group.
  [[nodiscard]] std::uint64_t epoch() const;
  /// Cancels the calls of the group that were made for an older epoch, whether or not they are posted yet, unless
  /// sending their request has begun: after `done`, none of them begins (I45). Calls that are being answered
  /// continue until they are canceled one by one or have their answer; a retry or a second sending is canceled.
  void cancel_group(const Id& group, std::function<void()> done);
  /// The number of calls whose completion has not been called: on the wire, waiting or resting.
  [[nodiscard]] std::size_t in_flight() const;
  /// The total size of the request bodies of these calls.
  [[nodiscard]] std::size_t held_bytes() const;
  [[nodiscard]] Figures figures() const;
  /// Cancels every call, then ends the threads.
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley::outbound
