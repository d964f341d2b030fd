#include "tester/script.hpp"

#include <algorithm>
#include <charconv>

#include "model/limits.hpp"
#include "model/pattern/pattern.hpp"
#include "model/pattern/pattern_check.hpp"
#include "model/text/ascii.hpp"
#include "model/values/placeholder.hpp"
#include "tester/actions.hpp"

namespace parley::tester {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";
/// The most faults that are reported; 10,000 lines of prose may have as many.
constexpr std::size_t faults_max = 20;
/// Limit of the instructions that all patterns of a script together compile to: each pattern may be tried
/// before each turn.
constexpr int patterns_size_max = 20'000;

std::string_view trimmed(std::string_view text) {
  return ascii::trimmed(text, blanks);
}

/// The text after `word`, at least one blank and a slash: `if /` without its first five
/// characters.
std::optional<std::string_view> after_slash(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  const std::string_view rest = line.substr(word.size());
  const auto slash = rest.find_first_not_of(blanks);
  if (slash == std::string_view::npos || slash == 0 || rest[slash] != '/') return std::nullopt;
  return rest.substr(slash + 1);
}

std::optional<std::string_view> after_end_if(std::string_view line) {
  if (!line.starts_with("end")) return std::nullopt;
  const std::string_view rest = line.substr(3);
  const auto next = rest.find_first_not_of(blanks);
  if (next == std::string_view::npos || next == 0) return std::nullopt;
  return after_slash(rest.substr(next), "if");
}

std::optional<std::string_view> after_keyword(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  return trimmed(line.substr(word.size()));
}

/// Calls `each(line, number)` for the lines of the text, without line ends, numbered from 1.
template <class F>
void for_each_line(std::string_view text, F each) {
  std::uint32_t number = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    each(line, ++number);
    at = end + 1;
  }
}

constexpr std::string_view first_word = "first:";
constexpr std::string_view turns_max_word = "max turns:";

/// The text of `say:`: the value of a whole JSON string, else the characters as they are.
std::string said(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    const auto document = json::parse(text, json::outside);
    if (document.ok()) return std::string(document.value().root().string());
  }
  return std::string(text);
}

struct LineFault {
  std::uint32_t line;
  std::string detail;
  bool in_template;  ///< the line holds a `{{key}}`
};

struct PatternAndRest {
  std::string pattern;
  std::string_view rest;
};

/// Splits `RE2/ rest` at the first slash without a backslash; `\/` becomes a slash.
std::optional<PatternAndRest> split_pattern(std::string_view text) {
  PatternAndRest split;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      split.rest = trimmed(text.substr(i + 1));
      return split;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (text[i + 1] != '/') split.pattern += '\\';
      ++i;
    }
    split.pattern += text[i];
  }
  return std::nullopt;
}

}  // namespace

namespace {

/// The kind of a line, before its contents are checked.
enum class LineKind : std::uint8_t { nothing, end, turns_max, end_if, rule, first, turn, plain };

bool is_turn(std::string_view line) {
  return line.starts_with("say:") || line.starts_with("invoke:");
}

/// `is_first`: no earlier line says or does anything.
LineKind kind_of(std::string_view line, bool is_first) {
  if (line.empty() || line.front() == '#') return LineKind::nothing;
  if (line == "end") return LineKind::end;
  if (line.starts_with(turns_max_word)) return LineKind::turns_max;
  if (after_end_if(line)) return LineKind::end_if;
  if (after_slash(line, "if")) return LineKind::rule;
  if (is_first && line.starts_with(first_word)) return LineKind::first;
  return is_turn(line) ? LineKind::turn : LineKind::plain;
}

}  // namespace

/// Parses one instruction into a Script and collects all its faults.
class ScriptReader {
 public:
  explicit ScriptReader(std::string_view instruction) {
    for_each_line(instruction, [this](std::string_view line, std::uint32_t number) {
      if (number > script_lines_max) {
        if (number == script_lines_max + 1) fault("a script has at most 10,000 lines");
        return;
      }
      number_ = number;
      line_ = line;
      script.is_empty_ = script.is_empty_ && trimmed(line).empty();
      read();
    });
  }

  Script script;
  std::vector<LineFault> faults;

