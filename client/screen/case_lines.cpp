#include "client/screen/case_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"

namespace parley::client {
namespace {

std::string short_id(const std::string& id, const LineStyle& style) {
  return id.substr(0, style.id_length);
}

std::string painted_word(std::string_view word, const Terminal& terminal) {
  const Paint paint(terminal);
  const std::string text = padded(word, 5);
  if (word == "PASS") return paint.green(text);
  if (word == "FAIL") return paint.red(text);
  return paint.yellow(text);
}

bool meets(const Counts& counts, const std::optional<Ratio>& per_test) {
  return per_test && counts.passed * per_test->second >= per_test->first * counts.cases;
}

std::string place_of(const Group& group) {
  return group.file.empty() ? "" : one_line(group.file) + ":" + std::to_string(group.line);
}

/// Returns score, turns, response time and cost of a group, as many of them as fit.
std::string figures_of(const Group& group, std::size_t room) {
  std::int64_t turns = 0;
  std::int64_t score = 0;
  double usd = 0;
  for (const ResultRow* each : group.results) {
    turns += each->turns;
    score += each->score;
    usd += each->usd;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(group.results.size(), 1));
  const auto mean = [&](std::int64_t sum) { return static_cast<double>(sum) / count; };
  std::vector<std::string> parts{fmt::format("{:>3.0f}", mean(score)),
                                 counted(std::llround(mean(turns)), "turn", "turns")};
  if (const auto p95 = p95_seconds(group.results)) parts.push_back("p95 " + duration_words(*p95));
  if (usd > 0) parts.push_back(money(usd));
  std::string text;
  for (const std::string& each : parts) {
    if (columns_of(text) + 2 + columns_of(each) > room) break;
    text += (text.empty() ? "" : "  ") + each;
  }
  return text;
}

struct FailedAssertion {
  const AssertionRow* assertion;
  const ResultRow* result;  ///< the first result that failed it
  std::int64_t count;
};

/// Returns the assertions that failed in the group, with musts first. Of undecided results, only musts are reported.
std::vector<FailedAssertion> failed_in(const Group& group) {
  std::vector<FailedAssertion> failed;
  for (const ResultRow* row : group.results) {
    const bool is_undecided = row->state == CaseState::undecided;
    if (row->state != CaseState::failed && !is_undecided) continue;
    for (const AssertionRow& each : row->assertions) {
      if (each.status != "failed" || (is_undecided && each.level != AssertionLevel::must)) continue;
      const auto known = std::find_if(failed.begin(), failed.end(), [&](const FailedAssertion& one) {
        return one.assertion->id == each.id && one.assertion->name == each.name;
      });
      if (known == failed.end()) {
        failed.push_back({&each, row, 1});
      } else {
        ++known->count;
      }
    }
  }
  std::stable_sort(failed.begin(), failed.end(), [](const FailedAssertion& a, const FailedAssertion& b) {
    return a.assertion->level < b.assertion->level;
  });
  return failed;
}

/// A longer reason is truncated to this many lines.
constexpr std::size_t reason_lines_max = 6;

/// Wraps the text between words, and indents all lines after the first by two more columns.
std::string indented(std::string_view text, std::size_t indent, const LineStyle& style) {
  const std::string_view guard = guard_of(style.terminal);
  const std::size_t margin = indent + 2 + guard.size();
  const std::size_t room = style.columns > margin + 20 ? style.columns - margin : 20;
  std::string out;
  for (std::size_t line = 0; !text.empty(); ++line) {
    std::size_t end = text.size();
    if (line + 1 < reason_lines_max && columns_of(text) > room) {
      const std::string_view whole = text.substr(0, fitted(text, room, style.terminal.is_utf8).size());
      const std::size_t blank = text.rfind(' ', whole.size());
      end = blank == std::string_view::npos || blank == 0 ? text.size() : blank;
      while (columns_of(text.substr(0, end)) > room && end > 0) {
        const std::size_t earlier = text.rfind(' ', end - 1);
        if (earlier == std::string_view::npos || earlier == 0) break;
        end = earlier;
      }
    }
    out += std::string(guard) + std::string(indent + (line == 0 ? 0 : 2), ' ') +
           fitted(text.substr(0, end), room, style.terminal.is_utf8) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Returns the evidence, and the command that shows the whole conversation: on one line if both fit, otherwise on
/// two.
std::string evidence_lines(const ResultRow& result, const AssertionRow& assertion, const LineStyle& style) {
  constexpr std::size_t indent = 9;
  const std::string head = std::string(guard_of(style.terminal)) + std::string(indent, ' ');
  const std::string show = "parley show " + short_id(result.id, style) + style.show_flags;
  const std::size_t room = style.columns > indent + 20 ? style.columns - indent : 20;
  LineStyle plain = style;
  plain.terminal.has_color = false;
  const std::size_t width = columns_of(evidence_line(result, assertion, plain, room));
  const std::string shown = style.can_show ? head + Paint(style.terminal).dim(show) + "\n" : "";
  if (width == 0) return shown;
  const std::string quoted = evidence_line(result, assertion, style, room);
  if (!style.can_show) return head + quoted + "\n";
  if (width + 3 + show.size() > room) return head + quoted + "\n" + shown;
  return head + quoted + "   " + Paint(style.terminal).dim(show) + "\n";
}

std::string failure_lines(const Group& group, const LineStyle& style) {
  std::string out;
  std::string shown;  // the last quote, which is not repeated if several assertions have the same evidence
  const auto cases = static_cast<std::int64_t>(group.results.size());
  for (const FailedAssertion& each : failed_in(group)) {
    const std::string& name = each.assertion->name.empty() ? each.assertion->type : each.assertion->name;
    const std::string often = cases > 1 ? fmt::format("{} of {}: ", each.count, cases) : "";
    out += indented(fmt::format("{} \"{}\": {}{}", word_of(each.assertion->level), one_line(name), often,
                                one_line(each.assertion->reason)),
                    7, style);
    const std::string evidence = evidence_lines(*each.result, *each.assertion, style);
    if (evidence != shown) out += evidence;
    shown = evidence;
  }
  return out;
}

const ResultRow* first_of(const Group& group, std::initializer_list<CaseState> states) {
  for (const ResultRow* each : group.results)
    if (std::find(states.begin(), states.end(), each->state) != states.end()) return each;
  return nullptr;
}

}  // namespace

std::string_view verdict_word(const Group& group, const LineStyle& style) {
  const Counts counts = group.counts();
  if (counts.failed > 0) return meets(counts, style.per_test) ? "FLAKY" : "FAIL";
  if (counts.passed == counts.cases) return "PASS";
  if (counts.faults > 0) return "ERROR";
  if (counts.undecided > 0) return "OPEN";
  return counts.canceled > 0 ? "STOP" : "LIVE";
}

std::string for_terminal(std::string text, const Terminal& terminal) {
  // The ASCII form of a quotation mark is a bracket, which may complete a command.
  return terminal.is_utf8 ? text : without_log_commands(in_ascii(text));
}

std::string_view guard_of(const Terminal& terminal) {
  return terminal.is_github ? "| " : "";
}

std::string hanging_lines(std::string_view text, const Terminal& terminal, std::size_t indent) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(guard_of(terminal)).append(indent, ' ');
  }
  return out;
}

std::string evidence_line(const ResultRow& result, const AssertionRow& assertion, const LineStyle& style,
                          std::size_t columns) {
  const EntryRow* entry = nullptr;
  for (const EntryRow& each : result.transcript)
    if (!assertion.evidence.empty() && each.id == assertion.evidence.front()) entry = &each;
  if (entry == nullptr) return "";
  const std::string head = fmt::format("turn {}  {}  ", entry->turn, fitted(speaker_of(*entry, result), 20));
  std::string said = saying_of(*entry);
  const std::size_t room = columns > columns_of(head) + 10 ? columns - columns_of(head) - 4 : 10;
  // Mark the longest words that the reason quotes and that the entry contains. Otherwise mark the entry itself.
  std::size_t begin = std::string::npos;
  std::size_t size = 0;
  const std::string reason = one_line(assertion.reason);
  for (std::size_t open = reason.find('"'); open != std::string::npos; open = reason.find('"', open + 1)) {
    const std::size_t close = reason.find('"', open + 1);
    if (close == std::string::npos) break;
    const std::string quoted = reason.substr(open + 1, close - open - 1);
    const std::size_t found = quoted.size() < 2 ? std::string::npos : said.find(quoted);
    if (found != std::string::npos && quoted.size() > size) {
      begin = found;
      size = quoted.size();
    }
  }
  const Paint paint(style.terminal);
  if (begin == std::string::npos || columns_of(said) > room) {
    said = fitted(said, room, style.terminal.is_utf8);
    begin = 0;
    size = said.size();
  }
  return head + said.substr(0, begin) + "▌" + paint.bold(said.substr(begin, size)) + "▐" +
         said.substr(begin + size);
}

std::string group_lines(const Group& group, const LineStyle& style) {
  const Counts counts = group.counts();
  const std::string_view word = verdict_word(group, style);
  const std::string label = one_line(group.label + " · " + group.agent);
  const std::size_t label_columns = std::clamp<std::size_t>(style.columns / 2, 24, 60);
  const std::string ratio = fmt::format("{}/{}", counts.passed, counts.cases);
  std::string line = " " + painted_word(word, style.terminal) + " " +
                     padded(label, label_columns, style.terminal.is_utf8) + " " +
                     fmt::format("{:>5}", ratio) + "  ";
  const std::size_t used = 7 + label_columns + 1 + std::max<std::size_t>(5, ratio.size()) + 2;
  const ResultRow* fault = first_of(group, {CaseState::fault, CaseState::undecided});
  const std::string place = word == "PASS" ? "" : place_of(group);
  const std::size_t room = style.columns > used ? style.columns - used : 0;
  const std::size_t place_columns = place.empty() ? 0 : columns_of(place) + 2;
  const std::string rest = figures_of(group, room > place_columns ? room - place_columns : 0);
  line += rest;
  if (!place.empty()) line += (rest.empty() ? "" : "  ") + Paint(style.terminal).dim(place);
  while (line.ends_with(' ')) line.pop_back();
  line = std::string(word == "PASS" ? "" : guard_of(style.terminal)) + line + "\n";
  line += failure_lines(group, style);
  if (fault != nullptr) {
    const std::string excuse = fault->state == CaseState::fault ? " (no failure of an answer)" : "";
    const std::string reason = fault->state == CaseState::undecided ? why_open(*fault) : why(*fault);
    line += indented(one_line(reason) + excuse, 7, style);
  }
  for (const WarningRow& each : warnings_of_passed(group))
    line += indented("warning: " + one_line(each.detail), 7, style);
  return for_terminal(line, style.terminal);
}

std::string case_lines(const ResultRow& result, const LineStyle& style) {
  const Paint paint(style.terminal);
  std::string word = padded(word_of(result.state), 9);
  if (result.state == CaseState::passed) {
    word = paint.green(word);
  } else {
    word = result.state == CaseState::failed ? paint.red(word) : paint.yellow(word);
  }
  std::string line = fmt::format("{} {} · {}  {}", word, one_line(name_of_case(result)),
                                 one_line(result.agent), duration_words(result.seconds));
  if (result.usd > 0) line += "  " + money(result.usd);
  const bool has_passed = result.state == CaseState::passed;
  if (!has_passed && !result.file.empty())
    line += "  " + one_line(result.file) + ":" + std::to_string(result.line);
  line += "\n";
  if (has_passed) {
    for (const WarningRow& each : result.warnings)
      line += std::string(guard_of(style.terminal)) + "    warning: " + one_line(each.detail) + "\n";
    return for_terminal(line, style.terminal);
  }
  for (const std::string& each : reasons_of(result))
    line += std::string(guard_of(style.terminal)) + "    " + each + "\n";
  std::string shown;
  for (const AssertionRow& each : result.assertions) {
    if (each.status != "failed") continue;
    const std::string quoted = evidence_line(result, each, style, 200);
    if (quoted != shown && !quoted.empty())
      line += std::string(guard_of(style.terminal)) + "      " + quoted + "\n";
    shown = quoted;
  }
  return for_terminal(line, style.terminal);
}

std::string brief_line(const ResultRow& result) {
  if (result.state == CaseState::passed) return "";
  const std::string place =
      result.file.empty() ? result.id : one_line(result.file) + ":" + std::to_string(result.line);
  return place + ": " + std::string(word_of(result.state)) + ": " +
         one_line(name_of_case(result) + " · " + result.agent) + ": " + one_line(why(result)) + "\n";
}

std::string brief_warnings(const std::vector<ResultRow>& results) {
  std::string out;
  for (const Group& group : groups_of(results)) {
    const std::string place = group.file.empty() ? group.results.front()->id : place_of(group);
    for (const WarningRow& each : warnings_of_passed(group))
      out += place + ": warning: " + one_line(group.label + " · " + group.agent) + ": " +
             one_line(each.detail) + "\n";
  }
  return out;
}

std::size_t distinct_id_length(const std::vector<ResultRow>& results) {
  std::vector<std::string_view> ids;
  for (const ResultRow& each : results) ids.push_back(each.id);
  std::sort(ids.begin(), ids.end());
  std::size_t length = shown_id_length;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const auto [a, b] = std::mismatch(ids[i - 1].begin(), ids[i - 1].end(), ids[i].begin(), ids[i].end());
    static_cast<void>(b);
    length = std::max(length, static_cast<std::size_t>(a - ids[i - 1].begin()) + 1);
  }
  return std::min<std::size_t>(length, 36);
}

}  // namespace parley::client
