#pragma once
/// Regular expressions of assertions, rules and scripts: RE2, with a bound on the size of a pattern (F23) and a charge for
/// each search (ADR 15). A Pattern belongs to one thread.

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "model/expected.hpp"

namespace parley {

/// The unit of work on texts: reading one byte, one to ten nanoseconds. Work is counted from sizes and never by a clock, so
/// the count is the same on every machine.
using Steps = std::uint64_t;

/// The outcome of a search.
enum class Found : std::uint8_t { no, yes, undecided };

/// The most that one search may cost beyond its text; about seven seconds.
inline constexpr Steps slow_search_steps_max = 3'200'000'000;

class Pattern {
 public:
  /// Problem: invalid_body with the reason, if RE2 refuses the pattern or it is too large.
  [[nodiscard]] static Expected<Pattern> compile(std::string_view pattern);

  /// Whether the pattern matches somewhere in the text; `undecided` if that costs more than `left`. Reduces
  /// `left` by the cost.
  ///
  /// A byte costs one step as long as RE2 has room for the states of its DFA. Each time that the room is
  /// full, filling it again is charged. If it is full too often, RE2 falls back to its NFA, which costs four
  /// times the size of the pattern for each byte of the text, charged in advance. The charge depends on the
  /// pattern and the text alone: a search that needs more room than earlier searches left is repeated with a
  /// newly compiled pattern.
  [[nodiscard]] Found search(std::string_view text, Steps& left);
  /// The begin and end of the first match; nullopt without a match, and for texts and patterns whose search
  /// may be slow. Charges nothing and changes nothing, because it searches with a separate compiled form.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> place(std::string_view text) const;
  /// The number of instructions in the compiled form.
  [[nodiscard]] int size() const { return compiled_->ProgramSize(); }
  /// The most memory that the pattern can use.
  [[nodiscard]] std::int64_t bytes() const { return compiled_->options().max_mem(); }

 private:
  explicit Pattern(std::unique_ptr<const RE2> compiled) : compiled_(std::move(compiled)) {}

  [[nodiscard]] bool matches(std::string_view text, Steps& left);
  void compile_again();

  std::unique_ptr<const RE2> compiled_;
  bool is_used_ = false;  ///< its DFA has states from earlier searches
  bool was_full_ = false;
};

/// Patterns compiled once for all conversations. Belongs to one thread.
class CompiledPatterns {
 public:
  /// Like Pattern::compile; valid until the next call.
  [[nodiscard]] Expected<Pattern>& of(std::string_view pattern);

 private:
  void make_room();

  std::map<std::string, Expected<Pattern>, std::less<>> compiled_;
};

}  // namespace parley
