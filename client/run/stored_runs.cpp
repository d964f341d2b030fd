#include "client/run/stored_runs.hpp"

#include <algorithm>
#include <charconv>

#include "client/report/report_json.hpp"
#include "model/records/custom_fields.hpp"
#include "model/time.hpp"

namespace parley::client {
namespace {

constexpr std::size_t rows_of_page = 1'000;
constexpr std::size_t whole_rows_of_page = 50;
constexpr std::size_t looked_at_max = 20'000;
constexpr std::size_t prefix_min = 4;
constexpr std::size_t html_runs_max = 100;
constexpr std::int64_t html_timeout_ms = 120'000;

/// Finds the only record of a list whose id begins with the prefix.
Expected<std::string> id_beginning(Api& api, const std::string& path, const std::string& kind,
                                   const std::string& prefix) {
  if (prefix.size() >= 36) return prefix;
  const auto unknown = [&] {
    return problem(ProblemKind::not_found,
                   "there is no " + kind + " \"" + prefix + "\"" + api.where + "; `parley " +
                       (kind == "result" ? "results" : "ls " + kind + "s") + "` lists them");
  };
  if (prefix.size() < prefix_min) return unknown();
  std::string found;
  bool is_ambiguous = false;
  std::size_t searched = 0;
  TRY_DONE(api.each_row(path, rows_of_page, [&](const json::Value& row) {
    const std::string id = text_at(row, "id");
    if (id.starts_with(prefix)) {
      is_ambiguous = !found.empty();
      if (found.empty()) found = id;
    }
    return !is_ambiguous && ++searched < looked_at_max;
  }));
  if (is_ambiguous)
    return problem(ProblemKind::conflict,
                   "\"" + prefix + "\" is the beginning of several " + kind + "s: give more of the id");
  if (found.empty()) return unknown();
  return found;
}

/// Returns n for `last~n` and 0 for `last`; nullopt for another name.
std::optional<std::size_t> steps_back(const std::string& name) {
  if (name == "last") return 0;
  if (!name.starts_with("last~")) return std::nullopt;
  std::size_t steps = 0;
  const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), steps);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(steps) : std::nullopt;
}

/// Returns the run that was chosen as the baseline for the scenario and agent of the newest run.
Expected<std::string> chosen_baseline(Api& api) {
  TRY(list, api.get("/runs/?limit=1"));
  const auto rows = json::given(list.root(), "data");
  if (!rows || rows->size() == 0) return problem(ProblemKind::not_found, "there is no run" + api.where);
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
  named.record = text_at(test, "key");
  named.key = named.record.empty() ? text_at(test, "id") : named.record;
  named.name = text_at(test, "name");
  named.scenario = std::move(scenario);
  if (const auto fields = json::given(test, "fields"); fields && fields->is(json::Kind::object))
    named.fields = fields->compact().text;
  return named;
}

/// Gives a variant of a suite the key and name of its test, as in the suite.
void name_variant(NamedTest& variant, const NamedTest& parent) {
  const std::string before = parent.name + " · ";
  if (variant.record.empty() || !variant.record.starts_with(parent.key + "--") ||
      !variant.name.starts_with(before))
    return;
  variant.variant = variant.name.substr(before.size());
  variant.key = parent.key;
  variant.name = parent.name;
  variant.fields = laid_over({{variant.fields}, {parent.fields}}).text;
}

/// Reads where the tests were written when the run began. Runs from the page and runs of very many tests have no
/// places.
void place_tests(const json::Value& run, NameBook& names) {
  std::map<std::string, std::pair<std::string, std::int64_t>, std::less<>> places;
  const auto metadata = json::given(run, "metadata");
  const auto files = metadata ? json::given(*metadata, "places") : std::nullopt;
  if (files && files->is(json::Kind::object)) {
    for (const json::Value& file : files->children()) {
      if (!file.is(json::Kind::object)) continue;
      for (const json::Value& line : file.children())
        places[std::string(line.key())] = {std::string(file.key()), integer_at(file, line.key())};
    }
  }
  for (auto& [id, test] : names.tests) {
    const auto known = places.find(test.record);
    const bool is_known = known != places.end() && !test.record.empty();
    test.file = is_known ? known->second.first : "";
    test.line = is_known ? known->second.second : 0;
  }
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
                            Time& ended, Report& report) {
  RepetitionCounter repetitions;
  return api.each_row("/runs/" + run + "/test-results?sortBy=createdAt&sortOrder=asc", whole_rows_of_page,
                      [&](const json::Value& row) {
                        const auto replaced = json::given(row, "retiredBy");
                        if (replaced) return true;
                        ReadResult read = read_result(row, names, {repetitions(row), keeps_transcripts});
                        report.usd.agent += read.row.usd;
                        report.usd.tester += read.calls.tester_usd;
                        report.usd.judge += read.calls.judge_usd;
                        report.results.push_back(std::move(read.row));
                        if (const auto entries = items_of(row, "conversation"); !entries.empty())
                          if (const auto last = time_from_text(text_at(entries.back(), "createdAt")))
                            ended.ms = std::max(ended.ms, last->ms);
                        return true;
                      });
}

}  // namespace

