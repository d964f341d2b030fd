#pragma once
/// Asserters, logic hooks and user inputs of Botium by name. Pure.

#include "convert/records/checks.hpp"
#include "convert/records/report.hpp"

namespace parley::convert {

/// The first word of a line and its arguments, split at `|`.
struct HookLine {
  std::string name;  ///< empty: the line is a text
  std::string rest;
  std::vector<std::string> arguments;
  bool is_negated = false;
  bool is_optional = false;
};
[[nodiscard]] HookLine hook_of(const std::string& line, bool is_bot);
/// A word in capitals that no asserter has, so the line is a text.
[[nodiscard]] bool looks_like_hook(const std::string& line);

struct Asserted {
  std::optional<Check> check;  ///< nullopt: not mapped, because of `why`
  Outcome outcome = Outcome::exact;
  std::string why = {};
  std::string needs = {};
};
/// An asserter under a bot step, about turn `turn`. Needs: a hook whose name is an asserter's.
[[nodiscard]] Asserted asserted(const HookLine& hook, std::size_t turn);
[[nodiscard]] bool is_asserter(std::string_view name);

/// What does not count when the text is compared: Botium makes one blank of blanks and line ends.
[[nodiscard]] Ignoring ignoring_for(std::string_view text, bool ignores_case);
/// The text of a bot step: anywhere in the message, letter case ignored, `*` is a wildcard.
[[nodiscard]] Check bot_text_check(const std::string& text, std::size_t turn);
/// The same with a pattern of `wildcard`.
[[nodiscard]] Check bot_pattern_check(const std::string& pattern, std::size_t turn);

}  // namespace parley::convert
