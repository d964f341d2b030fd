#include <fmt/format.h>

#include <algorithm>

#include "client/commands/families.hpp"
#include "client/commands/gate_options.hpp"
#include "client/gate/exit_code.hpp"
#include "client/gate/gate_rules.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/case_lines.hpp"
#include "client/screen/pager.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/tables.hpp"

namespace parley::client {
namespace {

/// Numbers the entries that assertions quote: from 1, in the order of the conversation.
std::map<std::string, std::size_t> marks_of(const ResultRow& row) {
  std::map<std::string, std::size_t> marks;
  for (const EntryRow& entry : row.transcript) {
    for (const AssertionRow& assertion : row.assertions) {
      const bool is_quoted = std::find(assertion.evidence.begin(), assertion.evidence.end(), entry.id) !=
                             assertion.evidence.end();
      if (is_quoted && assertion.status != "passed") marks.try_emplace(entry.id, marks.size() + 1);
    }
  }
  return marks;
}

std::string assertion_line(const AssertionRow& assertion, const std::map<std::string, std::size_t>& marks,
                           const Paint& paint) {
  const std::string status = assertion.status == "passed"   ? paint.green("passed")
                             : assertion.status == "failed" ? paint.red("failed")
                                                            : paint.yellow(one_line(assertion.status));
  std::string line = fmt::format("  {} {} \"{}\": {}", status, word_of(assertion.level),
                                 one_line(assertion.name.empty() ? assertion.type : assertion.name),
                                 one_line(assertion.reason));
  for (const std::string& each : assertion.evidence)
    if (const auto mark = marks.find(each); mark != marks.end()) line += fmt::format(" ▌{}", mark->second);
  return line + "\n";
}

/// Escapes a text and guards each of its lines.
std::string guarded_block(const std::string& text, const Terminal& terminal) {
  return std::string(guard_of(terminal)) + hanging_lines(several_lines(text), terminal, 0);
}

std::string result_text(const Invocation& call, const ResultRow& row, const json::Value& whole,
                        const Terminal& terminal) {
  const Paint paint(terminal);
  const auto marks = marks_of(row);
  std::string out = paint.bold(one_line(label_of(row) + " · " + row.agent)) + "  " +
                    std::string(row.state == CaseState::missing ? "live" : word_of(row.state)) +
                    fmt::format("  score {}  {}  {}", row.score, counted(row.turns, "turn", "turns"),
                                duration_words(row.seconds));
  if (row.usd > 0) out += "  " + money(row.usd);
  out += "\n" + paint.dim(row.id) + "\n\n";
  const std::string only = call.value("turn");
  for (const EntryRow& each : row.transcript) {
    if (!only.empty() && std::to_string(each.turn) != only) continue;
    if (!call.has("all") && (each.type == "internal-event" || each.type == "public-event")) continue;
    const auto mark = marks.find(each.id);
    const std::string sign =
        mark == marks.end() ? "   " : paint.inverse(fmt::format("▌{}", mark->second)) + " ";
    const std::string said = each.type == "message" ? several_lines(each.text) : saying_of(each);
    out +=
        fmt::format("{}turn {:<3} {} {}\n", sign, each.turn,
                    padded(speaker_of(each, row), 15, terminal.is_utf8), hanging_lines(said, terminal, 28));
    if (call.has("all") && each.metadata != "{}")
      out += std::string(28, ' ') + paint.dim(one_line(each.metadata)) + "\n";
  }
  out += "\n";
  if (row.fault) out += "  " + paint.yellow("fault") + " " + one_line(why(row)) + "\n";
  for (const AssertionRow& each : row.assertions) out += assertion_line(each, marks, paint);
  for (const WarningRow& each : row.warnings)
    out += "  " + paint.yellow("warning") + " " + one_line(each.detail) + "\n";
  const auto metadata = json::given(whole, "metadata");
  if (const std::string errors = metadata ? text_at(*metadata, "stderr") : ""; !errors.empty())
    out += "\nstandard error of the agent:\n" + guarded_block(errors, terminal) + "\n";
  return for_terminal(out, terminal);
}

std::string pager_of(const Invocation& call) {
  return call.variable("PAGER").value_or("");
}

int show_result(const Invocation& call, Api& api, const std::string& id, const Terminal& terminal) {
  const auto whole = api.get("/test-results/" + id);
  if (!whole) return failed(call, whole.problem());
  const ReadResult read = read_result(whole->root(), names_of_result(api, whole->root()), {1, true});
  const std::string turn = call.value("turn");
  const bool has_turn = std::any_of(read.row.transcript.begin(), read.row.transcript.end(),
                                    [&](const EntryRow& each) { return std::to_string(each.turn) == turn; });
  if (!turn.empty() && !has_turn) return wrong_use(call, "the result has no turn " + turn);
  if (call.has("json")) return done_or_failed(call, print_members(call, result_line(read.row)));
  write_paged(terminal, pager_of(call), result_text(call, read.row, whole->root(), terminal));
  return exit_done;
}

int show_runs(const Invocation& call, Api& api, const std::vector<std::string>& ids,
              const Terminal& terminal) {
  if (call.has("turn")) return wrong_use(call, "--turn needs a result, and this is a run");
  auto report = stored_report(api, ids);
  if (!report) return failed(call, report.problem());
  report->parley = call.around().version;
  const auto rules = rules_of_stored(api, ids.front());
  if (!rules) return failed(call, rules.problem());
  set_decision(*report, decide({&*report, {}, {}}, *rules));
  if (call.has("json")) return done_or_failed(call, print_members(call, report_document(*report)));
  const Paint paint(terminal);
  constexpr auto own = ServerPreference::last_login;
  const LineStyle style{terminal, terminal.columns, rules->per_test, distinct_id_length(report->results),
                        connection_words(call, own, own)};
  std::string out;
  for (const RunRow& each : report->runs)
    out += paint.bold(one_line(each.scenario + " · " + each.agent)) + "  " + each.status + "  " +
           paint.dim(each.id) + "\n";
  for (const Group& each : groups_of(report->results)) out += group_lines(each, style);
  out += sentence_of(*report) + "\n";
  write_paged(terminal, pager_of(call), for_terminal(out, terminal));
  return exit_done;
}

/// Finds a test by its key, its name, its id or the beginning of its id.
Expected<std::string> test_id_of(Api& api, const std::string& name) {
  std::string found;
  TRY_DONE(api.each_row("/tests/?", 200, [&](const json::Value& row) {
    if (text_at(row, "key") == name || text_at(row, "name") == name || text_at(row, "id") == name ||
        (name.size() >= shown_id_length && text_at(row, "id").starts_with(name)))
      found = text_at(row, "id");
    return found.empty();
  }));
  if (found.empty())
    return problem(ProblemKind::not_found, "there is no run, result or test \"" + name + "\"" + api.where);
  return found;
}

int show_test(const Invocation& call, Api& api, const std::string& id, const Terminal& terminal) {
  const auto test = api.get("/tests/" + id);
  if (!test) return failed(call, test.problem());
  const json::Value root = test->root();
  if (call.has("json")) return done_or_failed(call, print_members(call, root.compact().text));
  const Paint paint(terminal);
  std::string instruction = text_at(root, "instruction");
  while (instruction.ends_with('\n')) instruction.pop_back();
  std::string out = paint.bold(one_line(text_at(root, "name"))) + "  " + paint.dim(id) + "\n\n" +
                    guarded_block(instruction, terminal) + "\n\n";
  if (const auto assertions = json::given(root, "assertions")) {
    for (const json::Value& each : assertions->children()) {
      const auto level = level_of_severity(text_at(each, "severity"));
      const auto config = json::given(each, "config");
      out += fmt::format("  {} {} {}\n", word_of(level), one_line(text_at(each, "type")),
                         one_line(text_at(each, "criteria") + (config ? config->compact().text : "")));
    }
  }
  write_paged(terminal, pager_of(call), for_terminal(out, terminal));
  return exit_done;
}

}  // namespace

int show_verb(const Invocation& call) {
  const auto wish = color_of(call);
  if (!wish) return wrong_use(call, wish.problem().detail);
  const Terminal terminal = terminal_of(1, call.around().environment, *wish);
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const std::string name = call.arguments().empty() ? "last" : call.arguments().front();
  const auto runs = runs_named(api, name);
  if (runs) {
    // A full id is accepted without a lookup in the list of runs, so it may be the id of a result.
    if (api.get("/runs/" + runs->front())) return show_runs(call, api, *runs, terminal);
  } else if (runs.problem().kind != ProblemKind::not_found || name.starts_with("last") ||
             name == "baseline") {
    return failed(call, runs.problem());
  }
  const auto result = result_id_of(api, name);
  if (result && api.get("/test-results/" + *result)) return show_result(call, api, *result, terminal);
  if (!result && result.problem().kind != ProblemKind::not_found) return failed(call, result.problem());
  const auto test = test_id_of(api, name);
  if (!test) return failed(call, test.problem());
  return show_test(call, api, *test, terminal);
}

}  // namespace parley::client
