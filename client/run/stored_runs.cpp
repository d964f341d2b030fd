#include "client/run/stored_runs.hpp"

#include <algorithm>
#include <charconv>

namespace parley::client {
namespace {

constexpr std::size_t rows_of_page = 1'000;
constexpr std::size_t whole_rows_of_page = 50;
constexpr std::size_t looked_at_max = 20'000;
constexpr std::size_t prefix_min = 4;
constexpr std::size_t html_runs_max = 100;
constexpr std::int64_t html_timeout_ms = 120'000;

/// The only record of a list whose id begins this way.
Expected<std::string> id_beginning(Api& api, const std::string& path, const std::string& kind,
                                   const std::string& prefix) {
  if (prefix.size() >= 36) return prefix;
  const auto unknown = [&] {
    return problem(ProblemKind::not_found, "there is no " + kind + " \"" + prefix + "\"; `parley " +
                                               (kind == "result" ? "results" : "ls " + kind + "s") +
                                               "` lists them");
  };
  if (prefix.size() < prefix_min) return unknown();
  std::string found;
  bool is_ambiguous = false;
  std::size_t looked = 0;
  TRY_DONE(api.each_row(path, rows_of_page, [&](const json::Value& row) {
    const std::string id = text_at(row, "id");
    if (id.starts_with(prefix)) {
      is_ambiguous = !found.empty();
      if (found.empty()) found = id;
    }
    return !is_ambiguous && ++looked < looked_at_max;
  }));
  if (is_ambiguous)
    return problem(ProblemKind::conflict,
                   "\"" + prefix + "\" is the beginning of several " + kind + "s: give more of the id");
  if (found.empty()) return unknown();
  return found;
}

/// The number of `last~2`; nullopt for another name.
std::optional<std::size_t> steps_back(const std::string& name) {
  if (name == "last") return 0;
  if (!name.starts_with("last~")) return std::nullopt;
  std::size_t steps = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), steps);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(steps) : std::nullopt;
}

/// The run that was chosen as baseline of the newest run's scenario and agent.
Expected<std::string> chosen_baseline(Api& api) {
  TRY(list, api.get("/runs/?limit=1"));
  const auto rows = json::given(list.root(), "data");
  if (!rows || rows->size() == 0) return problem(ProblemKind::not_found, "there is no run");
  const json::Value newest = rows->children().front();
  const std::string scenario = link_id(newest, "scenario");
  if (!scenario.empty()) {
    TRY(found, api.get("/scenarios/" + scenario));
    const auto baselines = json::given(found.root(), "baselines");
    if (baselines && baselines->is(json::Kind::object))
      if (std::string run = text_at(*baselines, link_id(newest, "agent")); !run.empty()) return run;
  }
  return problem(ProblemKind::not_found,
                 "no baseline is chosen for the scenario and agent of the last run; choose one on the page");
}

NamedTest named_test(const json::Value& test, std::string scenario) {
  NamedTest named;
  named.key = text_at(test, "key");
  if (named.key.empty()) named.key = text_at(test, "id");
  named.name = text_at(test, "name");
  named.scenario = std::move(scenario);
  if (const auto fields = json::given(test, "fields"); fields && fields->is(json::Kind::object))
    named.fields = fields->compact().text;
  return named;
}

RunRow run_row(const json::Value& run) {
  RunRow row{text_at(run, "id"),
             link_name(run, "agent"),
             link_name(run, "scenario"),
             text_at(run, "status"),
             std::nullopt,
             {},
             0};
  if (const auto metadata = json::given(run, "metadata")) row.part = text_at(*metadata, "part");
  const auto result = json::given(run, "result");
  if (!result) return row;
  row.pass_rate = number_at(*result, "passRate");
  row.coverage = number_at(*result, "coverage").value_or(0);
  if (const auto interval = json::given(*result, "interval"))
    row.interval = {number_at(*interval, "low").value_or(0), number_at(*interval, "high").value_or(1)};
  return row;
}

