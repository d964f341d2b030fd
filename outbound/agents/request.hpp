#pragma once
/// Building blocks of requests: header fields from configs and secrets, percent-encoded path segments. Pure;
/// any thread.

#include <optional>

#include "outbound/agents/agent_config.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The size of one header's name and value that servers accept.
inline constexpr std::size_t sent_field_bytes_max = 8 * 1024;

/// Whether the header frames the message or addresses the next hop (Host, Content-Length ...). The client sets
/// such headers.
[[nodiscard]] bool is_framing_field(std::string_view name);
/// Whether the header is one of those or Idempotency-Key, which neither a config nor a secret can set.
[[nodiscard]] bool is_own_field(std::string_view name);
[[nodiscard]] bool has_field(const Fields& fields, std::string_view name);

/// Adds `Authorization: Bearer SECRET`. Fault: `invalid_secret` if a header cannot contain it. `name` is the
/// secret's name.
[[nodiscard]] std::optional<CallFault> add_bearer(Fields& fields, std::string_view name,
                                                  std::string_view secret);

/// The data to fetch the token of a call; null without oauth. Fault: `invalid_secret` without a client secret.
[[nodiscard]] std::variant<std::shared_ptr<const TokenGrant>, CallFault> grant_of(
    const std::optional<OAuthConfig>& oauth, const Secrets& secrets);

/// How often a call to an agent is made: `retries` more times after the first attempt (D71).
[[nodiscard]] RetryRules agent_retries(std::int64_t retries);
/// Sets the time-outs of one attempt that may take `timeout_ms` in total.
void set_timeout(HttpRequest& request, std::int64_t timeout_ms);

}  // namespace parley::outbound
