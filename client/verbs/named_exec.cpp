#include "client/verbs/named_exec.hpp"

#include "client/verbs/suite_loading.hpp"

namespace parley::client {

Expected<std::vector<NamedExec>> exec_agents_of(const Invocation& call) {
  TRY(suites, suites_of_project(call));
  std::vector<NamedExec> agents;
  for (const CompiledSuite& suite : suites) {
    for (const CompiledAgent& each : suite.agents) {
      if (!each.exec) continue;
      NamedExec& agent = agents.emplace_back();
      agent.options.name = each.name;
      agent.options.settings = *each.exec;
      agent.options.environment = exec_environment(*each.exec, call.around().environment);
      agent.options.secrets = suite.secrets;
      agent.identifier = suite.project + "/" + each.key;
      agent.concurrency = each.concurrency;
    }
  }
  return agents;
}

Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name) {
  TRY(agents, exec_agents_of(call));
  for (NamedExec& each : agents)
    if (each.options.name == name) return std::move(each);
  return problem(ProblemKind::not_found, "no suite here has an agent \"" + name + "\" with exec");
}

}  // namespace parley::client
