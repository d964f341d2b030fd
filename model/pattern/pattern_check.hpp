#pragma once
/// Looks at the regular expressions of one body before it is taken. To make a program of a pattern costs up to 10 ms, so
/// all patterns of a body share one budget (F31). Plain state of whoever checks the body; one thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// Instructions of the program of one pattern: `\pL{15}` fits, `\pL{20}` does not.
inline constexpr int pattern_size_max = 20'000;

struct PatternMeasure {
  int size = 0;       ///< instructions; `pattern_size_max` for a pattern that is too large
  std::string fault;  ///< as in `is too large a pattern`; empty for one that may be used
};
/// Whether the pattern may be used, without making it ready for a search. A text of some KB takes 10 ms at the worst.
[[nodiscard]] PatternMeasure measured(std::string_view pattern);

/// What looking at patterns costs, in instructions of about half a microsecond.
using PatternWork = std::int64_t;

class PatternCheck {
 public:
  /// Of one body: some 0.2 s, and room for 100 patterns with three Unicode classes each (D55: 100 assertions).
  static constexpr PatternWork work_max = 500'000;

  /// As `measured`, and a fault where the patterns come to more than the budget with this one. One that would begin beyond
  /// it is not looked at.
  [[nodiscard]] PatternMeasure measure(std::string_view pattern);
  /// Spent so far: by one pattern more than the budget at most.
  [[nodiscard]] PatternWork work() const { return work_; }

 private:
  PatternWork work_ = 0;
};

}  // namespace parley
