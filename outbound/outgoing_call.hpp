#pragma once
/// The values of one outgoing call: the request, the retry rules, the answer. Plain values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/id.hpp"

namespace parley::outbound {

/// Why a call has no answer. A status of 4xx or 5xx is an answer, and so is a redirect, because redirects are
/// not followed.
enum class FailureKind {
  connect,          ///< no connection: name unknown, refused, unreachable, or not within connect_ms
  timeout,          ///< no first byte within first_byte_ms, or not complete within total_ms
  slow,             ///< the answer was slower than the lowest allowed speed
  too_large,        ///< body or headers of the answer are beyond their limits
  blocked_address,  ///< D75: the address, or plain http, may not be called
  bad_url,          ///< the URL or a header cannot be sent
  tls,              ///< no trusted encrypted connection
  broken,           ///< the answer is not HTTP, or ended early
  canceled,      ///< by cancel(), cancel_group() or stop(), or because it had no slot within begins_within_ms
  overloaded,    ///< our own limits: queue full, no descriptors, or a failing service that calls wait for
  rate_limited,  ///< the service admitted no call for CallLimits::throttled_ms_max
  no_token,      ///< no OAuth 2 token for the call
};
inline constexpr std::size_t failure_kinds = 12;

/// The name of a kind in records and logs, such as `blocked_address`.
[[nodiscard]] std::string_view slug(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::broken;
  /// A sentence for users, without header values, and without the URL's user name and query.
  std::string detail;
  bool was_sent = false;  ///< false: no part of the request was sent, so repeating it is harmless
  bool operator==(const Failure&) const = default;
};

/// Names and values; neither may contain control characters (F34).
using Fields = std::vector<std::pair<std::string, std::string>>;

/// OAuth 2 client credentials (RFC 6749 4.4), used to fetch a token, which is cached and sent with the call.
struct TokenGrant {
  std::string url;
  std::string client_id;
  std::string client_secret;
  std::string scope;  ///< empty: no scope is requested
  bool operator==(const TokenGrant&) const = default;
};

/// Every time-out applies to each attempt and excludes waiting for a slot or for the next attempt. An attempt
/// whose kept connection was dead reconnects once within its total_ms.
struct HttpRequest {
  std::string method = "POST";
  std::string url;
  /// The client sets Host, Content-Length and the other fields that frame a message, and rejects them here.
  Fields fields;
  std::string body;
  /// Nothing identifies a repetition as the same request, so the request is sent on a separate connection: a
  /// kept connection that the peer is closing then never causes a second sending (ADR 12).
  bool needs_fresh_connection = false;
  std::int64_t connect_ms = 5'000;           ///< resolving, connecting, TLS
  std::int64_t first_byte_ms = 30'000;       ///< from the connection to the answer's first byte
  std::int64_t total_ms = 120'000;           ///< from resolving to the last byte
  std::size_t body_bytes_max = 1024 * 1024;  ///< of the answer, after decompression
  /// The operator's own URL: private addresses and plain http are allowed, regardless of the address guard (D75).
  bool is_trusted = false;
  bool keeps_fields = false;  ///< the answer's fields are also wanted
  /// The token of this grant is sent as Authorization.
  std::shared_ptr<const TokenGrant> grant = nullptr;
  /// The group of the call, so that all calls of a group can be canceled together (HttpClient::cancel_group);
  /// nil: no group. `epoch` was read before the records that caused the call.
  Id group = {};
  std::uint64_t epoch = 0;
};

/// How a call was slowed down because its service reported too many calls.
struct Throttling {
  int answers = 0;             ///< number of answers with 429, or 503 with Retry-After
  std::int64_t waited_ms = 0;  ///< time that the call waited after them
  bool operator==(const Throttling&) const = default;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::string content_type;          ///< as sent; empty if not sent
  std::string location;              ///< of a redirect, as sent; empty if not sent
  std::int64_t retry_after_ms = -1;  ///< from Retry-After in seconds or as a date; -1 if not sent
  std::int64_t duration_ms = 0;      ///< of this attempt, from sending to the last byte
  Throttling throttling;             ///< of the whole call
  std::string token;                 ///< token that was sent with the call; a secret
  Fields fields = {};                ///< of the final head, if the request wanted them
  bool operator==(const HttpAnswer&) const = default;
};

using HttpOutcome = std::variant<HttpAnswer, Failure>;

/// How often a call is made. Connect failures before anything was sent are repeated twice in any case (D71).
struct RetryRules {
  int attempts = 1;
  /// The service recognizes a repeated request, so 408, 425, 429, 5xx and failures are retried, up to `attempts`.
  bool repeats_after_send = false;
  /// A 429, or a 503 with Retry-After, uses up no attempt: the call waits as long as the service requests and is
  /// made again, within CallLimits::throttled_ms_max. The service refused the call, so it had no effect (ADR 28).
  bool waits_when_throttled = false;
  /// Calls of one provider wait while the provider keeps failing. "tester" and "judge" never share a circuit
  /// breaker, even on one origin. Empty for an agent under test, because a fault in one conversation must not
  /// change what another one sees.
  std::string_view provider = {};
  /// Counted from the start of the call. A later attempt is not made, and the last outcome is final. A call
  /// that still waits for a slot then is canceled unsent.
  std::optional<std::int64_t> begins_within_ms = std::nullopt;
};

using CallId = std::uint64_t;

}  // namespace parley::outbound
