#pragma once
/// Finds exec agents in the project's suites, for commands that talk to them. Main thread.

#include <string>
#include <vector>

#include "client/run/offered_work.hpp"
#include "client/verbs/verb.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// Returns the exec agents of all suites of the project. Problem: a suite has errors.
[[nodiscard]] Expected<std::vector<NamedExec>> exec_agents_of(const Invocation& call);
/// Returns the exec agent with that name. Problem: a suite has errors, or no suite has such an agent.
[[nodiscard]] Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name);

}  // namespace parley::client
