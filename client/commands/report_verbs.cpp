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
#include "client/run/shards.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// Joins the reports in the files, and notes what they lack. Problem: two files contain the same result, which would
/// count twice.
Expected<Report> joined_report(const std::vector<std::string>& files, const GateRules& rules) {
  Report report;
  std::size_t unnamed = 0;                     // reports without runs that do not name their shard
  std::map<std::string, std::string> file_of;  // by the id of a result
  std::size_t known = 0;
  for (const std::string& file : files) {
    const std::size_t known_runs = report.runs.size();
    const std::size_t known_parts = report.empty_parts.size();
    TRY(joined, report_in_file(file, std::move(report)));
    report = std::move(joined);
    if (report.runs.size() == known_runs && report.results.size() == known &&
        report.empty_parts.size() == known_parts)
      ++unnamed;
    for (; known < report.results.size(); ++known) {
      const std::string& id = report.results[known].id;
      const auto [first, is_new] = file_of.emplace(id, file);
      if (!is_new && !id.empty())
        return problem(ProblemKind::invalid_parameter, file + ": the result " + id + " is also in " +
                                                           first->second + ": give each report once");
    }
  }
  if (std::string absent = absent_shards(report, unnamed); !absent.empty() && !rules.allows_missing)
    report.gaps.push_back(std::move(absent));
  return report;
}

/// Checks whether the requested reports can be written. None may replace a file that is read.
Expected<Done> check_reports(const Invocation& call, std::vector<std::string> files) {
  for (std::string& each : files)
    if (each.starts_with("@")) each.erase(0, 1);
  TRY(choices, reporter_choices(call));
  return check_report_files(call, choices, files);
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
    if (!each.holds && !each.command.empty()) text += "    to decide: " + each.command + "\n";
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
    out.end_array().member("command", each.command).end_object();
  }
  out.end_array().key("notes").begin_array();
  for (const std::string& each : verdict.notes) out.string(each);
  out.end_array().end_object();
  write_text(1, std::move(out).text() + "\n");
}

/// Returns the runs with these names. With --group, returns all runs of the group of the first run.
Expected<std::vector<std::string>> chosen_runs(const Invocation& call, Api& api,
                                               const std::vector<std::string>& names) {
  std::vector<std::string> runs;
  for (const std::string& each : names) {
    TRY(named, runs_named(api, each));
    runs.insert(runs.end(), named.begin(), named.end());
  }
  if (call.has("group")) return runs_of_group(api, runs.front());
  return runs;
}

/// Returns the document that the reporter writes. The server makes the HTML file.
Expected<std::string> exported(const Invocation& call, Api& api, const std::vector<std::string>& runs,
                               const Reporter& reporter, const std::string& form) {
  if (reporter.name == "html") return html_of_runs(api, runs);
  TRY(parts, by_project(api, runs));
  Report report;
  for (const RunsOfProject& part : parts) {
    TRY(rules, rules_of_stored(api, part.runs.front()));
    TRY(one, stored_report(api, part.runs));
    set_decision(one, decide({&one, {}, {}}, rules));
    if (parts.size() == 1)
      report = std::move(one);
    else
      join(report, one);
  }
  if (parts.size() > 1) report.exit = exit_code_of(report.decision);
  report.parley = call.around().version;
  ReportOptions options;
  options.junit_dialect = call.value("junit-dialect", options.junit_dialect);
  if (const std::size_t colon = form.find(':'); colon != std::string::npos)
    options.variant = form.substr(colon + 1);
  return reporter.document(report, options);
}

/// A report with the verdict of the gate.
struct Decided {
  Report report;
  GateVerdict verdict;
};

/// Decides the results of one suite. `runs` are their runs on the server; empty for report files.
Expected<Decided> decided(Api* api, Report report, const std::vector<std::string>& runs,
                          const GateRules& rules) {
  std::vector<ComparedRun> compared;
  if (!rules.baseline.empty()) {
    auto found = compared_with(api, report, runs, rules.baseline);
    if (!found) return problem(found.problem().kind, "baseline: " + found.problem().detail);
    compared = std::move(found).value();
  }
  GateVerdict verdict = decide({&report, compared, {}}, rules);
  set_decision(report, verdict);
  return Decided{std::move(report), std::move(verdict)};
}

