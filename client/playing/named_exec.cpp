#include "client/playing/named_exec.hpp"

#include "client/verbs/suite_loading.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

Expected<NamedExec> exec_agent_of(const Invocation& call, const std::string& name) {
  LoadedSuites loaded = loaded_suites(call, {});
  if (loaded.suites.empty())
    return problem(ProblemKind::invalid_parameter,
                   source::report_of(loaded.faults, source::FaultFormat::text));
  const CompiledSuite& suite = loaded.suites.front();
  for (const CompiledAgent& each : suite.agents) {
    if (each.name != name || !each.exec) continue;
    NamedExec found;
    found.options.name = each.name;
    found.options.settings = *each.exec;
    found.options.environment = exec_environment(*each.exec, call.around().environment);
    found.options.secrets = suite.secrets;
    found.identifier = suite.project + "/" + each.key;
    found.concurrency = each.concurrency;
    return found;
  }
  return problem(ProblemKind::not_found, "the suite has no agent \"" + name + "\" with exec");
}

std::string heartbeat_of(const NamedExec& agent) {
  json::Writer beat;
  beat.begin_object()
      .member("name", agent.options.name)
      .member("unique_identifier", agent.identifier)
      .end_object();
  return std::move(beat).text();
}

}  // namespace parley::client
