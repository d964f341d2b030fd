#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "client/commands/families.hpp"
#include "client/commands/reporting.hpp"
#include "client/commands/viewing.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/suite_run.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/suite_loading.hpp"
#include "model/json/json_writer.hpp"

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

struct SuiteCells {
  const CompiledSuite* suite;
  std::vector<ChosenCell> cells;
};

void write_cell(json::Writer& out, const ChosenCell& cell) {
  out.begin_object()
      .member("test", cell.test->key)
      .member("record", cell.test->record_key)
      .member("name", cell.test->name);
  out.member("agent", cell.agent->name).member("persona", cell.persona == nullptr ? "" : cell.persona->name);
  out.key("repeat")
      .integer(cell.repeat)
      .member("file", cell.test->place.file)
      .key("line")
      .integer(cell.test->place.line)
      .end_object();
}

std::string line_of(const ChosenCell& cell) {
  return fmt::format("{}:{}  {}{} · {} × {}", cell.test->place.file, cell.test->place.line,
                     one_line(cell.test->name),
                     cell.persona == nullptr ? "" : " · " + one_line(cell.persona->name),
                     one_line(cell.agent->name), cell.repeat);
}

/// Prints the planned cells of all suites as one list: text, or an array with --json. Returns the exit code.
int list_cells(const Invocation& call, const std::vector<SuiteCells>& suites) {
  json::Writer out;
  out.begin_array();
  std::string text;
  std::int64_t cases = 0;
  for (const SuiteCells& each : suites) {
    for (const ChosenCell& cell : each.cells) {
      write_cell(out, cell);
      text += line_of(cell);
      if (call.has("dry-run")) text += fmt::format("  {}/{}", each.suite->project, cell.test->record_key);
      text += "\n";
    }
    cases += cases_of(each.cells);
  }
  out.end_array();
  write_text(1, (call.has("json") ? std::move(out).text() : text + counted(cases, "case", "cases")) + "\n");
  return exit_done;
}

/// Lists what would be played, without a server.
int list_all(const Invocation& call, const RunOptions& options, const std::vector<CompiledSuite>& suites) {
  std::vector<SuiteCells> listed;
  for (const CompiledSuite& suite : suites) {
    auto cells = chosen_cells(suite, options.selection);
    if (!cells) return wrong_use(call, cells.problem().detail);
    if (!cells->empty() || call.has("allow-empty")) listed.push_back({&suite, std::move(cells).value()});
  }
  return listed.empty() ? nothing_selected(call) : list_cells(call, listed);
}

int list_all(const Invocation& call, const SuitePlan& plan) {
  std::vector<SuiteCells> listed;
  for (const PlannedSuite& each : plan.suites) listed.push_back({&each.suite, each.cells});
  return list_cells(call, listed);
}

/// The runs of all suites of a command are one group, which is what `last` names.
void share_group(const SuitePlan& plan, PlayOptions& options) {
  if (plan.suites.size() < 2) return;
  options.has_rounds = true;
  options.group_title =
      plan.suites.front().suite.project + " and " +
      counted(static_cast<std::int64_t>(plan.suites.size()) - 1, "more suite", "more suites");
}

/// A shared server has the records that --apply wrote before the run, which lack the snapshots that the run wrote.
Expected<Done> put_snapshots(const Invocation& call, OpenSession& open) {
  if (open.session.is_local() || !call.has("apply")) return Done{};
  for (const CompiledSuite& each : loaded_with_snapshots(call, call.arguments()).suites)
    TRY_DONE(put_records(call, open, each));
  return Done{};
}

/// Writes the joined reports, if the suites share them. Returns the exit code.
int written_joined(const Invocation& call, OpenSession& open, std::optional<JoinedReports>& joined,
                   int code) {
  if (!joined) return code;
  const auto written = joined->write(call, code, [&] { return html_of_runs(*open.api, joined->runs()); });
  return written ? code : report_unwritten(call, written.problem(), code);
}

/// Checks that each name in the options exists in at least one suite.
Expected<Done> check_names(const Invocation& call, const RunOptions& options,
                           const std::vector<CompiledSuite>& suites) {
  TRY_DONE(check_updated_tests(options.snapshots, suites));
  TRY_DONE(check_people(options.selection, suites));
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

/// Removes the reports of an earlier run.
void remove_old_reports(const Invocation& call, const std::vector<CompiledSuite>& suites) {
  for (const CompiledSuite& suite : suites) {
    const std::string own = suite.gate ? suite.gate->baseline : "";
    if (const auto choices = reporter_choices(call, suite.reporters))
      remove_old_reports(*choices, call.value("baseline", own));
  }
}

/// Removes the reports of an earlier run if no suite could be read. Only reporters of the command line are known.
void remove_old_reports(const Invocation& call, const LoadedSuites& loaded) {
  if (call.has("list") || call.has("dry-run")) return;
  std::vector<std::string> sources;
  for (const auto& each : loaded.files) sources.push_back(each.string());
  const auto choices = reporter_choices(call);
  if (choices && check_report_files(call, *choices, sources))
    remove_old_reports(*choices, call.value("baseline"));
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
  if (!options->lists) remove_old_reports(call, suites);
  SessionOptions session_options;
  auto models = embedded_options(suites, !call.has("fresh"));
  if (!models) return failed(call, models.problem());
  session_options.embedded = std::move(models).value();
  session_options.needs_models = true;
  session_options.is_ephemeral = is_ephemeral(call);
  auto open = open_session(call, ServerPreference::local, session_options);
  if (!open) return failed(call, open.problem());
  const auto choices = reporter_choices(call);
  if (!choices) return wrong_use(call, choices.problem().detail);
  std::optional<JoinedReports> joined;
  if (joins_reports(call, suites)) joined.emplace(*choices);
  const SuitePlan plan = plan_suites(call, *options, *open, suites);
  if (plan.exit) return *plan.exit;
  if (plan.suites.empty()) return nothing_selected(call);
  if (options->lists) return list_all(call, plan);
  share_group(plan, options->play);
  int code = exit_done;
  SuiteRun run(call, std::move(*options), joined ? &*joined : nullptr);
  bool is_lost = false;
  for (const PlannedSuite& planned : plan.suites) {
    const int own = run.play(*open, planned);
    code = stop_exit_code() == 0 ? worse(code, own) : stop_exit_code();
    is_lost = own == exit_no_server;
    if (stop_exit_code() != 0 || is_lost) break;
  }
  if (is_lost) return written_joined(call, *open, joined, code);
  if (const auto put = put_snapshots(call, *open); !put) return failed(call, put.problem());
  if (call.has("view") && stop_exit_code() == 0 && run.played() && !run.played()->runs.empty())
    return view_run(call, *open, run.played()->runs.front());
  return written_joined(call, *open, joined, code);
}

int run_verb(const Invocation& call) {
  LoadedSuites loaded = loaded_suites(call, call.arguments());
  if (loaded.suites.empty()) remove_old_reports(call, loaded);
  if (show_faults(call, loaded, " Nothing was played.")) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  return play_suites(call, std::move(loaded.suites));
}

}  // namespace parley::client
