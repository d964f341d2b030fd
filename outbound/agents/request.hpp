#pragma once
/// Building blocks of requests: header fields from configs and secrets, percent-encoded path segments. Pure; any
/// thread.

#include <optional>

#include "outbound/agents/agent_config.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Name and value of one header: a line that servers accept.
inline constexpr std::size_t sent_field_bytes_max = 8 * 1024;

/// True for a header that frames the message or speaks to the next hop (Host, Content-Length ...): the client sets it.
[[nodiscard]] bool is_framing_field(std::string_view name);
/// True for those and for Idempotency-Key: neither a config nor a secret sets them.
[[nodiscard]] bool is_own_field(std::string_view name);
[[nodiscard]] bool has_field(const Fields& fields, std::string_view name);

/// `Authorization: Bearer SECRET`; a fault `invalid_secret` for one that no header can carry. `name` is the secret's.
[[nodiscard]] std::optional<CallFault> add_bearer(Fields& fields, std::string_view name,
                                                  std::string_view secret);

/// What is needed to fetch the token of a call; null without oauth. Fault: `invalid_secret` without a client secret.
[[nodiscard]] std::variant<std::shared_ptr<const TokenGrant>, CallFault> grant_of(
    const std::optional<OAuthConfig>& oauth, const Secrets& secrets);

/// How many times a call to an agent is made: `retries` after the first attempt (D71).
[[nodiscard]] RetryRules agent_retries(std::int64_t retries);
/// The time-outs of one attempt that may take `timeout_ms` in total.
void set_timeout(HttpRequest& request, std::int64_t timeout_ms);

}  // namespace parley::outbound
