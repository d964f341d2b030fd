#include "client/commands/record_export.hpp"

#include <algorithm>
#include <set>

#include "client/commands/reporting.hpp"
#include "client/gate/exit_code.hpp"
#include "client/report/report_json.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "convert/output_files.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

constexpr std::size_t rows_of_page = 100;

/// Reads a record with its conversation into the tree type of the importers.
Expected<convert::Node> node_of(Api& api, const std::string& path) {
  TRY(record, api.get(path));
  convert::Faults faults;
  const convert::Source source{path, std::string(record.root().raw())};
  auto node = convert::parse_json(source, faults);
  if (!node) return problem(ProblemKind::internal, faults.text());
  return std::move(*node);
}

/// Exports every record of the list. Each record is read with a separate call.
Expected<Done> each_record(Api& api, const std::string& list, const std::string& folder,
                           convert::Exporter& exporter) {
  std::vector<std::string> ids;
  TRY_DONE(api.each_row(list, rows_of_page, [&](const json::Value& row) {
    ids.push_back(text_at(row, "id"));
    return true;
  }));
  for (const std::string& id : ids) {
    TRY(record, node_of(api, folder + uri_escaped(id)));
    exporter.add(record);
  }
  return Done{};
}

/// Ids without duplicates, in the order of their first mention.
using Ids = std::vector<std::string>;
void add_id(Ids& ids, std::string id) {
  if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
}

Expected<Done> add_ids(Api& api, const std::string& list, Ids& ids) {
  return api.each_row(list, rows_of_page, [&](const json::Value& row) {
    add_id(ids, text_at(row, "id"));
    return true;
  });
}

/// Returns the id of a linked record; empty if there is no link.
std::string linked_id(const convert::Node& record, std::string_view link) {
  const convert::Node* found = record.find(link);
  return found == nullptr ? "" : found->text_of("id");
}

Expected<Done> add_context(Api& api, const std::string& list, const std::string& folder, const Ids& ids,
                           convert::Exporter& exporter) {
  for (const std::string& id : ids) {
    TRY(record, node_of(api, folder + uri_escaped(id)));
    exporter.add_context(list, record);
  }
  return Done{};
}

/// The tests of one project, or the tests without a project, and the scenarios that contain them.
struct SuiteRecordIds {
  std::string project;
  Ids tests;
  Ids scenarios;
};

Expected<SuiteRecordIds> suite_records(Api& api, const std::optional<std::string>& wanted) {
  SuiteRecordIds found;
  std::set<std::string> projects;
  TRY_DONE(api.each_row("/tests/?sortOrder=asc", rows_of_page, [&](const json::Value& row) {
    found.project = text_at(row, "project");
    if (wanted && found.project != *wanted) return true;
    projects.insert(found.project);
    found.tests.push_back(text_at(row, "id"));
    add_id(found.scenarios, link_id(row, "scenario"));
    return true;
  }));
  if (found.tests.empty() && wanted && wanted->empty())
    return problem(ProblemKind::not_found, "there are no tests without a project");
  if (found.tests.empty())
    return problem(ProblemKind::not_found,
                   wanted ? "there are no tests of the project \"" + *wanted + "\"" : "there are no tests");
  if (projects.size() > 1) {
    std::string names;
    for (const std::string& each : projects) names += (names.empty() ? "\"" : ", \"") + each + "\"";
    return problem(
        ProblemKind::invalid_parameter,
        "a suite file has one project, and the tests are of several: add --suite with one of " + names);
  }
  found.project = *projects.begin();
  return found;
}

Expected<Done> read_suite(Api& api, const std::optional<std::string>& wanted, convert::Exporter& exporter) {
  TRY(found, suite_records(api, wanted));
  const std::string of_project = "?sortOrder=asc&project=" + uri_escaped(found.project);
  Ids agents;
  Ids personas;
  if (!found.project.empty()) {
    TRY_DONE(add_ids(api, "/agents/" + of_project, agents));
    TRY_DONE(add_ids(api, "/personalities/" + of_project, personas));
  }
  Ids configurations;
  for (const std::string& id : found.scenarios) {
    TRY(scenario, node_of(api, "/scenarios/" + uri_escaped(id)));
    add_id(configurations, linked_id(scenario, "configuration"));
    for (const convert::Node& each : scenario.list_of("agents")) add_id(agents, each.text_of("id"));
    exporter.add_context("scenarios", scenario);
  }
  if (agents.empty()) TRY_DONE(add_ids(api, "/agents/?sortOrder=asc", agents));
  TRY_DONE(add_context(api, "agents", "/agents/", agents, exporter));
  TRY_DONE(add_context(api, "personalities", "/personalities/", personas, exporter));
  TRY_DONE(add_context(api, "configurations", "/scenario-configurations/", configurations, exporter));
  for (const std::string& id : found.tests) {
    TRY(test, node_of(api, "/tests/" + uri_escaped(id)));
    exporter.add(test);
  }
  return Done{};
}

Expected<Done> read_records(Api& api, const std::string& what, convert::Exporter& exporter) {
  if (what == "logs")
    return each_record(api, "/external-conversation-logs/?sortOrder=asc", "/external-conversation-logs/",
                       exporter);
  if (what == "tests") return each_record(api, "/tests/?sortOrder=asc", "/tests/", exporter);
  TRY(runs, runs_named(api, what));
  for (const std::string& run : runs) {
    TRY_DONE(each_record(api, "/runs/" + run + "/test-results?sortOrder=asc", "/test-results/", exporter));
  }
  return Done{};
}

}  // namespace

const convert::ExportFormat* other_format(std::string_view what, std::string_view form) {
  const convert::ExportFormat* format = convert::find_export_format(form);
  if (format == nullptr) return nullptr;
  const bool is_run = what != "logs" && what != "tests";
  // Runs are written as CSV and JSON Lines by the reporters.
  if (is_run && (form == "csv" || form == "jsonl")) return nullptr;
  const bool takes = what == "logs"    ? format->takes_logs
                     : what == "tests" ? format->takes_tests
                                       : format->takes_results;
  return takes ? format : nullptr;
}

int export_as(const Invocation& call, const std::string& what, const convert::ExportFormat& format) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  convert::ExportReport report;
  const convert::ExportedKind kind = what == "logs"    ? convert::ExportedKind::logs
                                     : what == "tests" ? convert::ExportedKind::tests
                                                       : convert::ExportedKind::results;
  const auto exporter = format.make({kind, call.has("plain")}, report);
  const auto read = format.name == "yaml" ? read_suite(*open->api, call.find("suite"), *exporter)
                                          : read_records(*open->api, what, *exporter);
  if (!read) return failed(call, read.problem());
  const std::string text = exporter->finish();
  if (const int code = write_output(call, text); code != exit_done) return code;
  write_text(2, report.table_for_people());
  if (call.has("report")) {
    const std::string fault =
        convert::write_all({{convert::MadeFile::Kind::report, call.value("report"), report.lines()}}, true);
    if (!fault.empty()) return wrong_use(call, fault);
  }
  return exit_done;
}

}  // namespace parley::client
