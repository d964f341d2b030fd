#pragma once
/// Warnings of a result or a test (D97): why a passing score may mean nothing. Plain values.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"

namespace parley {

/// The order is part of the stored form (WarningSet).
enum class WarningCode : std::uint8_t {
  no_assertions,
  no_blocker,           ///< no assertion is a BLOCKER, so the result cannot fail
  script_unfinished,    ///< the conversation ended before every line of the script was played
  prose_without_model,  ///< an instruction without directives was said word for word
  unknown_placeholder,  ///< a `{{key}}` without a field
  directive_lookalike,  ///< a line that is said although it resembles a directive
  empty_answers,        ///< a chatbot turn with neither text, tool nor event
  nothing_decided,      ///< D34
  manual_ignored,       ///< completionMode manual on a conversation that the service drives
  rate_limited,         ///< calls waited because the agent or a model asked for fewer (ADR 28)
};
template <>
struct Words<WarningCode> {
  static constexpr std::array<std::string_view, 10> all{
      "no_assertions",       "no_blocker",          "script_unfinished", "prose_without_model",
      "unknown_placeholder", "directive_lookalike", "empty_answers",     "nothing_decided",
      "manual_ignored",      "rate_limited"};
};
inline constexpr std::size_t warning_codes = Words<WarningCode>::all.size();

struct Warning {
  WarningCode code = WarningCode::no_assertions;
  std::string detail;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("code", self.code, Rules{}, "A word for programs.");
    v.field("detail", self.detail, Rules{}, "What is wrong, and what to do.");
  }
  bool operator==(const Warning&) const = default;
};

/// Codes as bits, as a result's head stores them.
struct WarningSet {
  std::int64_t bits = 0;

  [[nodiscard]] bool has(WarningCode code) const { return (bits & bit(code)) != 0; }
  void add(WarningCode code) { bits |= bit(code); }
  void add(const std::vector<Warning>& warnings) {
    for (const Warning& warning : warnings) add(warning.code);
  }
  bool operator==(const WarningSet&) const = default;

 private:
  [[nodiscard]] static constexpr std::int64_t bit(WarningCode code) {
    return std::int64_t{1} << static_cast<unsigned>(code);
  }
};

}  // namespace parley
