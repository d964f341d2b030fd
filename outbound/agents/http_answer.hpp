#pragma once
/// Reads the answer of an HTTP agent, either as the webhook of D71 or by the places in `config.reply` (D100).
/// Pure; any thread.

#include "outbound/agents/agent_config.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Faults: bad_status, not_json, wrong_shape, too_large, empty_answer (without message, tool, event and end).
/// No fault repeats a secret. Accepts any bytes (F19).
[[nodiscard]] AgentAnswer read_http_agent(const HttpConfig& config, const HttpAnswer& answer,
                                          const Secrets& secrets = {});

/// The `config.reply` that would probably read the message of this answer, as JSON; nullopt if nothing in the
/// answer looks like a message.
[[nodiscard]] std::optional<std::string> proposed_reply(const HttpAnswer& answer);

}  // namespace parley::outbound
