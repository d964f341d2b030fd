#pragma once
/// Exec agents of the project's suite, for commands that talk to them. Main thread.

#include <string>
#include <vector>

#include "client/run/offered_work.hpp"
#include "client/verbs/verb.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// All of the project's suites. Problem: a suite has errors.
[[nodiscard]] Expected<std::vector<NamedExec>> exec_agents_of(const Invocation& call);
/// The one with that name in the project's suites. Problem: a suite has errors, or none has such an agent.
[[nodiscard]] Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name);

}  // namespace parley::client