 private:
  void read() {
    const std::string_view line = trimmed(line_);
    switch (kind_of(line, is_first_line())) {
      case LineKind::nothing: return;
      case LineKind::end: return script.lines_.push_back({End{EndReason::tester_ended}, number_});
      case LineKind::turns_max: return read_turns_max(*after_keyword(line, turns_max_word));
      case LineKind::end_if: return read_end_if(*after_end_if(line));
      case LineKind::rule: return read_rule(*after_slash(line, "if"));
      case LineKind::first: return read_first(*after_keyword(line, first_word));
      case LineKind::turn:
        if (auto turn = read_turn(line)) script.lines_.push_back({std::move(*turn), number_});
        return;
      case LineKind::plain: return script.lines_.push_back({Say{std::string(line_), number_}, number_});
    }
  }

  void read_first(std::string_view text) {
    if (text.empty()) return fault("`first:` needs the tester's first words");
    script.lines_.push_back({Say{said(text), number_}, number_});
  }

  /// Whether no earlier line says or does anything.
  [[nodiscard]] bool is_first_line() const {
    return script.lines_.empty() && script.rules_.empty() && script.ends_.empty() && faults.empty();
  }

  void read_turns_max(std::string_view text) {
    std::int64_t turns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), turns);
    if (error != std::errc{} || end != text.data() + text.size() || turns < 1 || turns > script_turns_max) {
      return fault("`max turns:` needs a whole number from 1 to 10000");
    }
    script.turns_max_ = turns;  // the last one counts: a variant's follows its parent's (D41)
  }

  void read_end_if(std::string_view text) {
    const auto split = split_pattern(text);
    if (!split) return fault("`end if /` lacks the closing slash of its pattern");
    if (!split->rest.empty()) return fault("nothing may follow the pattern of `end if`");
    if (may_be_pattern(split->pattern)) script.ends_.push_back(split->pattern);
  }

  void read_rule(std::string_view text) {
    const auto split = split_pattern(text);
    if (!split) return fault("`if /` lacks the closing slash of its pattern");
    if (!is_turn(split->rest)) return fault("`if /RE2/` must continue with `say:` or `invoke:`");
    auto turn = read_turn(split->rest);
    if (may_be_pattern(split->pattern) && turn) {
      script.rules_.push_back({split->pattern, std::move(*turn), number_});
    }
  }

  std::optional<Turn> read_turn(std::string_view line) {
    if (const auto text = after_keyword(line, "say:")) return Say{said(*text), number_};
    const std::string_view text = after_keyword(line, "invoke:").value_or("");
    const auto name_end = std::min(text.find_first_of(" \t\v\f{"), text.size());
    const std::string_view name = text.substr(0, name_end);
    if (!is_action_name(name)) {
      fault("`invoke:` needs the name of an action (letters, digits and underscores)");
      return std::nullopt;
    }
    const std::string_view arguments = trimmed(text.substr(name_end));
    if (arguments.empty()) return Invoke{std::string(name), {}, number_};
    const auto document = json::parse(arguments, json::outside);
    if (!document.ok()) {
      fault("the arguments of `invoke:` are " + document.problem().detail);
      return std::nullopt;
    }
    if (!document.value().root().is(json::Kind::object)) {
      fault("the arguments of `invoke:` must be a JSON object");
      return std::nullopt;
    }
    return Invoke{std::string(name), document.value().root().compact(), number_};
  }

  bool may_be_pattern(const std::string& pattern) {
    if (patterns_size_ > patterns_size_max) return false;  // reported already; no need to compile more
    const PatternMeasure measure = patterns_.measure(pattern);
    if (!measure.fault.empty()) {
      fault("the pattern " + measure.fault);
      return false;
    }
    patterns_size_ += measure.size;
    if (patterns_size_ > patterns_size_max) fault("the patterns of the script are too large together");
    return patterns_size_ <= patterns_size_max;
  }

  void fault(std::string detail) { faults.push_back({number_, std::move(detail), has_placeholder(line_)}); }

  std::uint32_t number_ = 0;
  std::string_view line_;
  PatternCheck patterns_;
  int patterns_size_ = 0;
};

Expected<Script> Script::parse(std::string_view instruction) {
  ScriptReader reader(instruction);
  if (reader.faults.empty()) return std::move(reader.script);
  std::string detail;
  for (std::size_t i = 0; i < std::min(reader.faults.size(), faults_max); ++i) {
    if (i > 0) detail += "; ";
    detail += "line " + std::to_string(reader.faults[i].line) + ": " + reader.faults[i].detail;
  }
  return problem(ProblemKind::invalid_body, std::move(detail));
}

