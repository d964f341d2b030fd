#pragma once
/// Checks the regular expressions of one body before the server accepts it. Compiling a pattern costs up to 10 ms, so all
/// patterns of a body share one budget (F31). Plain state of the caller that checks the body; one thread.

#include <re2/re2.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// The most instructions in the program of one pattern: `\pL{15}` fits, `\pL{20}` does not.
inline constexpr int pattern_size_max = 20'000;

struct PatternMeasure {
  int size = 0;       ///< instructions; `pattern_size_max` for a pattern that is too large
  std::string fault;  ///< as in `is too large a pattern`; empty if the pattern may be used
};
/// With this memory RE2 stops at 65,000 instructions, counted before it simplifies them. No pattern of `pattern_size_max` needs
/// that many; with eight MiB RE2 would continue for a third of a second.
inline constexpr std::int64_t measured_bytes_max = 768 * 1024;
/// Needs: compiled with `measured_bytes_max`.
[[nodiscard]] PatternMeasure measure_of(const RE2& compiled);
/// Whether the pattern may be used. Does not prepare it for a search. A pattern of a few KB takes at most 10 ms.
[[nodiscard]] PatternMeasure measured(std::string_view pattern);

/// The cost of checking patterns, in instructions of about half a microsecond.
using PatternWork = std::int64_t;

class PatternCheck {
 public:
  /// The budget of one body: some 0.2 s, enough for 100 patterns with three Unicode classes each (D55: 100
  /// assertions).
  static constexpr PatternWork work_max = 500'000;

  /// Like `measured`, with a fault if this pattern exceeds the budget. Once the budget is spent, patterns are
  /// not compiled.
  [[nodiscard]] PatternMeasure measure(std::string_view pattern);
  /// The work spent so far: at most the budget and one more pattern.
  [[nodiscard]] PatternWork work() const { return work_; }

 private:
  PatternWork work_ = 0;
};

}  // namespace parley
