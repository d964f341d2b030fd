#pragma once
/// One probe of an agent (D74): shows what a turn would return before a run of many tests depends on it. Makes
/// one call through Services::outside and records nothing. Any thread.

#include "actors/commands.hpp"
#include "actors/result/turn_requests.hpp"
#include "actors/services.hpp"
#include "outbound/agents/agent_turn.hpp"

namespace parley::actors {

/// Calls the agent once, under the caller's traceparent (D10). For a GITHUB agent it looks up the workflow
/// without starting it; a workflow that exists but could not call back is reported as `unreachable`. Problem:
/// invalid_state_for_request for a type that is never called.
void check_agent(const Services& services, const Agent& agent, const std::optional<std::string>& trace,
                 Completion<AgentProbe> done);
/// The same for an agent that need not be stored, with its secrets in plain text.
void check_agent(const Services& services, const CalledAgent& agent, const std::optional<std::string>& trace,
                 Completion<AgentProbe> done);

}  // namespace parley::actors
