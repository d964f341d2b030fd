#include <algorithm>
#include <optional>
#include <set>

#include "client/commands/families.hpp"
#include "client/commands/reporting.hpp"
#include "client/commands/viewing.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/suite_run.hpp"
#include "client/remote/stop_request.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

/// Returns the exit code for both: wrong usage first, then no server, damaged data, red, undecided and done.
int worse(int a, int b) {
  for (const int each : {exit_wrong_use, exit_no_server, exit_damaged_data, exit_red, exit_undecided})
    if (a == each || b == each) return each;
  return std::max(a, b);
}

/// Whether the suites share their reports. Reporters that a suite file names belong to that suite.
bool joins_reports(const Invocation& call, const std::vector<CompiledSuite>& suites) {
  const bool has_own = std::any_of(suites.begin(), suites.end(),
                                   [](const CompiledSuite& each) { return !each.reporters.empty(); });
  return suites.size() > 1 && (call.has("reporter") || call.has("json") || !has_own);
}

int list_all(const Invocation& call, const RunOptions& options, const std::vector<CompiledSuite>& suites) {
  bool is_empty = !call.has("allow-empty");
  for (const CompiledSuite& suite : suites) {
    const auto cells = chosen_cells(suite, options.selection);
    if (!cells) return wrong_use(call, cells.problem().detail);
    if (cells->empty() && !call.has("allow-empty")) continue;
    is_empty = false;
    static_cast<void>(list_cells(call, suite, *cells, call.has("dry-run")));
  }
  return is_empty ? nothing_selected(call) : exit_done;
}

/// Checks that each name in the options exists in at least one suite.
Expected<Done> check_names(const Invocation& call, const RunOptions& options,
                           const std::vector<CompiledSuite>& suites) {
  TRY_DONE(check_updated_tests(options.snapshots, suites));
  return call.has("allow-empty") ? Expected<Done>(Done{}) : check_tags(options.selection, suites);
}

/// Checks the reports before anything is played. Otherwise an unwritable report would be noticed only at the end.
Expected<Done> check_reports(const Invocation& call, const std::vector<CompiledSuite>& suites) {
  for (const CompiledSuite& suite : suites) {
    std::set<std::string> sources{suite.place.file};
    for (const CompiledTest& each : suite.tests) sources.insert(each.place.file);
    TRY(choices, reporter_choices(call, suite.reporters));
    TRY_DONE(check_report_files(call, choices, {sources.begin(), sources.end()}));
  }
  return Done{};
}

}  // namespace

int play_suites(const Invocation& call, std::vector<CompiledSuite> suites) {
  auto options = run_options_of(call);
  if (!options) return wrong_use(call, options.problem().detail);
  if (const auto checked = check_names(call, *options, suites); !checked)
    return wrong_use(call, checked.problem().detail);
  take_stop_requests();
  if (options->lists && !options->earlier && options->changed_since.empty())
    return list_all(call, *options, suites);
  if (const auto checked = check_reports(call, suites); !checked)
    return wrong_use(call, checked.problem().detail);
  SessionOptions session_options;
  auto models = embedded_options(suites, !call.has("fresh"));
  if (!models) return failed(call, models.problem());
  session_options.embedded = std::move(models).value();
  session_options.is_ephemeral = is_ephemeral(call);
  auto open = open_session(call, ServerPreference::local, session_options);
  if (!open) return failed(call, open.problem());
  const auto choices = reporter_choices(call);
  if (!choices) return wrong_use(call, choices.problem().detail);
  std::optional<JoinedReports> joined;
  if (joins_reports(call, suites)) joined.emplace(*choices);
  std::optional<int> code;
  SuiteRun run(call, std::move(*options), joined ? &*joined : nullptr);
  for (const CompiledSuite& suite : suites) {
    if (const auto one = run.run_if_selected(*open, suite)) code = worse(code.value_or(exit_done), *one);
    if (stop_exit_code() == 0) continue;
    code = stop_exit_code();
    break;
  }
  if (!code) return nothing_selected(call);
  if (call.has("view") && stop_exit_code() == 0 && run.played() && !run.played()->runs.empty())
    return view_run(call, *open, run.played()->runs.front());
  if (!joined) return *code;
  const auto written = joined->write(call, *code, [&] { return html_of_runs(*open->api, joined->runs()); });
  return written ? *code : report_unwritten(call, written.problem(), *code);
}

int run_verb(const Invocation& call) {
  LoadedSuites loaded = loaded_suites(call, call.arguments());
  if (show_faults(loaded, " Nothing was played.")) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  return play_suites(call, std::move(loaded.suites));
}

}  // namespace parley::client
