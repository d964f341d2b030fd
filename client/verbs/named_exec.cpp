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
  const LoadedSuites loaded = loaded_suites(call, {});
  if (loaded.suites.empty())
    return problem(ProblemKind::invalid_parameter,
                   source::report_of(loaded.faults, source::FaultFormat::text));
  for (NamedExec& each : exec_agents_of(call, loaded.suites.front()))
    if (each.options.name == name) return std::move(each);
  return problem(ProblemKind::not_found, "the suite has no agent \"" + name + "\" with exec");
}

}  // namespace parley::client
