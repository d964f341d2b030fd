#pragma once
/// Botium's asserters, logic hooks and user inputs, by name. Pure.

#include <set>

#include "convert/records/checks.hpp"
#include "convert/records/report.hpp"

namespace parley::convert {

/// Names of the asserters and logic hooks that a `botium.json` registers. They are code, so only the names are read.
struct CustomHooks {
  std::set<std::string, std::less<>> asserters;
  std::set<std::string, std::less<>> logic_hooks;
};

/// The first word of a line and its arguments, which are separated by `|`.
struct HookLine {
  std::string name;  ///< empty: the line is a text
  std::string rest;
  std::vector<std::string> arguments;
  bool is_negated = false;
  bool is_optional = false;
  bool is_asserter = false;
  bool is_custom = false;  ///< a `botium.json` registers it
};
[[nodiscard]] HookLine hook_of(const std::string& line, bool is_bot, const CustomHooks& custom);
/// Whether the line begins with a word in capitals that has an underscore or is followed by arguments. If no hook has
/// that name, the line is a text.
[[nodiscard]] bool looks_like_hook(const std::string& line);
/// The first word of a line, without the marks `?` and `!`.
[[nodiscard]] std::string hook_word(std::string_view line);

struct Asserted {
  std::optional<Check> check;  ///< nullopt: not mapped; `why` has the reason
  Outcome outcome = Outcome::exact;
  std::string why = {};
  std::string needs = {};
};
/// Converts an asserter under a bot step to a check of turn `turn`. Needs: the hook names an asserter.
[[nodiscard]] Asserted asserted(const HookLine& hook, std::size_t turn);

/// What a comparison with the text ignores. Botium collapses runs of spaces and line ends into one space.
[[nodiscard]] Ignoring ignoring_for(std::string_view text, bool ignores_case);
/// Checks the text of a bot step: the message contains it, ignoring case; `*` is a wildcard.
[[nodiscard]] Check bot_text_check(const std::string& text, std::size_t turn);
/// The same for a `wildcard` pattern.
[[nodiscard]] Check bot_pattern_check(const std::string& pattern, std::size_t turn);

}  // namespace parley::convert
