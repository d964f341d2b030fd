#include "client/commands/gate_options.hpp"

#include <algorithm>
#include <charconv>

#include "client/gate/comparison.hpp"
#include "client/gate/stored_rules.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/report_json.hpp"
#include "client/run/stored_runs.hpp"

namespace parley::client {
namespace {

constexpr std::size_t runs_searched_max = 1'000;

Expected<double> number_between(const Invocation& call, const std::string& option, double least,
                                double most) {
  const std::string text = call.value(option);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    return problem(ProblemKind::invalid_parameter, "--" + option + " must be a number from " +
                                                       std::to_string(static_cast<int>(least)) + " to " +
                                                       std::to_string(static_cast<int>(most)));
  return value;
}

/// A partial run says nothing about the other tests, so it is not a baseline. A shard may be the baseline of the
/// same shard.
bool can_be_baseline(const json::Value& run, const RunRow& like) {
  const auto metadata = json::given(run, "metadata");
  if (!metadata || text_at(*metadata, "gate") != "green") return false;
  const std::string part = text_at(*metadata, "part");
  return part.empty() || (part == like.part && part.starts_with("shard "));
}

/// Returns the newest run with the same scenario and agent whose gate was green and that is not part of this
/// report.
Expected<std::string> last_green(Api& api, const std::vector<std::string>& runs, const RunRow& like) {
  std::string found;
  std::size_t searched = 0;
  TRY_DONE(api.each_row("/runs/?status=completed", 100, [&](const json::Value& row) {
    const std::string id = text_at(row, "id");
    const bool is_own = std::find(runs.begin(), runs.end(), id) != runs.end();
    if (!is_own && can_be_baseline(row, like) && link_name(row, "scenario") == like.scenario &&
        link_name(row, "agent") == like.agent)
      found = id;
    return found.empty() && ++searched < runs_searched_max;
  }));
  return found;
}

/// Returns the runs of the baseline that the report is compared with. A report of several runs is compared with the
/// whole group. If the group has several suites, only the runs of the report's suite count.
Expected<std::vector<std::string>> baseline_runs(Api& api, const std::string& run, const Report& report) {
  TRY(group, runs_of_group(api, run));
  TRY(parts, by_project(api, group));
  const auto own = std::find_if(parts.begin(), parts.end(),
                                [&](const RunsOfProject& each) { return each.project == report.project; });
  if (own != parts.end()) group = own->runs;
  const bool is_listed = std::find(group.begin(), group.end(), run) != group.end();
  return report.runs.size() > 1 || !is_listed ? group : std::vector{run};
}

/// `option` is the value of --baseline that selects the same baseline again.
ComparedRun compared_by(const Report& before, const Report& report, std::string words, std::string option) {
  ComparedRun compared = compare_reports(before, report, std::move(words));
  compared.option = std::move(option);
  return compared;
}

/// Reports of large runs reach this size. A larger file was not written by parley.
constexpr std::size_t report_bytes_max = std::size_t{1} << 30;

Expected<Report> baseline_in_file(const std::string& name) {
  TRY(report, report_in_file(name));
  if (report.results.empty()) return problem(ProblemKind::invalid_parameter, "the baseline has no results");
  return report;
}

}  // namespace

bool is_report_file(const std::string& name) {
  return name.starts_with("@") || name.ends_with(".jsonl") || name.ends_with(".json");
}

Expected<Report> report_in_file(const std::string& name, Report joined) {
  const std::string file = name.starts_with("@") ? name.substr(1) : name;
  const auto text = content_of(file, report_bytes_max);
  if (!text) return problem(ProblemKind::invalid_parameter, file + " cannot be read");
  const std::size_t known = joined.gaps.size();
  auto read = read_report(*text, std::move(joined));
  if (!read) return problem(ProblemKind::invalid_parameter, file + ": " + read.problem().detail);
  for (std::size_t i = known; i < read->gaps.size(); ++i) read->gaps[i].insert(0, file + ": ");
  // A shard without tests has a report without results.
  if (read->results.empty() && read->runs.empty() && read->parley.empty())
    return problem(ProblemKind::invalid_parameter, file + " has no results");
  return read;
}

GateRules rules_of(const GateSettings& settings) {
  GateRules rules;
  rules.min_pass_rate = settings.min_pass_rate;
  rules.per_test = settings.per_test;
  rules.min_score = settings.min_score;
  rules.baseline = settings.baseline;
  rules.allows_open = settings.allow_open;
  rules.allows_undecided = settings.allow_undecided;
  return rules;
}

Expected<GateRules> gate_rules_of(const Invocation& call, GateRules rules) {
  rules.allows_open = rules.allows_open || call.has("allow-open");
  rules.allows_undecided = rules.allows_undecided || call.has("allow-undecided");
  rules.allows_missing = rules.allows_missing || call.has("allow-missing");
  rules.baseline = call.value("baseline", rules.baseline);
  if (call.has("min-pass-rate")) {
    TRY(value, number_between(call, "min-pass-rate", 0, 1));
    rules.min_pass_rate = value;
  }
  if (call.has("min-score")) {
    TRY(value, number_between(call, "min-score", 0, 100));
    rules.min_score = value;
  }
  if (call.has("per-test")) {
    rules.per_test = ratio_of(call.value("per-test"));
    if (!rules.per_test)
      return problem(ProblemKind::invalid_parameter, "--per-test must be k/n, such as 4/5");
  }
  return rules;
}

Expected<GateRules> rules_of_stored(Api& api, const std::string& run) {
  TRY(stored, api.get("/runs/" + run));
  return rules_of_run(stored.root());
}

Expected<std::string> resolved_baseline(Api& api, const std::string& name) {
  if (name.empty() || name == "last-green") return name;
  if (is_report_file(name)) {
    TRY(report, baseline_in_file(name));
    return name;
  }
  TRY(run, run_id_of(api, name));
  TRY(found, api.get("/runs/" + run));
  return run;
}

Expected<std::vector<ComparedRun>> compared_with(Api* api, const Report& report,
                                                 const std::vector<std::string>& runs,
                                                 const std::string& baseline, const NameBook* names) {
  if (is_report_file(baseline)) {
    TRY(before, baseline_in_file(baseline));
    return std::vector{compared_by(before, report, baseline, baseline)};
  }
  if (api == nullptr)
    return problem(ProblemKind::invalid_parameter,
                   "the baseline of files must be a file, such as @baseline.jsonl");
  std::vector<std::string> baselines;
  std::string words = baseline;
  if (baseline == "last-green") {
    for (const RunRow& each : report.runs) {
      TRY(found, last_green(*api, runs, each));
      // The rounds of --until-decided are runs of one scenario and agent, so their baseline counts once.
      const bool is_new = std::find(baselines.begin(), baselines.end(), found) == baselines.end();
      if (!found.empty() && is_new) baselines.push_back(found);
    }
    if (baselines.empty()) return std::vector<ComparedRun>{};
    words = "last-green " + baselines.front().substr(0, 13);
  } else {
    TRY(found, run_id_of(*api, baseline));
    if (std::find(runs.begin(), runs.end(), found) != runs.end())
      return problem(ProblemKind::invalid_parameter, "the baseline is the run itself");
    TRY(found_runs, baseline_runs(*api, found, report));
    baselines = std::move(found_runs);
    words = "run " + found.substr(0, 13);
  }
  TRY(before, stored_report(*api, baselines, {false, names}));
  if (before.results.empty()) return problem(ProblemKind::invalid_parameter, "the baseline has no results");
  return std::vector{
      compared_by(before, report, words, baseline == "last-green" ? baselines.front() : baseline)};
}

}  // namespace parley::client
