#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "client/commands/families.hpp"
#include "client/commands/gate_options.hpp"
#include "client/commands/line_reporter.hpp"
#include "client/commands/reporting.hpp"
#include "client/commands/run_options.hpp"
#include "client/commands/suite_loading.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/play.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// The models that the files name; the embedded server uses them.
EmbeddedOptions embedded_options(const Invocation& call, const std::vector<CompiledSuite>& suites) {
  EmbeddedOptions options;
  const auto endpoint = [](const ModelSettings& settings) -> std::optional<ModelEndpoint> {
    if (settings.use != ModelSettings::Use::model) return std::nullopt;
    return ModelEndpoint{settings.url, settings.model, settings.key, settings.parameters,
                         settings.timeout_ms.value_or(0)};
  };
  options.tester = endpoint(suites.front().tester);
  options.judge = endpoint(suites.front().judge);
  options.keeps_answers = !call.has("fresh");
  return options;
}

/// `coffee · 25 cases (5 tests × 2 agents × 2 personas, 1 excluded) · seed 1 · judge gpt-4.1`
std::string head_of(const Invocation& call, const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
                    const RunOptions& options) {
  std::set<const void*> tests;
  std::set<const void*> agents;
  std::set<const void*> personas;
  for (const ChosenCell& each : cells) {
    tests.insert(each.test);
    agents.insert(each.agent);
    if (each.persona != nullptr) personas.insert(each.persona);
  }
  const auto words = [](std::size_t count, std::string_view one) {
    return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
  };
  std::string parts = words(tests.size(), "test") + " × " + words(agents.size(), "agent");
  if (personas.size() > 1) parts += " × " + words(personas.size(), "persona");
  if (suite.excluded > 0) parts += fmt::format(", {} excluded", suite.excluded);
  const std::int64_t cases = cases_of(cells);
  std::string head = fmt::format("parley {} · {} · {} ({})", call.around().version, suite.project,
                                 words(static_cast<std::size_t>(cases), "case"), parts);
  if (options.play.seed) head += fmt::format(" · seed {}", *options.play.seed);
  if (suite.judge.use == ModelSettings::Use::model) head += " · judge " + one_line(suite.judge.model);
  return head;
}

/// The selection that `--failed` and its relatives ask for: cells of an earlier run.
Expected<std::optional<std::set<std::string>>> earlier_cells(Api& api, const CompiledSuite& suite,
                                                             const SuiteRecords& records,
                                                             const RunOptions& options) {
  if (!options.earlier) return std::optional<std::set<std::string>>{};
  TRY(run, run_id_of(api, options.earlier->run.empty() ? "last" : options.earlier->run));
  TRY(runs, runs_beside(api, run));
  TRY(report, stored_report(api, runs, {false, &records.names}));
  std::map<std::string, std::string> agent_keys;
  std::map<std::string, std::string> persona_keys;
  for (const CompiledAgent& each : suite.agents) agent_keys[each.name] = each.key;
  for (const CompiledPersona& each : suite.personas) persona_keys[each.name] = each.key;
  std::set<std::string> cells;
  for (const ResultRow& row : report.results) {
    if (!options.earlier->states.contains(row.state)) continue;
    for (const CompiledTest& test : suite.tests) {
      const bool is_it = test.key == row.test && plain_name(test) == row.name &&
                         (test.variant.empty() ? !row.variant : row.variant == test.variant);
      if (is_it)
        cells.insert(
            cell_name(test.record_key, agent_keys[row.agent], persona_keys[row.persona.value_or("")]));
    }
  }
  return std::optional(std::move(cells));
}

/// `--list` and `--dry-run`.
int list_cells(const Invocation& call, const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
               bool shows_records) {
  if (call.has("json")) {
    json::Writer out;
    out.begin_array();
    for (const ChosenCell& each : cells) {
      out.begin_object()
          .member("test", each.test->key)
          .member("record", each.test->record_key)
          .member("name", each.test->name);
      out.member("agent", each.agent->name)
          .member("persona", each.persona == nullptr ? "" : each.persona->name);
      out.key("repeat")
          .integer(each.repeat)
          .member("file", each.test->place.file)
          .key("line")
          .integer(each.test->place.line)
          .end_object();
    }
    out.end_array();
    write_text(1, std::move(out).text() + "\n");
    return exit_done;
  }
  std::string text;
  for (const ChosenCell& each : cells) {
    text += fmt::format("{}:{}  {}{} · {} × {}", each.test->place.file, each.test->place.line,
                        one_line(each.test->name),
                        each.persona == nullptr ? "" : " · " + one_line(each.persona->name),
                        one_line(each.agent->name), each.repeat);
    if (shows_records) text += fmt::format("  {}/{}", suite.project, each.test->record_key);
    text += "\n";
  }
  text += counted(cases_of(cells), "case", "cases") + "\n";
  write_text(1, text);
  return exit_done;
}