void check_script(std::string_view instruction, const std::string& pointer, Findings& findings) {
  std::vector<std::string> texts;
  for (const LineFault& fault : ScriptReader(instruction).faults) {
    if (fault.in_template || texts.size() == faults_max) continue;
    texts.push_back("line " + std::to_string(fault.line) + ": " + fault.detail);
  }
  findings.add_each(pointer, std::move(texts));
}

std::vector<SaidLine> said_lines(std::string_view instruction) {
  std::vector<SaidLine> lines;
  bool is_first = true;
  for_each_line(instruction, [&](std::string_view whole, std::uint32_t number) {
    if (number > script_lines_max) return;
    const std::string_view line = trimmed(whole);
    const LineKind kind = kind_of(line, is_first);
    const bool is_text = kind == LineKind::turn || kind == LineKind::plain || kind == LineKind::first;
    is_first = is_first && (kind == LineKind::nothing || kind == LineKind::turns_max);
    if (is_text) lines.push_back({number, line, kind == LineKind::plain});
  });
  return lines;
}

bool is_script(std::string_view instruction) {
  bool found = false;
  for_each_line(instruction, [&found](std::string_view whole, std::uint32_t) {
    const std::string_view line = trimmed(whole);
    found = found || line.starts_with("say:") || line.starts_with("invoke:") || after_slash(line, "if") ||
            after_end_if(line);
  });
  return found;
}

std::optional<std::string> first_words(std::string_view instruction) {
  std::optional<std::string> words;
  bool is_over = false;
  for_each_line(instruction, [&](std::string_view whole, std::uint32_t) {
    const std::string_view line = trimmed(whole);
    if (is_over || line.empty() || line.front() == '#' || line.starts_with(turns_max_word)) return;
    is_over = true;
    const auto text = after_keyword(line, first_word);
    if (text && !text->empty()) words = said(*text);
  });
  return words;
}

namespace {

/// Tries the patterns of one turn. Each turn has a new budget: its cost must not depend on earlier turns.
class Trial {
 public:
  explicit Trial(std::string_view text) : text_(text) {}

  /// Needs: a pattern that compiled when the script was read. False for every pattern once the budget is used
  /// up.
  [[nodiscard]] bool matches(const std::string& pattern) {
    auto compiled = Pattern::compile(pattern);
    if (!compiled.ok() || ran_out_) return false;
    const Found found = compiled.value().search(text_, left_);
    ran_out_ = found == Found::undecided;
    return found == Found::yes;
  }
  [[nodiscard]] bool ran_out() const { return ran_out_; }

 private:
  std::string_view text_;
  Steps left_ = script_steps_max;
  bool ran_out_ = false;
};

/// The first bytes of valid UTF-8, truncated between characters.
std::string_view first_bytes(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

/// The line numbers of the earlier turns, ascending.
using UsedLines = std::vector<std::uint32_t>;

bool is_used(const UsedLines& used, std::uint32_t line) {
  return std::binary_search(used.begin(), used.end(), line);
}

Turn next_line(const Script& script, const UsedLines& used) {
  if (script.is_empty()) {
    if (is_used(used, 0)) return End{EndReason::tester_ended};
    return Say{"Hello", 0};
  }
  // Rules may apply between lines, but only lines advance the script.
  const auto last = std::find_if(script.lines().rbegin(), script.lines().rend(),
                                 [&](const Script::Line& line) { return is_used(used, line.line); });
  const auto next = last.base();
  return next == script.lines().end() ? Turn{End{EndReason::tester_ended}} : next->turn;
}

BrokenScript too_much_work() {
  return {"matching the script's patterns against the chatbot's text would be too much work",
          "too_much_work"};
}

}  // namespace

Turn next_turn(const Script& script, const Past& past, std::int64_t turns_max_default) {
  UsedLines used(past.used_lines.begin(), past.used_lines.end());
  std::sort(used.begin(), used.end());
  Trial trial(first_bytes(past.last_chatbot_text, limits::content_bytes_max));
  if (past.chatbot_replied) {
    for (const std::string& pattern : script.ends()) {
      if (trial.matches(pattern)) return End{EndReason::goal_reached};
      if (trial.ran_out()) return too_much_work();
    }
  }
  if (past.tester_turns >= script.turns_max().value_or(turns_max_default)) return End{EndReason::max_turns};
  if (past.chatbot_replied) {
    for (const Script::Rule& rule : script.rules()) {
      if (!is_used(used, rule.line) && trial.matches(rule.pattern)) return rule.turn;
      if (trial.ran_out()) return too_much_work();
    }
  }
  return next_line(script, used);
}

}  // namespace parley::tester
