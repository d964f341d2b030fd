#pragma once
/// The DEMO agent: a small shop assistant that needs no setup and always gives the same answers (D70).
/// docs/agents.md describes what it knows. Pure; any thread.

#include "outbound/agents/agent_turn.hpp"

namespace parley::outbound {

/// Depends only on the task. responseTime is 0, because nothing was called.
[[nodiscard]] AgentReply demo_reply(const AgentTask& task);

}  // namespace parley::outbound
