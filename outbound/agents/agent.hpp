#pragma once
/// The interface of the agent types: begins a turn of a hosted agent and reads the answer, for any type (D70).
/// Pure; the caller makes the HTTP call. Any thread.

#include <memory>

#include "model/records/agent.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

struct HttpConfig;

/// An HTTP call to make, and how often it may be repeated.
struct AgentCall {
  HttpRequest request;
  RetryRules retries;
  /// The parsed and checked config of an HTTP agent, which finish_turn needs again.
  std::shared_ptr<const HttpConfig> config = nullptr;
};

/// The call to make; or the reply if no call is needed (DEMO); or the reason why the agent cannot be called
/// (`invalid_config`, `invalid_secret`).
using AgentStep = std::variant<AgentCall, AgentReply, AgentFault>;

/// Returns a fault for an agent type that is not server-driven. The same task gives the same request, byte for byte.
[[nodiscard]] AgentStep begin_turn(const Agent& agent, const Secrets& secrets, const AgentTask& task);

/// Reads the answer to the call that begin_turn made. Given the agent's secrets, no fault repeats one of them
/// (D23), and no reply repeats one that can be distinguished from a plain word (I67, ReplyRedaction). `config`:
/// that of the AgentCall; without it, the agent's config is parsed again.
[[nodiscard]] AgentAnswer finish_turn(const Agent& agent, const HttpAnswer& answer,
                                      const Secrets& secrets = {}, const HttpConfig* config = nullptr);

}  // namespace parley::outbound
