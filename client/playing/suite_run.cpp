#include "client/playing/suite_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "client/commands/reporting.hpp"
#include "client/gate/exit_code.hpp"
#include "client/gate/stored_rules.hpp"
#include "client/playing/line_reporter.hpp"
#include "client/playing/snapshots.hpp"
#include "client/playing/until_decided.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/suite_loading.hpp"
#include "model/clock.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// `parley 1.0 · coffee · 19 cases (5 tests × 2 agents × 2 personas, 1 excluded) · seed 1 · judge gpt-4.1`
std::string head_of(const Invocation& call, const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
                    const RunOptions& options, bool has_own_models) {
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
  const bool is_even = std::all_of(cells.begin(), cells.end(), [&](const ChosenCell& each) {
    return each.repeat == cells.front().repeat;
  });
  if (is_even && cells.front().repeat > 1) parts += fmt::format(" × {}", cells.front().repeat);
  if (suite.excluded > 0) parts += fmt::format(", {} excluded", suite.excluded);
  const std::int64_t cases = cases_of(cells);
  std::string head = fmt::format("parley {} · {} · {} ({})", call.around().version, suite.project,
                                 words(static_cast<std::size_t>(cases), "case"), parts);
  if (options.play.seed) head += fmt::format(" · seed {}", *options.play.seed);
  if (has_own_models && suite.judge.use == ModelSettings::Use::model)
    head += " · judge " + one_line(suite.judge.model);
  return head;
}

/// Warns if the server lacks a model that the suite configures. A server that this command did not start uses its own
/// models.
void warn_of_missing_models(Api& api, const CompiledSuite& suite) {
  const auto version = api.get("/version");
  const auto models = version ? json::given(version->root(), "models") : std::nullopt;
  if (!models) return;
  const auto warn = [&](const ModelSettings& settings, std::string_view name, std::string_view effect) {
    if (settings.use == ModelSettings::Use::model && !flag_at(*models, name))
      write_text(2, fmt::format("{}: warning: this server has no {} (--{}-url): {}\n", suite.place.file, name,
                                name, effect));
  };
  warn(suite.tester, "tester", "the lines of a goal are said verbatim");
  warn(suite.judge, "judge", "criteria stay undecided");
}

/// Returns the command that replays the cases that did not pass.
std::string again_command(const Invocation& call, const Report& report) {
  const Counts counts = counts_of(report.results);
  if (counts.passed == counts.cases) return "";
  constexpr auto own = ServerPreference::local;
  std::string command = "parley run --not-passed" + connection_words(call, own, own);
  if (call.has("env-file")) command += " --env-file " + shell_word(call.value("env-file"));
  for (const std::string& each : call.arguments()) command += " " + shell_word(each);
  return command;
}

}  // namespace

bool is_ephemeral(const Invocation& call) {
  return call.has("ephemeral") || call.verb().name == "demo";
}

int nothing_selected(const Invocation& call) {
  return wrong_use(call, "nothing is selected: no test matches the options (--allow-empty permits that)");
}

namespace {

ClosingLines closing_lines(const Invocation& call, const Played& played, const Session& session) {
  ClosingLines closing;
  if (!played.runs.empty() && !is_ephemeral(call) && session.folder().exists()) {
    const std::size_t length = std::min<std::size_t>(13, played.runs.front().size());
    constexpr auto own = ServerPreference::local;
    closing.view = "parley view " + played.runs.front().substr(0, length) + connection_words(call, own, own);
    closing.again = again_command(call, played.report);
  }
  const ModelCalls& calls = played.calls;
  if (calls.judge_asked + calls.judge_kept > 0)
    closing.more.push_back(fmt::format("judge {} asked, {} kept", calls.judge_asked, calls.judge_kept));
  return closing;
}

/// Stores the decision in the metadata of the first `count` runs, so that `last-green` finds them. A refusal of the
/// server is ignored.
void note_decision(Api& api, const Played& played, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    json::Writer body;
    body.begin_object().key("metadata").raw(metadata_of(played.notes[i], word_of(played.report.decision)));
    body.end_object();
    static_cast<void>(api.call("PATCH", "/runs/" + played.runs[i], {.body = std::move(body).text()}));
  }
}

}  // namespace

