#include "http/report/report_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "http/report/html_text.hpp"
#include "http/views/failure_of.hpp"
#include "scoring/statistics.hpp"

namespace parley::http {
namespace {

struct StateWord {
  char letter;
  std::string_view glyph;
  std::string_view word;
  std::string_view plural;
};
constexpr std::array state_words{
    StateWord{'p', "✓", "passed", "passed"},
    StateWord{'q', "✓*", "passed, but missed a MAJOR or MINOR assertion", "passed with a miss"},
    StateWord{'f', "✗", "failed", "failed"},
    StateWord{'u', "?", "undecided", "undecided"},
    StateWord{'a', "!", "agent fault", "agent faults"},
    StateWord{'t', "⚠", "tester fault", "tester faults"},
    StateWord{'j', "⚠", "judge fault", "judge faults"},
    StateWord{'i', "⚠", "infrastructure fault", "infrastructure faults"},
    StateWord{'c', "⚠", "client fault", "client faults"},
    StateWord{'e', "⚠", "test fault", "test faults"},
    StateWord{'v', "⊘", "invalid trial", "invalid trials"},
    StateWord{'r', "●", "running", "running"},
    StateWord{'w', "·", "waiting", "waiting"},
    StateWord{'h', "⏸", "a person or finish is awaited", "awaiting a person or finish"},
    StateWord{'k', "–", "canceled", "canceled"},
};

const StateWord& word_of_state(char letter) {
  const auto* found = std::find_if(state_words.begin(), state_words.end(),
                                   [&](const StateWord& each) { return each.letter == letter; });
  return found == state_words.end() ? state_words.back() : *found;
}

std::string bdi(std::string_view text) {
  return "<bdi dir=\"auto\">" + html_text(text) + "</bdi>";
}

template <class T>
Expected<std::string> name_at(const store::Snapshot& snapshot, const std::optional<Id>& id) {
  if (!id) return std::string("-");
  TRY(found, snapshot.find<T>(*id));
  return found && !found->name.empty() ? found->name : to_text(*id);
}

Expected<std::string> row_of(const ReportSource& source, const Cell& cell) {
  const CellRow& row = source.cells.rows[cell.row];
  TRY(test, name_at<Test>(source.snapshot, row.test));
  TRY(personality, name_at<Personality>(source.snapshot, row.personality));
  TRY(figures, figures_of(source.snapshot, cell));
  TRY(failure, failure_of(source.snapshot, *cell.head, cell.state));
  const StateWord& state = word_of_state(cell.state);
  const bool is_scored = std::string_view("pqfu").find(cell.state) != std::string_view::npos;
  std::string html = "<tr data-part=\"cell\" data-state=\"" + std::string(1, cell.state) + "\"";
  html += " data-id=\"" + to_text(cell.head->stamp.id) + "\">";
  html += "<td>" + bdi(test) + "</td><td>" + bdi(personality) + "</td>";
  html += "<td>" + std::to_string(cell.n) + "</td>";
  html += "<td class=\"s-" + std::string(1, cell.state) + "\"><span aria-hidden=\"true\">" +
          std::string(state.glyph) + "</span> " + std::string(state.word) + "</td>";
  html += "<td>" + (is_scored ? std::to_string(cell.head->score) : std::string("-")) + "</td>";
  html += "<td>" + std::to_string(figures.turns) + "</td>";
  html += "<td>" + (failure ? bdi(failure->reason) : std::string()) + "</td></tr>\n";
  return html;
}

/// The cells with failed and undecided results first.
std::vector<const Cell*> in_order(const RunCells& cells) {
  std::vector<const Cell*> order;
  for (const Cell& cell : cells.cells) order.push_back(&cell);
  const auto rank = [](const Cell* cell) { return std::string_view("faetjciuvhrwkqp").find(cell->state); };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Cell* a, const Cell* b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace

std::string outcome_sentence(const store::RunCounters& counters, const RunCells& cells) {
  std::string text = "No result is decided yet.";
  if (counters.decided() > 0) {
    const scoring::Rate rate =
        scoring::rate_of({counters.passed, counters.not_passed, counters.total() - counters.decided()});
    text =
        fmt::format("{} of {} decided passed, {:.0f} % ({:.0f}–{:.0f}).", counters.passed, counters.decided(),
                    100 * rate.value.value_or(0), 100 * rate.interval.low, 100 * rate.interval.high);
    if (counters.not_passed > 0) text += fmt::format(" {} did not.", counters.not_passed);
  }
  std::map<char, std::int64_t> counts;
  for (const Cell& cell : cells.cells) ++counts[cell.state];
  std::string others;
  for (const StateWord& each : state_words) {
    const bool is_counted = std::string_view("pqf").find(each.letter) != std::string_view::npos;
    const auto found = counts.find(each.letter);
    if (is_counted || found == counts.end()) continue;
    others += fmt::format("{}{} {}", others.empty() ? " " : ", ", found->second,
                          found->second == 1 ? each.word : each.plural);
  }
  return others.empty() ? text : text + others + ".";
}

Expected<std::string> report_table(const ReportSource& source) {
  TRY(counters, source.snapshot.run_counters(source.run.stamp.id));
  std::string html = "<h1>" + bdi(source.scenario) + " <small>" + bdi(source.agent) + "</small></h1>\n";
  html += "<p data-part=\"outcome\">" + html_text(outcome_sentence(counters, source.cells)) + "</p>\n";
  html += "<p class=\"muted\">Run " + to_text(source.run.stamp.id) + ", " +
          to_text(source.run.stamp.created_at()) + ", " + std::string(word_of(source.run.status)) + "</p>\n";
  html += "<table><caption>Results, those that did not pass first</caption>\n<thead><tr>";
  for (const std::string_view name :
       {"Test", "Personality", "Repetition", "Outcome", "Score", "Turns", "Reason"})
    html += "<th scope=\"col\">" + std::string(name) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const Cell* cell : in_order(source.cells)) {
    TRY(row, row_of(source, *cell));
    html += row;
  }
  return html + "</tbody></table>\n";
}

std::string_view report_table_style() {
  return R"(
:root { color-scheme: light dark; }
#report { --r-ground: #ffffff; --r-text: #1c2126; --r-muted: #59636e; --r-line: #d5d9de; --r-passed: #1a8460; --r-failed: #781217;
  --r-undecided: #6424b0; --r-agent: #946503; --r-fault: #192f5b; display: block; margin: 0 auto; max-width: 80rem; padding: 24px;
  background: var(--r-ground); color: var(--r-text); font: 14px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { html { background: #14171b; } #report { --r-ground: #14171b; --r-text: #e8ebee;
  --r-muted: #a3adb8; --r-line: #3a424b; --r-passed: #8fe9cb; --r-failed: #f27874; --r-undecided: #b49ad0; --r-agent: #ecbf5a;
  --r-fault: #3b8af8; } }
#report h1 { font-size: 20px; margin: 0 0 8px; } #report h1 small { color: var(--r-muted); font-weight: normal; }
#report p { margin: 0 0 8px; } #report .muted { color: var(--r-muted); }
#report table { border-collapse: collapse; width: 100%; margin-top: 16px; }
#report caption { text-align: start; color: var(--r-muted); padding-bottom: 4px; }
#report th, #report td { text-align: start; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--r-line);
  overflow-wrap: anywhere; }
#report thead th { position: sticky; top: 0; background: var(--r-ground); }
#report td:nth-child(3), #report td:nth-child(5), #report td:nth-child(6) { font-variant-numeric: tabular-nums; }
#report .s-p, #report .s-q { color: var(--r-passed); } #report .s-f { color: var(--r-failed); }
#report .s-u { color: var(--r-undecided); } #report .s-a { color: var(--r-agent); }
#report .s-t, #report .s-j, #report .s-i, #report .s-c, #report .s-e { color: var(--r-fault); }
@media print { #report { padding: 0; } #report thead th { position: static; } #report tr { break-inside: avoid; } }
)";
}

}  // namespace parley::http