Expected<std::string> run_id_of(Api& api, const std::string& name) {
  if (name == "baseline") return chosen_baseline(api);
  const auto steps = steps_back(name);
  if (!steps) return id_beginning(api, "/runs/?output=minimal", "run", name);
  std::string found;
  std::string group;  // group of the previous run
  std::size_t newer = 0;
  TRY_DONE(api.each_row("/runs/?output=minimal", 50, [&](const json::Value& row) {
    const std::string own = link_id(row, "runGroup");
    if (!group.empty() && own == group) return true;
    group = own;
    if (newer++ == *steps) found = text_at(row, "id");
    return found.empty();
  }));
  if (found.empty())
    return problem(ProblemKind::not_found,
                   "there is no run \"" + name + "\"" + api.where + "; `parley ls runs` lists them");
  return found;
}

Expected<std::vector<std::string>> runs_named(Api& api, const std::string& name) {
  TRY(run, run_id_of(api, name));
  if (steps_back(name)) return runs_of_group(api, run);
  return std::vector{run};
}

Expected<std::string> result_id_of(Api& api, const std::string& name) {
  return id_beginning(api, "/test-results/?output=minimal", "result", name);
}

Expected<Done> read_test_names(Api& api, const std::string& scenario, NameBook& names) {
  if (scenario.empty()) return Done{};
  const auto named = api.get("/scenarios/" + scenario);
  const std::string scenario_name = named ? text_at(named->root(), "name") : "";
  std::vector<std::pair<std::string, std::string>> variants;  // ids of a variant and of its parent test
  TRY_DONE(api.each_row("/scenarios/" + scenario + "/tests?", 200, [&](const json::Value& row) {
    std::string id = text_at(row, "id");
    const bool is_new = names.tests.try_emplace(id, named_test(row, scenario_name)).second;
    if (std::string parent = text_at(row, "parentTest"); is_new && !parent.empty())
      variants.emplace_back(std::move(id), std::move(parent));
    return true;
  }));
  for (const auto& [id, parent] : variants)
    if (const auto known = names.tests.find(parent); known != names.tests.end())
      name_variant(names.tests[id], known->second);
  return Done{};
}

NameBook names_of_result(Api& api, const json::Value& result) {
  NameBook names;
  const std::string id = link_id(result, "test");
  if (id.empty()) return names;
  const auto test = api.get("/tests/" + id);
  if (!test) return names;
  NamedTest named = named_test(test->root(), link_name(test->root(), "scenario"));
  if (const std::string parent = text_at(test->root(), "parentTest"); !parent.empty())
    if (const auto found = api.get("/tests/" + parent)) name_variant(named, named_test(found->root(), ""));
  names.tests.emplace(id, std::move(named));
  if (const std::string run = link_id(result, "run"); !run.empty())
    if (const auto found = api.get("/runs/" + run)) place_tests(found->root(), names);
  return names;
}

Expected<Report> stored_report(Api& api, const std::vector<std::string>& runs, const StoredOptions& options) {
  Report report;
  NameBook names = options.names == nullptr ? NameBook{} : *options.names;
  Time ended{};
  for (const std::string& id : runs) {
    TRY(run, api.get("/runs/" + id));
    const json::Value root = run.root();
    TRY_DONE(read_test_names(api, link_id(root, "scenario"), names));
    if (options.names == nullptr) place_tests(root, names);
    report.runs.push_back(run_row(root));
    if (const auto metadata = json::given(root, "metadata"); metadata && report.project.empty())
      report.project = text_at(*metadata, "project");
    if (report.project.empty()) report.project = link_name(root, "scenario");
    const std::string started = text_at(root, "createdAt");
    if (report.started_at.empty() || started < report.started_at) report.started_at = started;
    TRY_DONE(read_results(api, id, names, options.keeps_transcripts, ended, report));
  }
  const auto started = time_from_text(report.started_at);
  if (started && ended.ms > started->ms) report.seconds = static_cast<double>(ended.ms - started->ms) / 1000;
  return report;
}

Expected<std::vector<RunsOfProject>> by_project(Api& api, const std::vector<std::string>& runs) {
  std::vector<RunsOfProject> parts;
  for (const std::string& id : runs) {
    TRY(run, api.get("/runs/" + id));
    const auto metadata = json::given(run.root(), "metadata");
    const std::string project = metadata ? text_at(*metadata, "project") : "";
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const RunsOfProject& each) { return each.project == project; });
    if (part == parts.end()) part = parts.insert(parts.end(), {project, {}});
    part->runs.push_back(id);
  }
  return parts;
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

Expected<std::vector<std::string>> runs_of_group(Api& api, const std::string& run) {
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
