#pragma once
/// The limits of outgoing calls that an operator or a test may set, with their defaults and reasons. The limits
/// of a single call are in its HttpRequest.

#include <cstddef>
#include <cstdint>

namespace parley::outbound {

struct CallLimits {
  std::size_t threads = 1;         ///< number of threads that make the calls (`--outbound-threads`)
  std::size_t calls_max = 10'000;  ///< concurrent calls on the wire (`--max-calls`)
  std::size_t calls_per_origin_max = 10'000;  ///< for one scheme, host and port
  std::size_t waiting_max = 20'000;           ///< calls that wait for a slot or for their next attempt
  std::size_t calls_per_shard_max = 100;  ///< for one multi handle, which walks its connections for each call

  std::size_t header_bytes_max = 64 * 1024;  ///< of an answer, including interim answers and trailers
  std::size_t headers_max = 256;
  /// A larger answer takes its bytes from a shared budget: ten thousand hostile services that send the maximum
  /// would need gigabytes. Usual answers are unaffected.
  std::size_t usual_body_bytes = 64 * 1024;
  std::size_t large_bodies_bytes_max = 256 * 1024 * 1024;
  std::int64_t slow_window_ms = 20'000;  ///< length of the window in which the speed of an answer is measured
  /// If fewer bytes arrive in one window (16 per second), the answer fails as slow.
  std::size_t slow_bytes_min = 16 * 20;

  std::int64_t retry_wait_ms = 500;  ///< doubled for each attempt, full jitter
  std::int64_t retry_wait_ms_max = 30'000;
  std::int64_t retry_after_ms_max = 120'000;  ///< a longer Retry-After is not awaited; the answer is final
  /// A call that is asked to come back later waits for at most this long in total; then the answer is final
  /// (ADR 28). A call also waits for at most this long in line for a service that gives no good answer.
  std::int64_t throttled_ms_max = 900'000;
  int throttled_row_max = 8;  ///< such answers in a row; then the service gets single calls, after a pause
  std::size_t throttled_window_min = 4;  ///< minimum of concurrent calls to a service before that
  std::int64_t calm_ms = 10'000;       ///< time without such an answer until the number of calls grows faster
  std::size_t slow_lines_max = 1'024;  ///< services that are remembered as slowed while nothing calls them
  int connect_attempts = 3;            ///< D71: while nothing was sent

  int failures_to_open = 10;         ///< consecutive failures of one provider
  std::int64_t open_ms = 1'000;      ///< time until a single call is tried; doubled each time it fails
  std::int64_t open_ms_max = 4'000;  ///< upper limit: a recovered provider stays unused for at most this long
  std::int64_t open_wait_ms_max = 15'000;  ///< a call that waited this long for its provider fails

  std::int64_t name_ms = 60'000;  ///< how long a resolved name is remembered
  std::size_t names_max = 1'024;  ///< maximum number of remembered names
  std::size_t lookups_max = 256;  ///< concurrent look-ups, a thread each, without the operator's names
  std::int64_t idle_connection_ms = 60'000;  ///< connections unused for this long are closed
  /// A request that must not be sent twice uses only connections younger than this: if a server closed an idle
  /// connection at that moment, it would be unknown whether the server received the request.
  std::int64_t fresh_connection_ms = 3'000;
};

}  // namespace parley::outbound
