#include <fmt/format.h>

#include "client/commands/families.hpp"
#include "client/commands/gate_options.hpp"
#include "client/gate/comparison.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/case_lines.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/tables.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// Reads one side of the comparison: a report file, or runs of the server.
Expected<Report> side_of(std::optional<OpenSession>& open, const Invocation& call, const std::string& name) {
  if (is_report_file(name)) return report_in_file(name);
  if (!open) {
    TRY(opened, open_session(call));
    open = std::move(opened);
  }
  TRY(runs, runs_named(*open->api, name));
  return stored_report(*open->api, runs);
}

std::string comparison_text(const ComparedRun& compared, const Terminal& terminal) {
  const Paint paint(terminal);
  std::string out;
  std::size_t unchanged = 0;
  for (const std::string_view change : {"regressed", "fixed", "undecided", "unchanged"}) {
    for (const ComparedTest& each : compared.tests) {
      if (each.change != change) continue;
      if (change == "unchanged") {
        ++unchanged;
        continue;
      }
      std::string word = padded(change, 10);
      if (change == "regressed") word = paint.red(word);
      if (change == "fixed") word = paint.green(word);
      if (change == "undecided") word = paint.yellow(word);
      out += fmt::format(" {} {}  {}/{} -> {}/{}  p {:.2g}", word, one_line(each.name), each.passed_before,
                         each.decided_before, each.passed_after, each.decided_after, each.p);
      if (each.further_repetitions)
        out += fmt::format("  {} more repetitions would decide", *each.further_repetitions);
      out += "\n";
    }
  }
  for (const std::string& each : compared.played_less) out += " played less  " + one_line(each) + "\n";
  out += counted(static_cast<std::int64_t>(compared.tests.size()), "test", "tests") +
         fmt::format(" compared, {} unchanged\n", unchanged);
  return for_terminal(out, terminal);
}

std::string comparison_json(const ComparedRun& compared) {
  json::Writer out;
  out.begin_object().key("tests").begin_array();
  for (const ComparedTest& each : compared.tests) {
    out.begin_object().member("name", each.name).member("change", each.change);
    out.key("passedBefore").integer(each.passed_before).key("decidedBefore").integer(each.decided_before);
    out.key("passedAfter")
        .integer(each.passed_after)
        .key("decidedAfter")
        .integer(each.decided_after)
        .key("p")
        .number(each.p);
    out.key("furtherRepetitions");
    if (each.further_repetitions) {
      out.integer(*each.further_repetitions);
    } else {
      out.null();
    }
    out.end_object();
  }
  out.end_array().key("playedLess").begin_array();
  for (const std::string& each : compared.played_less) out.string(each);
  out.end_array().end_object();
  return std::move(out).text();
}

/// Returns the number of equal entries at the beginning of both conversations.
std::size_t shared_entries(const ResultRow& a, const ResultRow& b) {
  const std::size_t shortest = std::min(a.transcript.size(), b.transcript.size());
  std::size_t at = 0;
  while (at < shortest && a.transcript[at].role == b.transcript[at].role &&
         saying_of(a.transcript[at]) == saying_of(b.transcript[at]))
    ++at;
  return at;
}

bool is_same(const ResultRow& a, const ResultRow& b) {
  const std::size_t shared = shared_entries(a, b);
  return shared == a.transcript.size() && shared == b.transcript.size();
}

/// Describes the first turn in which two conversations differ, with the messages of both sides.
std::string divergence(const ResultRow& a, const ResultRow& b, const Terminal& terminal) {
  if (is_same(a, b)) return "the conversations are the same\n";
  const std::size_t at = shared_entries(a, b);
  const Paint paint(terminal);
  const auto line = [&](const ResultRow& row, std::string_view sign) {
    if (at >= row.transcript.size()) return std::string(sign) + " (the conversation has ended)\n";
    const EntryRow& entry = row.transcript[at];
    return fmt::format("{} turn {}  {}  {}\n", sign, entry.turn, speaker_of(entry, row), saying_of(entry));
  };
  return for_terminal(fmt::format("the first {} entries are the same\n", at) + paint.red(line(a, "-")) +
                          paint.green(line(b, "+")),
                      terminal);
}

void write_entry(json::Writer& out, const ResultRow& row, std::size_t at) {
  if (at >= row.transcript.size()) {
    out.null();
    return;
  }
  const EntryRow& entry = row.transcript[at];
  out.begin_object().member("id", entry.id).member("type", entry.type).member("role", entry.role);
  out.member("text", entry.text).key("turn").integer(entry.turn).end_object();
}

/// The comparison for programs: both results as the report writes them, and the first entries that differ.
std::string results_json(const ResultRow& a, const ResultRow& b) {
  const std::size_t at = shared_entries(a, b);
  json::Writer out;
  out.begin_object().key("results").begin_array().raw(result_line(a)).raw(result_line(b)).end_array();
  out.key("same").boolean(is_same(a, b)).key("sharedEntries").integer(static_cast<std::int64_t>(at));
  out.key("divergence");
  if (is_same(a, b)) {
    out.null();
  } else {
    out.begin_array();
    write_entry(out, a, at);
    write_entry(out, b, at);
    out.end_array();
  }
  out.end_object();
  return std::move(out).text();
}

int compare_results(const Invocation& call, Api& api, const Terminal& terminal) {
  std::vector<ResultRow> rows;
  for (const std::string& each : call.arguments()) {
    const auto id = result_id_of(api, each);
    if (!id) return failed(call, id.problem());
    const auto whole = api.get("/test-results/" + *id);
    if (!whole) return failed(call, whole.problem());
    rows.push_back(read_result(whole->root(), names_of_result(api, whole->root()), {1, true}).row);
  }
  if (call.has("json")) return done_or_failed(call, print_members(call, results_json(rows[0], rows[1])));
  std::string out;
  for (const ResultRow& each : rows)
    out += fmt::format("{}  {}  score {}  {}  {}\n", each.id, word_of(each.state), each.score,
                       counted(each.turns, "turn", "turns"), one_line(label_of(each)));
  write_text(1, out + divergence(rows[0], rows[1], terminal));
  return exit_done;
}

}  // namespace

int compare_verb(const Invocation& call) {
  if (call.arguments().size() != 2)
    return wrong_use(call, "two runs or two results are needed: parley compare A B");
  const auto wish = color_of(call);
  if (!wish) return wrong_use(call, wish.problem().detail);
  const Terminal terminal = terminal_of(1, call.around().environment, *wish);
  std::optional<OpenSession> open;
  const auto before = side_of(open, call, call.arguments()[0]);
  if (!before) {
    // No run has this name, but a result may have it.
    if (before.problem().kind == ProblemKind::not_found && open)
      return compare_results(call, *open->api, terminal);
    return failed(call, before.problem());
  }
  const auto after = side_of(open, call, call.arguments()[1]);
  if (!after) return failed(call, after.problem());
  const ComparedRun compared = compare_reports(*before, *after, call.arguments()[0]);
  if (call.has("json")) return done_or_failed(call, print_members(call, comparison_json(compared)));
  write_text(1, comparison_text(compared, terminal));
  return exit_done;
}

}  // namespace parley::client
