#include <unistd.h>

#include <memory>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/mcp/protocol.hpp"
#include "client/run/live_run.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

/// Applies the suites of the project to its local server, and drives the runs of their exec agents.
class LocalProject {
 public:
  LocalProject(Api& api, const Invocation& call, std::vector<CompiledSuite> suites)
      : api_(api), suites_(std::move(suites)) {
    options_.environment = call.around().environment;
  }

  /// Applies the files, and notes the ids of the exec agents.
  Expected<Done> apply() {
    for (const CompiledSuite& suite : suites_) {
      TRY_DONE(apply_suite(api_, suite));
      TRY(records, records_of(api_, suite));
      for (const CompiledAgent& agent : suite.agents)
        if (agent.exec) commands_[records.agents[agent.key]] = {&suite, &agent};
    }
    return Done{};
  }

  /// Drives the run if its agent is a command.
  Expected<Done> drive(const std::string& run, const std::string& agent) {
    const auto found = commands_.find(agent);
    if (found == commands_.end()) return Done{};
    const auto& [suite, command] = found->second;
    runs_.push_back(std::make_unique<LiveRun>(*command, scenario_));
    return runs_.back()->drive_started(api_, run, *suite, options_);
  }

 private:
  struct Command {
    const CompiledSuite* suite = nullptr;
    const CompiledAgent* agent = nullptr;
  };

  Api& api_;
  const std::vector<CompiledSuite> suites_;
  const CompiledScenario scenario_;  ///< empty: driving a started run needs no scenario
  PlayOptions options_;
  std::map<std::string, Command> commands_;  ///< by agent id
  std::vector<std::unique_ptr<LiveRun>> runs_;
};

}  // namespace

int mcp_verb(const Invocation& call) {
  const auto connection =
      connection_of(call.connection_flags(), ServerPreference::last_login, call.around().environment);
  if (!connection) return failed(call, connection.problem());
  LoadedSuites loaded;
  if (connection->is_local) {
    loaded = loaded_suites(call, {});
    // Standard output is reserved for the protocol. After repairing the file, the coding agent must restart the
    // session.
    if (show_faults(call, loaded, " The session has no suite.")) return exit_wrong_use;
  }
  SessionOptions options;
  auto models = embedded_options(loaded.suites, true);
  if (!models) return failed(call, models.problem());
  options.embedded = std::move(models).value();
  options.needs_models = true;
  auto open = open_session(call, ServerPreference::last_login, options);
  if (!open) return failed(call, open.problem());
  LocalProject project(*open->api, call, std::move(loaded.suites));
  if (const auto applied = project.apply(); !applied) return failed(call, applied.problem());
  McpContext context{*open->api};
  if (connection->is_local)
    context.started = [&project](const std::string& run, const std::string& agent) {
      return project.drive(run, agent);
    };
  McpServer server(std::move(context), call.around().version);
  return serve_mcp(server, STDIN_FILENO, STDOUT_FILENO) ? exit_done : exit_wrong_use;
}

}  // namespace parley::client
