#include "tester/warnings.hpp"

#include <algorithm>
#include <map>

#include "model/text/ascii.hpp"
#include "model/text/shown_text.hpp"
#include "model/values/placeholder.hpp"
#include "tester/script.hpp"

namespace parley::tester {
namespace {

/// The most names or lines that one detail lists.
constexpr std::size_t listed_max = 5;
constexpr std::size_t shown_bytes_max = 60;

std::string in_quotes(std::string_view text) {
  const std::string_view kept = cut_text(text, shown_bytes_max);
  return "\"" + std::string(kept) + (kept.size() < text.size() ? "...\"" : "\"");
}

std::string plural(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

/// "a, b and 3 more"
std::string listed(const std::vector<std::string>& texts) {
  std::string out;
  const std::size_t shown = std::min(texts.size(), listed_max);
  for (std::size_t i = 0; i < shown; ++i) out.append(i == 0 ? "" : ", ").append(texts[i]);
  if (texts.size() > shown) out += " and " + std::to_string(texts.size() - shown) + " more";
  return out;
}

/// Collects the placeholders for which no field has a value, each once.
class OpenPlaceholders {
 public:
  void look_in(std::string_view text) {
    for (auto next = next_placeholder(text); next; next = next_placeholder(text, next->end)) {
      std::string name = "{{" + std::string(next->key) + "}}";
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(std::move(name));
    }
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

std::vector<std::string> open_placeholders(const TestCase& test_case) {
  OpenPlaceholders open;
  open.look_in(test_case.instruction);
  for (const Assertion& assertion : test_case.assertions) {
    open.look_in(assertion.name.value_or(""));
    open.look_in(assertion.criteria.value_or(""));
    if (assertion.config) open.look_in(assertion.config->text);
  }
  for (const HistoryMessage& message : test_case.history) open.look_in(message.content.value_or(""));
  return open.names();
}

/// Whether the text begins with the word, and no letter follows it.
bool begins_with_word(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  return text.size() == word.size() || !ascii::is_letter(text[word.size()]);
}

/// Whether a line that is said resembles a directive (D60) with different case or without its punctuation.
bool is_lookalike(std::string_view line) {
  const std::string text = ascii::lower(line);
  if (begins_with_word(text, "say") || begins_with_word(text, "invoke")) return true;
  if (begins_with_word(text, "if"))
    return text.find("say:") != std::string::npos || text.find("invoke:") != std::string::npos ||
           text.starts_with("if /") || text.starts_with("if/");
  if (text == "end" || text == "end." || text.starts_with("end if") || text.starts_with("endif")) return true;
  return text.starts_with("max turns") || text.starts_with("max-turns") || text.starts_with("maxturns") ||
         text.starts_with("first:");
}

std::vector<std::string> lookalikes(std::string_view instruction) {
  std::vector<std::string> found;
  for (const SaidLine& line : said_lines(instruction)) {
    if (line.is_plain && is_lookalike(line.text))
      found.push_back("line " + std::to_string(line.number) + " " + in_quotes(line.text));
  }
  return found;
}

void warn_of_assertions(const TestCase& test_case, std::vector<Warning>& warnings) {
  const auto& assertions = test_case.assertions;
  if (assertions.empty()) {
    warnings.push_back({WarningCode::no_assertions, std::string(sentence_of(WarningCode::no_assertions))});
    return;
  }
  const bool has_blocker = std::any_of(assertions.begin(), assertions.end(), [](const Assertion& assertion) {
    return assertion.severity == Severity::blocker;
  });
  if (has_blocker) return;
  warnings.push_back({WarningCode::no_blocker, "None of the " + plural(assertions.size(), "assertion") +
                                                   " is a BLOCKER, so the result passes even if all fail."});
}

bool says_nothing(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

void warn_of_instruction(const TestCase& test_case, std::optional<Player> player,
                         std::vector<Warning>& warnings) {
  const bool has_directives = is_script(test_case.instruction);
  if (player == Player::script && !has_directives && !says_nothing(test_case.instruction)) {
    warnings.push_back(
        {WarningCode::prose_without_model, std::string(sentence_of(WarningCode::prose_without_model))});
  }
  const bool is_script = player ? *player == Player::script : has_directives;
  if (!is_script) return;
  const auto lines = lookalikes(test_case.instruction);
  if (lines.empty()) return;
  warnings.push_back({WarningCode::directive_lookalike,
                      "Said as written, although it resembles a directive: " + listed(lines) +
                          ". Write the directive exactly, such as say: TEXT."});
}

/// The exchanges in which the chatbot has entries and all of them are messages without text.
std::vector<std::int64_t> empty_turns(std::span<const Entry> entries) {
  std::map<std::int64_t, bool> has_content;
  for (const Entry& entry : entries) {
    if (entry.role != Role::chatbot || entry.is_history) continue;
    const bool is_empty = entry.type == EntryType::message && entry.content.value_or("").empty();
    bool& known = has_content.try_emplace(entry.turn, false).first->second;
    known = known || !is_empty;
  }
  std::vector<std::int64_t> empty;
  for (const auto& [turn, has_some] : has_content) {
    if (!has_some) empty.push_back(turn);
  }
  return empty;
}

/// Number of throttled calls to the agent, the tester's model and the judge.
std::int64_t throttled_calls(const ResultHead& head) {
  const auto of = [](const std::optional<ModelUse>& use) { return use ? use->throttled : 0; };
  return head.throttled.value_or(0) + of(head.tester_use) + of(head.judge_use);
}

}  // namespace

PlayedLines played_lines(std::string_view instruction, std::span<const std::uint32_t> used) {
  PlayedLines lines;
  for (const SaidLine& line : said_lines(instruction)) {
    ++lines.all;
    if (std::find(used.begin(), used.end(), line.number) != used.end()) ++lines.played;
  }
  return lines;
}

std::vector<Warning> warnings_of_case(const TestCase& test_case, std::optional<Player> player) {
  std::vector<Warning> warnings;
  warn_of_assertions(test_case, warnings);
  if (player != Player::person) warn_of_instruction(test_case, player, warnings);
  if (const auto open = open_placeholders(test_case); !open.empty()) {
    warnings.push_back({WarningCode::unknown_placeholder,
                        "No field gives a value for " + listed(open) + ", so it is left as written."});
  }
  return warnings;
}

std::vector<Warning> warnings_of_play(const TestCase& test_case, const Played& played) {
  std::vector<Warning> warnings;
  if (played.player == Player::script && played.end_reason != EndReason::goal_reached) {
    const PlayedLines lines = played_lines(test_case.instruction, played.used_lines);
    if (!lines.is_finished()) {
      warnings.push_back({WarningCode::script_unfinished,
                          "The conversation ended (" + std::string(word_of(played.end_reason)) + ") after " +
                              std::to_string(lines.played) + " of " + plural(lines.all, "line") +
                              " of the script."});
    }
  }
  if (const auto empty = empty_turns(played.entries); !empty.empty()) {
    warnings.push_back(
        {WarningCode::empty_answers, plural(empty.size(), "chatbot turn") +
                                         " without text, tool call or event; the first is turn " +
                                         std::to_string(empty.front()) + "."});
  }
  if (!played.is_decided)
    warnings.push_back(
        {WarningCode::nothing_decided, std::string(sentence_of(WarningCode::nothing_decided))});
  return warnings;
}

std::vector<Warning> warnings_of_result(const PlayedResult& result) {
  const ResultHead& head = result.head;
  Played played;
  played.player = head.tester == played_by_model ? Player::model : Player::script;
  if (head.is_manual) played.player = Player::person;
  played.end_reason = head.end_reason.value_or(EndReason::tester_ended);
  played.used_lines = result.used_lines;
  played.entries = result.entries;
  played.is_decided = result.is_decided;
  // Until the tester has said something, it is open who plays the tester.
  const bool is_known = head.tester || head.is_manual;
  auto warnings = warnings_of_case(result.test_case, is_known ? std::optional(played.player) : std::nullopt);
  for (Warning& warning : warnings_of_play(result.test_case, played)) warnings.push_back(std::move(warning));
  if (head.is_server_driven && head.completion_mode == CompletionMode::manual)
    warnings.push_back({WarningCode::manual_ignored, std::string(sentence_of(WarningCode::manual_ignored))});
  if (const auto refused = throttled_calls(head); refused > 0) {
    warnings.push_back(
        {WarningCode::rate_limited,
         plural(static_cast<std::size_t>(refused), "answer") +
             " of the agent or a model asked for fewer calls (429, or 503 with Retry-After), so this "
             "conversation took longer."});
  }
  return warnings;
}

std::string_view sentence_of(WarningCode code) {
  switch (code) {
    case WarningCode::no_assertions:
      return "There are no assertions, so every conversation scores 100 and passes.";
    case WarningCode::no_blocker: return "No assertion is a BLOCKER, so the result passes even if all fail.";
    case WarningCode::script_unfinished:
      return "The conversation ended before every line of the script was played.";
    case WarningCode::prose_without_model:
      return "The instruction has no directive and no model plays the tester, so its lines are said word for "
             "word. Write a "
             "script (say: TEXT), or start the server with --tester-url and --tester-model.";
    case WarningCode::unknown_placeholder: return "A {{key}} has no field, so it is left as written.";
    case WarningCode::directive_lookalike:
      return "A line is said as written, although it resembles a directive.";
    case WarningCode::empty_answers: return "A chatbot turn has neither text, tool call nor event.";
    case WarningCode::nothing_decided:
      return "No assertion was decided, or a BLOCKER was not, so the result counts neither for nor against "
             "the chatbot.";
    case WarningCode::manual_ignored:
      return "completionMode is manual, but the server drives this conversation and completes it by itself.";
    case WarningCode::rate_limited:
      return "Calls waited because the agent or a model asked for fewer (429, or 503 with Retry-After).";
  }
  return {};
}

}  // namespace parley::tester
