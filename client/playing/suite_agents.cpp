#include "client/playing/suite_agents.hpp"

#include "client/run/suite_records.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {

std::optional<SuiteAgent> find_agent(const std::vector<CompiledSuite>& suites, const std::string& name) {
  for (const CompiledSuite& suite : suites)
    for (const CompiledAgent& agent : suite.agents)
      if (agent.name == name) return SuiteAgent{&suite, &agent};
  return std::nullopt;
}

Expected<std::string> apply_agent(Api& api, const SuiteAgent& found) {
  TRY_DONE(apply_suite(api, *found.suite));
  TRY(records, records_of(api, *found.suite));
  return records.agents[found.agent->key];
}

Problem without_data(const Problem& problem, const Expected<std::vector<CompiledSuite>>& suites,
                     const std::string& name) {
  if (problem.kind != ProblemKind::not_found) return problem;
  if (!suites) return suites.problem();
  if (suites->empty()) return problem;
  std::vector<std::string> names;
  for (const CompiledSuite& suite : *suites)
    for (const CompiledAgent& agent : suite.agents) names.push_back(agent.name);
  return parley::problem(ProblemKind::not_found,
                         "no suite here has the agent \"" + name + "\"" + did_you_mean(name, names));
}

}  // namespace parley::client
