#pragma once
/// One probe of an agent (D74): what a turn of it would bring, before a run of many tests finds out. Makes a call of its
/// own through World::outside; records nothing. Any thread.

#include "actors/commands.hpp"
#include "actors/services.hpp"
#include "outbound/agents/agent_turn.hpp"

namespace parley::actors {

struct AgentProbe {
  std::int64_t duration_ms = 0;
  std::optional<int> status;  ///< of the HTTP answer, where there was one
  std::variant<outbound::AgentReply, outbound::AgentFault> said;
};

/// Calls the agent once, under the traceparent of who asks for it (D10). For a GITHUB agent the workflow is looked up and
/// not started; that it exists and could not call back is a fault `unreachable`. Problem: invalid_state_for_request for a
/// type that is never called.
void check_agent(const Services& world, const Agent& agent, const std::optional<std::string>& trace,
                 Completion<AgentProbe> done);

}  // namespace parley::actors