/// The command that plays again what did not pass.
std::string again_command(const Invocation& call, const Report& report) {
  const Counts counts = counts_of(report.results);
  if (counts.passed == counts.cases) return "";
  std::string command = "parley run --not-passed";
  for (const std::string& each : call.arguments()) command += " " + each;
  return command;
}

/// Nothing of the run is stored.
bool is_ephemeral(const Invocation& call) {
  return call.has("ephemeral") || call.verb().name == "demo";
}

ClosingLines closing_lines(const Invocation& call, const Played& played, const Session& session) {
  ClosingLines closing;
  if (!played.runs.empty() && !is_ephemeral(call) && session.folder().exists()) {
    const std::size_t length = std::min<std::size_t>(13, played.runs.front().size());
    closing.view = "parley view " + played.runs.front().substr(0, length);
    closing.again = again_command(call, played.report);
  }
  const ModelCalls& calls = played.calls;
  if (calls.judge_asked + calls.judge_kept > 0)
    closing.more.push_back(fmt::format("judge {} asked, {} kept", calls.judge_asked, calls.judge_kept));
  return closing;
}

/// Stored with the run, so that `last-green` finds it. If the server refuses it, nothing else changes.
void note_decision(Api& api, const Played& played, const RunOptions& options) {
  for (const std::string& run : played.runs) {
    json::Writer body;
    body.begin_object().key("metadata").begin_object().member("project", played.report.project);
    body.member("command", options.play.command)
        .member("gate", word_of(played.report.decision))
        .end_object()
        .end_object();
    static_cast<void>(api.call("PATCH", "/runs/" + run, {.body = std::move(body).text()}));
  }
}

class RunCall {
 public:
  RunCall(const Invocation& call, RunOptions options) : call_(call), options_(std::move(options)) {}

  int run(std::vector<CompiledSuite> suites) {
    if (options_.lists && !options_.earlier) return list_all(suites);
    SessionOptions session_options;
    session_options.embedded = embedded_options(call_, suites);
    session_options.is_ephemeral = is_ephemeral(call_);
    auto open = open_session(call_, ServerPreference::local, session_options);
    if (!open) return failed(call_, open.problem());
    int code = exit_done;
    for (const CompiledSuite& suite : suites) {
      code = worse(code, run_suite(*open, suite));
      if (stop_exit_code() != 0) return stop_exit_code();
    }
    return code;
  }

 private:
  /// Red takes precedence over undecided, and both over done; wrong usage over everything.
  static int worse(int a, int b) {
    for (const int each : {exit_wrong_use, exit_no_server, exit_damaged_data, exit_red, exit_undecided})
      if (a == each || b == each) return each;
    return std::max(a, b);
  }

  int list_all(const std::vector<CompiledSuite>& suites) {
    for (const CompiledSuite& suite : suites) {
      const auto cells = chosen_cells(suite, options_.selection);
      if (!cells) return wrong_use(call_, cells.problem().detail);
      if (cells->empty() && !call_.has("allow-empty")) return nothing_selected();
      list_cells(call_, suite, *cells, call_.has("dry-run"));
    }
    return exit_done;
  }

  int nothing_selected() {
    return wrong_use(call_, "nothing is selected: no test matches the options (--allow-empty permits that)");
  }

  /// The local server takes the files; a shared one is only compared with them, unless --apply is given.
  Expected<Done> put_records(OpenSession& open, const CompiledSuite& suite) {
    if (open.session.is_local() || call_.has("apply")) return apply_suite(*open.api, suite);
    TRY(difference, difference_of(*open.api, suite));
    if (difference.empty()) return Done{};
    return problem(ProblemKind::invalid_parameter, "the server's records differ from the files (" +
                                                       difference + "): run `parley apply`, or add --apply");
  }

  int run_suite(OpenSession& open, const CompiledSuite& suite) {
    Api& api = *open.api;
    if (const auto put = put_records(open, suite); !put) return failed(call_, put.problem());
    const auto records = records_of(api, suite);
    if (!records) return failed(call_, records.problem());
    Selection selection = options_.selection;
    auto earlier = earlier_cells(api, suite, *records, options_);
    if (!earlier) return failed(call_, earlier.problem());
    if (*earlier) selection.only = std::move(**earlier);
    const auto cells = chosen_cells(suite, selection);
    if (!cells) return wrong_use(call_, cells.problem().detail);
    if (cells->empty()) return call_.has("allow-empty") ? exit_done : nothing_selected();
    if (options_.lists) return list_cells(call_, suite, *cells, call_.has("dry-run"));
    return play_cells(open, suite, *records, *cells);
  }

