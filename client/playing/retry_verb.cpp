#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "client/commands/families.hpp"
#include "client/exec/exec_runner.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/named_exec.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

/// Whether to retry the result: undecided or canceled, or a fault that is not the agent's. With --verdicts also
/// faults and wrong answers of the agent.
bool is_to_retry(const ResultRow& row, bool with_verdicts) {
  if (row.state == CaseState::fault) return with_verdicts || row.fault->source != "agent";
  if (row.state == CaseState::undecided || row.state == CaseState::canceled) return true;
  return with_verdicts && row.state == CaseState::failed;
}

std::string rate_words(const Report& report) {
  const Counts counts = counts_of(report.results);
  const auto rate = pass_rate_of(counts);
  return rate ? fmt::format("{} of {} passed, {:.0f} %", counts.passed, counts.decided(), 100 * *rate)
              : "nothing decided";
}

/// A run whose results are retried.
struct RetriedRun {
  std::string id;
  std::vector<std::string> results;  ///< the results of the earlier attempt
  std::optional<NamedExec> command;  ///< the agent, if this process can run it
  bool is_of_command = false;
  bool is_canceled = false;                        ///< the server does not retry results of a canceled run
  std::unique_ptr<ExecRunner> runner = nullptr;    ///< for a run that a command launched
  std::unique_ptr<OfferedWork> offered = nullptr;  ///< for other runs, which another runner may also serve
};

/// Names the command that played the run, with the files that it used.
std::string play_again_words(const json::Value& run) {
  const auto metadata = json::given(run, "metadata");
  const std::string command = metadata ? text_at(*metadata, "command") : "";
  return command.empty() ? "" : ": play the tests again with `" + one_line(command) + "`";
}

/// Returns the exec agent, if the agent is a command of the project's suite. Problem: the agent is a command, but no
/// suite here declares it.
Expected<std::optional<NamedExec>> command_of(const Invocation& call, OpenSession& open,
                                              const json::Value& run) {
  TRY(agent, open.api->get("/agents/" + link_id(run, "agent")));
  if (text_at(agent.root(), "type") != "LOCAL") return std::optional<NamedExec>();
  const std::string identifier = text_at(agent.root(), "project") + "/" + text_at(agent.root(), "key");
  if (auto agents = exec_agents_of(call))
    for (NamedExec& each : *agents)
      if (each.identifier == identifier) return std::optional<NamedExec>(std::move(each));
  const std::string name = text_at(agent.root(), "name");
  if (open.session.is_local())
    return problem(ProblemKind::not_found, "the agent \"" + name +
                                               "\" is a command, and this folder has no suite that names it" +
                                               play_again_words(run));
  write_text(2, "this waits for the runner of the agent \"" + one_line(name) + "\" (parley agent serve)\n");
  return std::optional<NamedExec>();
}

Expected<std::vector<RetriedRun>> runs_to_retry(const Invocation& call, OpenSession& open,
                                                const Report& report) {
  std::vector<RetriedRun> runs;
  for (const ResultRow& each : report.results) {
    if (!is_to_retry(each, call.has("verdicts"))) continue;
    const auto known =
        std::find_if(runs.begin(), runs.end(), [&](const RetriedRun& run) { return run.id == each.run; });
    if (known == runs.end()) {
      TRY(stored, open.api->get("/runs/" + each.run));
      if (text_at(stored.root(), "status") == "canceled") {
        runs.push_back({each.run, {each.id}, std::nullopt, false, true});
        continue;
      }
      TRY(command, command_of(call, open, stored.root()));
      runs.push_back({each.run, {each.id}, std::move(command), is_of_command(stored.root())});
    } else {
      known->results.push_back(each.id);
    }
  }
  return runs;
}

/// Removes the runs that were canceled, and says how to play their cases. Returns whether there were any.
bool leave_out_canceled(const Invocation& call, std::vector<RetriedRun>& runs) {
  constexpr auto preference = ServerPreference::last_login;
  const std::string words = connection_words(call, preference, ServerPreference::local);
  const auto erased = std::erase_if(runs, [&](const RetriedRun& each) {
    if (each.is_canceled)
      write_text(2, "parley retry: the run " + each.id +
                        " was canceled, so its results cannot be retried: `parley run --errors=" + each.id +
                        words + "` plays them in a new run\n");
    return each.is_canceled;
  });
  return erased > 0;
}

/// Creates the new attempts, and starts the agent's command for them.
Expected<Done> start(Api& api, RetriedRun& run) {
  std::vector<std::string> attempts;
  for (const std::string& each : run.results) {
    TRY(clone, api.call("POST", "/test-results/" + each + "/retry"));
    attempts.push_back(text_at(clone.root(), "id"));
  }
  if (!run.command) return Done{};
  if (run.is_of_command) {
    run.runner = std::make_unique<ExecRunner>(api.server(), run.command->options, std::move(attempts),
                                              run.command->workers());
  } else {
    run.offered = std::make_unique<OfferedWork>(*run.command);
  }
  return Done{};
}

/// Waits until the run has ended again.
Expected<Done> await(Api& api, RetriedRun& run) {
  while (true) {
    if (run.offered) TRY_DONE(run.offered->beat(api));
    TRY(now, api.call("GET", "/runs/" + run.id,
                      {.prefer = run.offered ? "wait=1" : "wait=20", .timeout_ms = 60'000}));
    if (is_over(text_at(now.root(), "status"))) return Done{};
  }
}

Expected<Done> play_again(Api& api, std::vector<RetriedRun>& runs) {
  for (RetriedRun& each : runs) TRY_DONE(start(api, each));
  for (RetriedRun& each : runs) TRY_DONE(await(api, each));
  return Done{};
}

/// Cancels the runs after Ctrl-C or SIGTERM. Returns the exit code of the signal.
int cancel_after_stop(Api& api, std::vector<RetriedRun>& runs) {
  finish_after_stop();
  for (RetriedRun& each : runs) {
    each.runner.reset();
    each.offered.reset();
    static_cast<void>(api.call("POST", "/runs/" + each.id + "/cancel"));
  }
  return stop_exit_code();
}

}  // namespace

int retry_verb(const Invocation& call) {
  auto open = open_with_models(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto named = runs_named(api, call.arguments().empty() ? "last" : call.arguments().front());
  if (!named) return failed(call, named.problem());
  const auto before = stored_report(api, *named);
  if (!before) return failed(call, before.problem());
  auto runs = runs_to_retry(call, *open, *before);
  if (!runs) return failed(call, runs.problem());
  if (leave_out_canceled(call, *runs) && runs->empty()) return exit_wrong_use;
  if (runs->empty()) {
    write_text(1, "nothing to retry: " + rate_words(*before) + "\n");
    return exit_done;
  }
  std::size_t count = 0;
  for (const RetriedRun& each : *runs) count += each.results.size();
  take_stop_requests();
  write_text(2, "retrying " + counted(static_cast<std::int64_t>(count), "result", "results") + "\n");
  const auto played = play_again(api, *runs);
  if (stop_exit_code() != 0) return cancel_after_stop(api, *runs);
  if (!played) return failed(call, played.problem());
  const auto after = stored_report(api, *named);
  if (!after) return failed(call, after.problem());
  write_text(1, "first attempts: " + rate_words(*before) + "\nnow: " + rate_words(*after) + "\n");
  return exit_done;
}

}  // namespace parley::client
