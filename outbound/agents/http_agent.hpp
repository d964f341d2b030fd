#pragma once
/// The JSON webhook of an HTTP agent (D71).
///
///   request  = { testResultId, turn, message | action {name, arguments}, conversation: Entry[], metadata }
///   answer   = { message?, tools?: [{name, metadata?}], events?: [{name, public?, metadata?}], metadata?, end? }
///
/// `config.request`, `method` and `query` change the form of the call (D100). http_answer.hpp reads the answer.
///
/// `conversation` contains the earlier entries without the turn itself, and never internal events (I36). Every
/// attempt of one turn sends the same request with the same Idempotency-Key. Pure; any thread.

#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Headers: content-type, accept, Idempotency-Key, the config's headers, and each secret under its own name if
/// the name can be a header and the config does not set that header. Fault: `invalid_secret` for a secret that
/// cannot be sent in a header.
[[nodiscard]] std::variant<HttpRequest, AgentFault> http_agent_request(const HttpConfig& config,
                                                                       const Secrets& secrets,
                                                                       const AgentTask& task);

/// The key that all attempts of one turn send.
[[nodiscard]] std::string idempotency_key(const AgentTask& task);

}  // namespace parley::outbound
