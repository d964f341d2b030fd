#include <map>

#include "client/commands/families.hpp"
#include "client/commands/gate_options.hpp"
#include "client/commands/record_export.hpp"
#include "client/commands/reporting.hpp"
#include "client/gate/exit_code.hpp"
#include "client/gate/gate_rules.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// Joins the reports of the files. Problem: a result is in two of them, and would count twice.
Expected<Report> joined_report(const std::vector<std::string>& files) {
  Report report;
  std::map<std::string, std::string> file_of;  // by the id of a result
  std::size_t known = 0;
  for (const std::string& file : files) {
    TRY(joined, report_in_file(file, std::move(report)));
    report = std::move(joined);
    for (; known < report.results.size(); ++known) {
      const std::string& id = report.results[known].id;
      const auto [first, is_new] = file_of.emplace(id, file);
      if (!is_new && !id.empty())
        return problem(ProblemKind::invalid_parameter, file + ": the result " + id + " is also in " +
                                                           first->second + ": give each report once");
    }
  }
  return report;
}

std::string verdict_text(const GateVerdict& verdict, const Report& report, bool explains) {
  std::string text = decision_sentence(report) + "\n" + sentence_of(report) + "\n";
  for (const RuleOutcome& each : verdict.rules) {
    if (each.holds && !explains) continue;
    text += std::string(each.holds    ? "  holds: "
                        : each.is_red ? "  red: "
                                      : "  open: ") +
            one_line(each.sentence) + "\n";
    for (const std::string& line : each.details) text += "    " + one_line(line) + "\n";
  }
  for (const std::string& each : verdict.notes) text += "  note: " + one_line(each) + "\n";
  return text;
}

void print_json(const GateVerdict& verdict, const Report& report) {
  json::Writer out;
  out.begin_object()
      .member("decision", word_of(report.decision))
      .key("exit")
      .integer(report.exit)
      .key("rules")
      .begin_array();
  for (const RuleOutcome& each : verdict.rules) {
    out.begin_object()
        .key("holds")
        .boolean(each.holds)
        .key("red")
        .boolean(each.is_red)
        .member("sentence", each.sentence);
    out.key("details").begin_array();
    for (const std::string& line : each.details) out.string(line);
    out.end_array().end_object();
  }
  out.end_array().key("notes").begin_array();
  for (const std::string& each : verdict.notes) out.string(each);
  out.end_array().end_object();
  write_text(1, std::move(out).text() + "\n");
}

/// The document of a reporter; the HTML file is the server's.
Expected<std::string> exported(const Invocation& call, Api& api, const std::vector<std::string>& runs,
                               const Reporter& reporter, const std::string& form) {
  if (reporter.name == "html") return html_of_runs(api, runs);
  TRY(report, stored_report(api, runs));
  report.parley = call.around().version;
  set_decision(report, decide({&report, {}, {}}, {}));
  ReportOptions options;
  options.junit_dialect = call.value("junit-dialect", options.junit_dialect);
  if (const std::size_t colon = form.find(':'); colon != std::string::npos)
    options.variant = form.substr(colon + 1);
  return reporter.document(report, options);
}

}  // namespace

int gate_verb(const Invocation& call) {
  auto rules = gate_rules_of(call);
  if (!rules) return wrong_use(call, rules.problem().detail);
  std::vector<std::string> names = call.arguments();
  if (names.empty()) names.emplace_back("last");
  Report report;
  std::vector<ComparedRun> compared;
  const bool from_files = is_report_file(names.front());
  if (from_files) {
    auto joined = joined_report(names);
    if (!joined) return failed(call, joined.problem());
    report = std::move(joined).value();
  }
  std::optional<OpenSession> open;
  std::vector<std::string> runs;
  if (!from_files || (call.has("baseline") && !is_report_file(call.value("baseline")))) {
    auto opened = open_session(call);
    if (!opened) return failed(call, opened.problem());
    open = std::move(opened).value();
  }
  if (!from_files) {
    for (const std::string& each : names) {
      const auto run = run_id_of(*open->api, each);
      if (!run) return failed(call, run.problem());
      runs.push_back(*run);
    }
    if (call.has("group")) {
      auto found_runs = runs_of_group(*open->api, runs.front());
      if (!found_runs) return failed(call, found_runs.problem());
      runs = std::move(found_runs).value();
    }
    auto stored = stored_report(*open->api, runs);
    if (!stored) return failed(call, stored.problem());
    report = std::move(stored).value();
  }
  report.parley = call.around().version;
  if (call.has("baseline")) {
    auto found = compared_with(open ? open->api.get() : nullptr, report, runs, call.value("baseline"));
    if (!found) return failed(call, found.problem());
    compared = std::move(found).value();
  }
  const GateVerdict verdict = decide({&report, compared, {}}, *rules);
  set_decision(report, verdict);
  HtmlMaker html;
  if (!runs.empty()) html = [&] { return html_of_runs(*open->api, runs); };
  if (const auto written = write_reports(call, report, {}, html); !written)
    return failed(call, written.problem());
  if (call.has("json")) {
    print_json(verdict, report);
  } else if (call.count("quiet") < 2) {
    write_text(1, verdict_text(verdict, report, call.has("explain")));
  }
  return call.has("exit-zero") ? exit_done : report.exit;
}

int report_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the files are missing: parley report FILE.jsonl...");
  auto rules = gate_rules_of(call);
  if (!rules) return wrong_use(call, rules.problem().detail);
  auto report = joined_report(call.arguments());
  if (!report) return failed(call, report.problem());
  std::vector<ComparedRun> compared;
  if (call.has("baseline")) {
    auto found = compared_with(nullptr, *report, {}, call.value("baseline"));
    if (!found) return failed(call, found.problem());
    compared = std::move(found).value();
  }
  set_decision(*report, decide({&*report, compared, {}}, *rules));
  if (const auto written = write_reports(call, *report); !written) return failed(call, written.problem());
  if (!writes_to_stdout(call)) show_report(call, *report);
  return call.has("exit-zero") ? exit_done : report->exit;
}

int export_verb(const Invocation& call) {
  const std::string what = call.arguments().empty() ? "last" : call.arguments().front();
  const std::string form = call.value("format", "json");
  if (const convert::ExportFormat* format = other_format(what, form)) return export_as(call, what, *format);
  if (what == "tests" || what == "logs" || what == "agents" || what == "scenarios")
    return export_records(call, what, form);
  const Reporter* reporter = find_reporter(form.substr(0, form.find(':')));
  if (reporter == nullptr || reporter->document == nullptr)
    return wrong_use(
        call,
        "-f must be html, junit, json, jsonl, csv, csv:assertions, md, github, openai-jsonl or adk "
        "for a run; promptfoo-csv and yaml are for tests");
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  const auto run = run_id_of(*open->api, what);
  if (!run) return failed(call, run.problem());
  std::vector<std::string> runs{*run};
  if (call.has("group")) {
    auto found_runs = runs_of_group(*open->api, *run);
    if (!found_runs) return failed(call, found_runs.problem());
    runs = std::move(found_runs).value();
  }
  const auto text = exported(call, *open->api, runs, *reporter, form);
  if (!text) return failed(call, text.problem());
  return write_output(call, *text);
}

}  // namespace parley::client