int SuiteRun::run(OpenSession& open, const CompiledSuite& suite) {
  const SuitePlan plan = plan_suites(call_, options_, open, {&suite, 1});
  played_.reset();
  if (plan.exit) return *plan.exit;
  return plan.suites.empty() ? nothing_selected(call_) : play(open, plan.suites.front());
}

int SuiteRun::play(OpenSession& open, const PlannedSuite& planned) {
  played_.reset();
  return planned.cells.empty() ? report_nothing(planned.suite) : play_cells(open, planned);
}

int SuiteRun::report_nothing(const CompiledSuite& suite) {
  const auto choices = reporter_choices(call_, suite.reporters);
  if (!choices) return wrong_use(call_, choices.problem().detail);
  Report report;
  report.parley = call_.around().version;
  report.project = suite.project;
  report.started_at = to_text(SystemClock().now());
  report.decision = Decision::green;
  if (const auto& shard = options_.play.shard)
    report.empty_parts.push_back(fmt::format("shard {}/{}", shard->index, shard->count));
  LineReporter lines(joined_ == nullptr ? *choices : std::vector<ReporterChoice>{});
  const auto written = report_to(lines, report, suite.reporters, {}, {});
  if (!written) return failed(call_, written.problem());
  if (call_.count("quiet") < 2) write_text(2, "nothing is selected, so nothing was played\n");
  return exit_done;
}

Expected<Done> SuiteRun::report_to(LineReporter& lines, const Report& report,
                                   const std::vector<std::string>& usual,
                                   const std::vector<std::string>& runs, const HtmlMaker& html) {
  if (joined_ != nullptr) {
    joined_->add(report, runs);
    return Done{};
  }
  const auto ended = lines.end(report);
  TRY_DONE(write_reports(call_, report, usual, html));
  return ended;
}

/// Bounds of the command apply to all its suites together. Bounds of a suite file apply to that suite.
PlayOptions SuiteRun::play_options_of(const CompiledSuite& suite) const {
  const GateSettings settings = options_.uses_gate ? suite.gate.value_or(GateSettings{}) : GateSettings{};
  PlayOptions options = options_.play;
  options.used = used_;
  if (!options.max_cost) {
    options.max_cost = settings.max_cost;
    options.used.usd = 0;
  }
  if (!options.max_time_ms) {
    options.max_time_ms = settings.max_time_ms;
    options.used.seconds = 0;
  }
  if (!options.seed) options.seed = suite.seed;
  options.group_id = group_id_;
  options.has_rounds = options.has_rounds || options_.until_decided.has_value();
  return options;
}