/// Adds the decision about another suite.
void join(Decided& all, Decided one) {
  const std::string before = one.report.project + ": ";
  for (RuleOutcome& each : one.verdict.rules) {
    each.sentence.insert(0, before);
    all.verdict.rules.push_back(std::move(each));
  }
  for (const std::string& each : one.verdict.notes) all.verdict.notes.push_back(before + each);
  join(all.report, one.report);
  all.verdict.decision = all.report.decision;
  all.report.exit = exit_code_of(all.report.decision);
}

Expected<GateRules> stored_rules_and_options(const Invocation& call, Api& api, const std::string& run) {
  if (call.has("no-gate")) return gate_rules_of(call);
  TRY(rules, rules_of_stored(api, run));
  return gate_rules_of(call, rules);
}

/// Decides the runs of each suite by the rules with which the suite was played.
Expected<Decided> decided_runs(const Invocation& call, Api& api, const std::vector<std::string>& runs) {
  TRY(parts, by_project(api, runs));
  Decided all;
  for (const RunsOfProject& part : parts) {
    TRY(rules, stored_rules_and_options(call, api, part.runs.front()));
    TRY(report, stored_report(api, part.runs));
    TRY(one, decided(&api, std::move(report), part.runs, rules));
    if (parts.size() == 1) return one;
    join(all, std::move(one));
  }
  return all;
}

Expected<Decided> decided_files(const std::vector<std::string>& files, Api* api, const GateRules& rules) {
  TRY(report, joined_report(files, rules));
  TRY(outcome, decided(api, std::move(report), {}, rules));
  // The server may not have the runs of report files.
  for (RuleOutcome& each : outcome.verdict.rules) each.command.clear();
  return outcome;
}

/// Writes the reports and the verdict, and returns the exit code.
int show_verdict(const Invocation& call, const GateVerdict& verdict, const Report& report, Api* api,
                 const std::vector<std::string>& runs) {
  HtmlMaker html;
  if (!runs.empty()) html = [&] { return html_of_runs(*api, runs); };
  if (const auto written = write_reports(call, report, {}, html); !written)
    return failed(call, written.problem());
  if (call.has("json")) {
    print_json(verdict, report);
  } else if (call.count("quiet") < 2) {
    write_text(1, verdict_text(verdict, report, call.has("explain")));
  }
  return call.has("exit-zero") ? exit_done : report.exit;
}

}  // namespace

int gate_verb(const Invocation& call) {
  auto rules = gate_rules_of(call);
  if (!rules) return wrong_use(call, rules.problem().detail);
  std::vector<std::string> names = call.arguments();
  if (names.empty()) names.emplace_back("last");
  const bool from_files = is_report_file(names.front());
  if (const auto checked = check_reports(call, from_files ? names : std::vector<std::string>{}); !checked)
    return wrong_use(call, checked.problem().detail);
  std::optional<OpenSession> open;
  if (!from_files || (!rules->baseline.empty() && !is_report_file(rules->baseline))) {
    auto opened = open_session(call);
    if (!opened) return failed(call, opened.problem());
    open = std::move(opened).value();
  }
  std::vector<std::string> runs;
  if (!from_files) {
    auto chosen = chosen_runs(call, *open->api, names);
    if (!chosen) return failed(call, chosen.problem());
    runs = std::move(chosen).value();
  }
  Api* const api = open ? open->api.get() : nullptr;
  auto outcome = from_files ? decided_files(names, api, *rules) : decided_runs(call, *api, runs);
  if (!outcome) return failed(call, outcome.problem());
  outcome->report.parley = call.around().version;
  for (RuleOutcome& each : outcome->verdict.rules) {
    if (each.command.empty()) continue;
    const bool plays = each.command.starts_with("parley run");
    each.command += connection_words(call, ServerPreference::last_login,
                                     plays ? ServerPreference::local : ServerPreference::last_login);
  }
  return show_verdict(call, outcome->verdict, outcome->report, api, runs);
}

int report_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the files are missing: parley report FILE.jsonl...");
  auto rules = gate_rules_of(call);
  if (!rules) return wrong_use(call, rules.problem().detail);
  if (const auto checked = check_reports(call, call.arguments()); !checked)
    return wrong_use(call, checked.problem().detail);
  auto report = joined_report(call.arguments(), *rules);
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
  const auto runs = chosen_runs(call, *open->api, {what});
  if (!runs) return failed(call, runs.problem());
  const auto text = exported(call, *open->api, *runs, *reporter, form);
  if (!text) return failed(call, text.problem());
  return write_output(call, *text);
}

}  // namespace parley::client
