#include "client/playing/suite_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "client/gate/exit_code.hpp"
#include "client/playing/git_revision.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

/// Returns the runs that `--failed`, `--errors` or `--not-passed` names, by suite; nullopt without these options.
Expected<std::optional<std::vector<RunsOfProject>>> earlier_runs(Api& api, const RunOptions& options) {
  if (!options.earlier) return std::optional<std::vector<RunsOfProject>>();
  TRY(run, run_id_of(api, options.earlier->run.empty() ? "last" : options.earlier->run));
  TRY(runs, runs_of_group(api, run));
  TRY(parts, by_project(api, runs));
  return std::optional(std::move(parts));
}

/// Returns the cells of the suite that ended in one of the chosen states. Other suites may have tests with the same
/// keys, so their runs do not count.
Expected<std::set<std::string>> earlier_cells(Api& api, const std::vector<RunsOfProject>& earlier,
                                              const EarlierCells& wanted, const PlannedSuite& planned) {
  const CompiledSuite& suite = planned.suite;
  std::map<std::string, std::string> agent_keys;
  std::map<std::string, std::string> persona_keys;
  for (const CompiledAgent& each : suite.agents) agent_keys[each.name] = each.key;
  for (const CompiledPersona& each : suite.personas) persona_keys[each.name] = each.key;
  std::set<std::string> cells;
  for (const RunsOfProject& part : earlier) {
    if (!part.project.empty() && part.project != suite.project) continue;
    TRY(report, stored_report(api, part.runs, {false, &planned.records.names}));
    for (const ResultRow& row : report.results) {
      if (!wanted.states.contains(row.state)) continue;
      if (const CompiledTest* test = test_of(suite, row))
        cells.insert(
            cell_name(test->record_key, agent_keys[row.agent], persona_keys[row.persona.value_or("")]));
    }
  }
  return cells;
}

/// Restricts the selection to these tests.
void keep_tests(const CompiledSuite& suite, const std::set<std::string>& tests, Selection& selection) {
  std::set<std::string> only;
  for (const Cell& each : suite.cells) {
    const std::string name = cell_name(each.test, each.agent, each.persona);
    if (tests.contains(each.test) && (!selection.only || selection.only->contains(name))) only.insert(name);
  }
  selection.only = std::move(only);
}

bool is_disabled(const CompiledSuite& suite) {
  return std::none_of(suite.tests.begin(), suite.tests.end(),
                      [](const CompiledTest& each) { return each.is_enabled; });
}

class Planner {
 public:
  Planner(const Invocation& call, const RunOptions& options, OpenSession& open)
      : call_(call), options_(options), open_(open) {}

  SuitePlan plan(std::span<const CompiledSuite> suites) {
    auto earlier = earlier_runs(*open_.api, options_);
    if (!earlier) return {{}, failed(call_, earlier.problem())};
    earlier_ = std::move(earlier).value();
    SuitePlan plan;
    for (const CompiledSuite& suite : suites) {
      PlannedSuite planned{suite, {}, {}, {}, {}};
      plan.exit = select(planned);
      if (!plan.exit && !options_.lists && !planned.cells.empty()) plan.exit = resolve(planned);
      if (plan.exit) return plan;
      if (suites.size() > 1 && is_disabled(suite))
        write_text(2, suite.place.file + ": note: all tests are disabled, so none is played\n");
      if (!planned.cells.empty() || call_.has("allow-empty")) plan.suites.push_back(std::move(planned));
    }
    return plan;
  }

 private:
  /// Returns the exit code if the suite cannot be played.
  std::optional<int> select(PlannedSuite& planned) {
    const CompiledSuite& suite = planned.suite;
    if (const auto put = put_records(call_, open_, suite); !put)
      return show_refusal(call_, suite, put.problem(), " Nothing was played.");
    auto records = records_of(*open_.api, suite);
    if (!records) return failed(call_, records.problem());
    planned.records = std::move(records).value();
    Selection selection = options_.selection;
    if (earlier_) {
      auto cells = earlier_cells(*open_.api, *earlier_, *options_.earlier, planned);
      if (!cells) return failed(call_, cells.problem());
      selection.only = std::move(cells).value();
    }
    if (!options_.changed_since.empty()) {
      const auto changed = changed_tests(call_, suite, options_.changed_since);
      if (!changed) return wrong_use(call_, changed.problem().detail);
      keep_tests(suite, *changed, selection);
    }
    auto cells = chosen_cells(suite, selection);
    if (!cells) return wrong_use(call_, cells.problem().detail);
    planned.cells = std::move(cells).value();
    return std::nullopt;
  }

  /// Checks the selected cells, and resolves the rules and the baseline.
  std::optional<int> resolve(PlannedSuite& planned) {
    if (const std::string missing = missing_snapshots(planned.cells);
        !options_.snapshots.records_missing && !missing.empty()) {
      write_text(2, missing + "Nothing was played.\n");
      return exit_wrong_use;
    }
    for (const ChosenCell& each : planned.cells)
      if (each.agent->type == "EXTERNAL")
        return wrong_use(
            call_, "the agent \"" + each.agent->name + "\" is external: its own client drives its runs");
    const GateSettings settings =
        options_.uses_gate ? planned.suite.gate.value_or(GateSettings{}) : GateSettings{};
    auto rules = gate_rules_of(call_, rules_of(settings));
    if (!rules) return wrong_use(call_, rules.problem().detail);
    planned.rules = std::move(rules).value();
    auto baseline = resolved_baseline(*open_.api, planned.rules.baseline);
    if (!baseline)
      return failed(call_, problem(baseline.problem().kind, "baseline: " + baseline.problem().detail));
    planned.baseline = std::move(baseline).value();
    if (options_.until_decided && planned.baseline.empty())
      return wrong_use(call_,
                       "--until-decided compares with a baseline: add --baseline last-green, or name a run");
    return std::nullopt;
  }

  const Invocation& call_;
  const RunOptions& options_;
  OpenSession& open_;
  std::optional<std::vector<RunsOfProject>> earlier_;
};

}  // namespace

Expected<Done> put_records(const Invocation& call, OpenSession& open, const CompiledSuite& suite) {
  if (open.session.is_local()) return apply_suite(*open.api, suite);
  if (call.has("apply")) return apply_suite(*open.api, suite, {.overrides = false});
  TRY(difference, difference_of(*open.api, suite));
  if (difference.words.empty()) return Done{};
  return problem(ProblemKind::invalid_parameter,
                 "the server's records differ from the files (" + difference.words + "): " +
                     (difference.has_edits ? edited_elsewhere(call) : "run `parley apply`, or add --apply"));
}

SuitePlan plan_suites(const Invocation& call, const RunOptions& options, OpenSession& open,
                      std::span<const CompiledSuite> suites) {
  return Planner(call, options, open).plan(suites);
}

}  // namespace parley::client