int SuiteRun::play_cells(OpenSession& open, const PlannedSuite& planned) {
  const auto& [suite, records, cells, rules, baseline] = planned;
  const std::vector<std::string>& usual = suite.reporters;
  const auto choices = reporter_choices(call_, usual);
  if (!choices) return wrong_use(call_, choices.problem().detail);
  const PlayOptions play_options = play_options_of(suite);
  if (!open.session.is_own()) warn_of_missing_models(*open.api, suite);
  const std::unique_ptr<Screen> screen = screen_for(rules, *choices, usual);
  LineReporter own_lines(joined_ == nullptr ? *choices : std::vector<ReporterChoice>{});
  LineReporter& lines = joined_ == nullptr ? own_lines : joined_->lines();
  screen->begin(head_of(call_, suite, cells, options_, open.session.is_own()));
  const ResultListener listener = [&lines](const ResultRow& row) { lines.add(row); };
  auto played = client::play(*open.api, suite, records, cells, play_options, *screen, listener);
  if (!played) return failed(call_, played.problem());
  played_ = std::move(*played);
  whole_runs_ = played_->runs.size();
  if (options_.until_decided && !played_->failure) {
    const Rounds rounds{*open.api,    suite,   records,  cells,
                        play_options, *screen, listener, *options_.until_decided};
    if (const auto done = play_until_decided(rounds, baseline, *played_); !done) {
      played_->failure = done.problem();
      if (played_->stopped.empty()) played_->stopped = "stopped by an error";
    }
  }
  used_.add(played_->report);
  group_id_ = played_->group_id;
  played_->report.parley = call_.around().version;
  const int code = decide_and_report(open, rules, baseline, {*screen, lines, usual, records.names});
  if (played_->failure) return failed(call_, *played_->failure);
  const auto written = write_snapshots(*open.api, suite, played_->report, options_.snapshots);
  if (!written) return failed(call_, written.problem());
  if (call_.count("quiet") < 2) write_text(2, *written);
  return code;
}

std::unique_ptr<Screen> SuiteRun::screen_for(const GateRules& rules,
                                             const std::vector<ReporterChoice>& choices,
                                             const std::vector<std::string>& usual) {
  const int descriptor = writes_to_stdout(call_, usual) ? 2 : 1;
  const auto wish = color_of(call_);
  const Terminal terminal =
      terminal_of(descriptor, call_.around().environment, wish ? *wish : ColorMode::automatic);
  ScreenKind kind = usual_screen(terminal);
  for (const ReporterChoice& each : choices) {
    if (each.name == "pretty") kind = ScreenKind::pretty;
    if (each.name == "line") kind = ScreenKind::line;
    if (each.name == "brief") kind = ScreenKind::brief;
  }
  LineStyle style{terminal, terminal.columns, rules.per_test, shown_id_length,
                  connection_words(call_, ServerPreference::local, ServerPreference::last_login)};
  style.can_show = !is_ephemeral(call_);
  return screen_of(kind, {style, static_cast<int>(call_.count("quiet"))});
}

/// Decides, writes the reports and ends the screen. Returns the exit code.
int SuiteRun::decide_and_report(OpenSession& open, const GateRules& rules, const std::string& baseline,
                                const Writing& writing) {
  Played& played = *played_;
  std::vector<ComparedRun> compared;
  std::string complaint;
  if (!baseline.empty() && !played.failure) {
    auto found = compared_with(open.api.get(), played.report, played.runs, baseline, &writing.names);
    if (found) {
      compared = std::move(found).value();
    } else {
      complaint = "baseline: " + found.problem().detail;
    }
  }
  const std::string early_end = complaint.empty() || !played.stopped.empty() ? played.stopped : complaint;
  const GateVerdict verdict = decide({&played.report, compared, {early_end}}, rules);
  Report& report = played.report;
  set_decision(report, verdict);
  if (call_.has("exit-zero")) report.exit = exit_done;
  if (played.failure) report.exit = exit_code_of(*played.failure);
  if (stop_exit_code() != 0) report.exit = stop_exit_code();
  // Stores the id of the run that `last-green` selected.
  GateRules used = rules;
  used.baseline = compared.empty() ? "" : compared.front().option;
  for (RunNotes& each : played.notes) each.rules = rules_json(used);
  HtmlMaker html;
  if (!played.failure) {
    note_decision(*open.api, played, whole_runs_);
    html = [&] { return html_of_runs(*open.api, played.runs); };
  }
  const int code = report.exit;
  // A demo that is red on purpose ends with success.
  if (call_.verb().name == "demo" && code == exit_red) report.exit = exit_done;
  const auto written = report_to(writing.lines, report, writing.usual, played.runs, html);
  writing.screen.end(report, closing_lines(call_, played, open.session));
  return written ? code : report_unwritten(call_, written.problem(), code);
}

}  // namespace parley::client
