#pragma once
/// The JSON webhook of an HTTP agent (D71).
///
///   request  = { testResultId, turn, message | action {name, arguments}, conversation: Entry[], metadata }
///   answer   = { message?, tools?: [{name, metadata?}], events?: [{name, public?, metadata?}], metadata?, end? }
///
/// `config.request`, `method` and `query` change the form of the call (D100). http_answer.hpp reads the answer.
///
/// `conversation` holds the earlier entries without the turn itself; internal events are never in it (I36). Every attempt
/// of one turn is the same request with the same Idempotency-Key. Pure; any thread.

#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Fields: content-type, accept, Idempotency-Key, the config's headers, and each secret under its own name where the
/// name can be a header and the config gives no such header. Fault: `invalid_secret` for a secret that no header can
/// carry.
[[nodiscard]] std::variant<HttpRequest, AgentFault> http_agent_request(const HttpConfig& config,
                                                                       const Secrets& secrets,
                                                                       const AgentTask& task);

/// The key that all attempts of one turn carry.
[[nodiscard]] std::string idempotency_key(const AgentTask& task);

}  // namespace parley::outbound
