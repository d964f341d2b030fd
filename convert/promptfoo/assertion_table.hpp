#pragma once
/// THE table of promptfoo's assertion types: what each becomes, or why it is lost. Pure; one thread.

#include "convert/promptfoo/assertions.hpp"

namespace parley::convert {

/// One assertion while it is mapped.
struct Question {
  const Node& node;
  std::string type;  ///< without `not-`
  Node value;        ///< rendered
  std::optional<double> threshold;
  const AssertionPlace& place;

  [[nodiscard]] std::string text() const { return as_text(value); }
};

/// The outcome: a check, and how faithful it is; or no check and the reason.
struct Mapped {
  std::optional<Check> check = std::nullopt;
  Outcome outcome = Outcome::exact;
  std::string why = {};
  std::string needs = {};
};
[[nodiscard]] Mapped lost(std::string why);
/// A list, or a text with commas between.
[[nodiscard]] std::vector<std::string> texts_of(const Node& value);

/// By the table. With `may_guess`, simple code is read, too.
[[nodiscard]] Mapped mapped(const Question& question, bool may_guess);

}  // namespace parley::convert
