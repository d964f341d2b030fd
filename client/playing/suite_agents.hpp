#pragma once
/// Agents of the project's suites, for commands that talk to one before anything was played. Main thread.

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

/// The agent with that name; nullopt: no suite has it.
[[nodiscard]] std::optional<SuiteAgent> find_agent(const std::vector<CompiledSuite>& suites,
                                                   const std::string& name);
/// Applies the suite. The id of the agent's record. Problem: the server's refusal.
[[nodiscard]] Expected<std::string> apply_agent(Api& api, const SuiteAgent& found);
/// The problem of a session without local data, where the agent is looked for: the errors of the suites, or that they do not have it.
[[nodiscard]] Problem without_data(const Problem& problem, const Expected<std::vector<CompiledSuite>>& suites,
                                   const std::string& name);

}  // namespace parley::client