  int play_cells(OpenSession& open, const CompiledSuite& suite, const SuiteRecords& records,
                 const std::vector<ChosenCell>& cells) {
    for (const ChosenCell& each : cells)
      if (each.agent->type == "EXTERNAL")
        return wrong_use(
            call_, "the agent \"" + each.agent->name + "\" is external: its own client drives its runs");
    const GateSettings settings = options_.uses_gate ? suite.gate.value_or(GateSettings{}) : GateSettings{};
    const auto rules = gate_rules_of(call_, settings);
    if (!rules) return wrong_use(call_, rules.problem().detail);
    const std::vector<std::string>& usual = suite.reporters;
    const auto choices = reporter_choices(call_, usual);
    if (!choices) return wrong_use(call_, choices.problem().detail);
    PlayOptions play_options = options_.play;
    if (!play_options.max_cost) play_options.max_cost = settings.max_cost;
    if (!play_options.max_time_ms) play_options.max_time_ms = settings.max_time_ms;
    if (!play_options.seed) play_options.seed = suite.seed;
    const std::unique_ptr<Screen> screen = screen_for(*rules, *choices, usual);
    LineReporter lines(*choices);
    screen->begin(head_of(call_, suite, cells, options_));
    auto played = play(*open.api, suite, records, cells, play_options, *screen,
                       [&lines](const ResultRow& row) { lines.add(row); });
    if (!played) return failed(call_, played.problem());
    played->report.parley = call_.around().version;
    const std::string baseline = call_.value("baseline", settings.baseline);
    return decide_and_report(open, std::move(*played), *rules, baseline, *screen, lines, usual);
  }

  std::unique_ptr<Screen> screen_for(const GateRules& rules, const std::vector<ReporterChoice>& choices,
                                     const std::vector<std::string>& usual) {
    const int descriptor = writes_to_stdout(call_, usual) ? 2 : 1;
    const auto wish = color_of(call_);
    const Terminal terminal =
        terminal_of(descriptor, call_.around().environment, wish ? *wish : ColorWish::automatic);
    ScreenKind kind = usual_screen(terminal);
    for (const ReporterChoice& each : choices) {
      if (each.name == "pretty") kind = ScreenKind::pretty;
      if (each.name == "line") kind = ScreenKind::line;
      if (each.name == "brief") kind = ScreenKind::brief;
    }
    LineStyle style{terminal, terminal.columns, rules.per_test, 18};
    return screen_of(kind, {style, static_cast<int>(call_.count("quiet"))});
  }

  int decide_and_report(OpenSession& open, Played played, const GateRules& rules, const std::string& baseline,
                        Screen& screen, LineReporter& lines, const std::vector<std::string>& usual) {
    std::vector<ComparedRun> compared;
    std::string complaint;
    if (!baseline.empty()) {
      auto found = compared_with(open.api.get(), played.report, played.runs, baseline);
      if (found) {
        compared = std::move(found).value();
      } else {
        complaint = "baseline: " + found.problem().detail;
      }
    }
    const std::string early_end = complaint.empty() || !played.stopped.empty() ? played.stopped : complaint;
    const GateVerdict verdict = decide({&played.report, compared, {early_end}}, rules);
    Report& report = played.report;
    report.decision = verdict.decision;
    report.reasons = verdict.reasons();
    report.exit = stop_exit_code() != 0    ? stop_exit_code()
                  : call_.has("exit-zero") ? exit_done
                                           : exit_code_of(verdict.decision);
    note_decision(*open.api, played, options_);
    const auto ended = lines.end(report);
    const auto written =
        write_reports(call_, report, usual, [&] { return html_of_runs(*open.api, played.runs); });
    screen.end(report, closing_lines(call_, played, open.session));
    if (!ended) return failed(call_, ended.problem());
    if (!written) return failed(call_, written.problem());
    return report.exit;
  }

  const Invocation& call_;
  RunOptions options_;
};

}  // namespace

int play_suites(const Invocation& call, std::vector<CompiledSuite> suites) {
  auto options = run_options_of(call);
  if (!options) return wrong_use(call, options.problem().detail);
  take_stop_requests();
  return RunCall(call, std::move(*options)).run(std::move(suites));
}

int run_verb(const Invocation& call) {
  LoadedSuites loaded = loaded_suites(call, call.arguments());
  if (show_faults(loaded, " Nothing was played.")) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  return play_suites(call, std::move(loaded.suites));
}

}  // namespace parley::client
