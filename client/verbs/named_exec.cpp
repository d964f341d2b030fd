#include "client/verbs/named_exec.hpp"

#include "client/verbs/suite_loading.hpp"

namespace parley::client {

std::vector<NamedExec> exec_agents_of(const Invocation& call, const CompiledSuite& suite) {
  std::vector<NamedExec> agents;
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
  return agents;
}

Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name) {
  TRY(suites, suites_of_project(call));
  for (const CompiledSuite& suite : suites)
    for (NamedExec& each : exec_agents_of(call, suite))
      if (each.options.name == name) return std::move(each);
  return problem(ProblemKind::not_found, "no suite here has an agent \"" + name + "\" with exec");
}

}  // namespace parley::client