Expected<Done> read_results(Api& api, const std::string& run, const NameBook& names, bool keeps_transcripts,
                            Report& report) {
  std::map<std::string, std::int64_t> repetitions;
  return api.each_row("/runs/" + run + "/test-results?sortBy=createdAt&sortOrder=asc", whole_rows_of_page,
                      [&](const json::Value& row) {
                        const auto replaced = json::given(row, "retiredBy");
                        if (replaced) return true;
                        const std::string key = link_id(row, "test") + '\0' + link_id(row, "personality");
                        ReadResult read = read_result(row, names, {++repetitions[key], keeps_transcripts});
                        report.usd.agent += read.row.usd;
                        report.usd.tester += read.calls.tester_usd;
                        report.usd.judge += read.calls.judge_usd;
                        report.results.push_back(std::move(read.row));
                        return true;
                      });
}

}  // namespace

Expected<std::string> run_id_of(Api& api, const std::string& name) {
  if (name == "baseline") return chosen_baseline(api);
  const auto steps = steps_back(name);
  if (!steps) return id_beginning(api, "/runs/?output=minimal", "run", name);
  TRY(list, api.get("/runs/?output=minimal&limit=" + std::to_string(*steps + 1)));
  const auto rows = json::given(list.root(), "data");
  if (!rows || rows->size() <= *steps) return problem(ProblemKind::not_found, "there is no run " + name);
  return text_at(rows->children().back(), "id");
}

Expected<std::string> result_id_of(Api& api, const std::string& name) {
  return id_beginning(api, "/test-results/?output=minimal", "result", name);
}

Expected<Done> read_test_names(Api& api, const std::string& scenario, NameBook& names) {
  if (scenario.empty()) return Done{};
  const auto named = api.get("/scenarios/" + scenario);
  const std::string scenario_name = named ? text_at(named->root(), "name") : "";
  return api.each_row("/scenarios/" + scenario + "/tests?", 200, [&](const json::Value& row) {
    names.tests.try_emplace(text_at(row, "id"), named_test(row, scenario_name));
    return true;
  });
}

NameBook names_of_result(Api& api, const json::Value& result) {
  NameBook names;
  const std::string id = link_id(result, "test");
  if (id.empty()) return names;
  if (const auto test = api.get("/tests/" + id))
    names.tests.emplace(id, named_test(test->root(), link_name(test->root(), "scenario")));
  return names;
}

Expected<Report> stored_report(Api& api, const std::vector<std::string>& runs, const StoredOptions& options) {
  Report report;
  NameBook names = options.names == nullptr ? NameBook{} : *options.names;
  for (const std::string& id : runs) {
    TRY(run, api.get("/runs/" + id));
    const json::Value root = run.root();
    TRY_DONE(read_test_names(api, link_id(root, "scenario"), names));
    report.runs.push_back(run_row(root));
    if (const auto metadata = json::given(root, "metadata"); metadata && report.project.empty())
      report.project = text_at(*metadata, "project");
    if (report.project.empty()) report.project = link_name(root, "scenario");
    if (report.started_at.empty()) report.started_at = text_at(root, "createdAt");
    TRY_DONE(read_results(api, id, names, options.keeps_transcripts, report));
  }
  return report;
}

Expected<std::string> html_of_runs(Api& api, const std::vector<std::string>& runs) {
  if (runs.empty()) return problem(ProblemKind::not_found, "there is no run to report");
  if (runs.size() > html_runs_max)
    return problem(ProblemKind::invalid_parameter, "an HTML report has at most " +
                                                       std::to_string(html_runs_max) + " runs, not " +
                                                       std::to_string(runs.size()));
  std::string path = "/runs/" + runs.front() + "/report?transcripts=all";
  for (std::size_t i = 1; i < runs.size(); ++i) path += (i == 1 ? "&with=" : ",") + runs[i];
  TRY(answer, api.http().call({"GET", path, "", {{"Accept", "text/html"}}, html_timeout_ms}));
  if (answer.status != 200)
    return problem(ProblemKind::internal,
                   "the server made no report: GET " + path + " answered " + std::to_string(answer.status));
  return std::move(answer.body);
}

Expected<std::vector<std::string>> runs_beside(Api& api, const std::string& run) {
  TRY(whole, api.get("/runs/" + run));
  const std::string group = link_id(whole.root(), "runGroup");
  std::vector<std::string> runs;
  if (!group.empty()) {
    TRY_DONE(api.each_row("/runs/?output=minimal&sortOrder=asc&runGroup=" + group, 100,
                          [&](const json::Value& row) {
                            runs.push_back(text_at(row, "id"));
                            return true;
                          }));
  }
  if (runs.empty()) runs.push_back(run);
  return runs;
}

}  // namespace parley::client
