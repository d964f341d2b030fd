#pragma once
/// The only table of promptfoo's assertion types: the check that each becomes, or why it is lost. Pure; one thread.

#include "convert/promptfoo/assertions.hpp"

namespace parley::convert {

/// An assertion that is being mapped.
struct Question {
  const Node& node;
  std::string type;  ///< without `not-`
  Node value;        ///< rendered value
  std::optional<double> threshold;
  const AssertionPlace& place;

  [[nodiscard]] std::string text() const { return as_text(value); }
};

/// The result: a check and how faithful it is, or no check and the reason.
struct Mapped {
  std::optional<Check> check = std::nullopt;
  Outcome outcome = Outcome::exact;
  std::string why = {};
  std::string needs = {};
};
[[nodiscard]] Mapped lost(std::string why);
/// The items of a list, or the parts of a text separated by commas.
[[nodiscard]] std::vector<std::string> texts_of(const Node& value);

/// Maps the assertion according to the table. With `may_guess`, simple code is interpreted too.
[[nodiscard]] Mapped mapped(const Question& question, bool may_guess);

}  // namespace parley::convert
