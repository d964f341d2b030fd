#pragma once
/// Finds agents in the project's suites, for commands that talk to an agent before anything was played. Main thread.

#include <optional>
#include <string>
#include <vector>

#include "client/remote/api.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

struct SuiteAgent {
  const CompiledSuite* suite;
  const CompiledAgent* agent;
};

/// Returns the agent with that name; nullopt if no suite has it.
[[nodiscard]] std::optional<SuiteAgent> find_agent(const std::vector<CompiledSuite>& suites,
                                                   const std::string& name);
/// Applies the suite and returns the id of the agent's record. Problem: the server refuses the suite.
[[nodiscard]] Expected<std::string> apply_agent(Api& api, const SuiteAgent& found);
/// Explains why the agent was not found in a session without local data: the suites have errors, or do not have the
/// agent.
[[nodiscard]] Problem without_data(const Problem& problem, const Expected<std::vector<CompiledSuite>>& suites,
                                   const std::string& name);

}  // namespace parley::client
