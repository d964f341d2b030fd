#pragma once
/// The work that deciding the assertions of one result may take, so that one result does not delay all others
/// (F23, I65). Work is computed from sizes alone and charged in advance, so the verdict is the same on any
/// machine. Plain state of one scoring, on its thread; another thread sets the flag.

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "model/pattern/pattern.hpp"

namespace parley::scoring {

/// Set once, when the process is asked to stop.
using StopFlag = std::atomic<bool>;

/// The reason why an assertion beyond the budget ends in error.
inline constexpr std::string_view too_much_work =
    "Not decided: checking the patterns and texts of this result's assertions would be too much work.";

class Work {
 public:
  /// For the texts of all assertions of one result: at most some seconds.
  static constexpr Steps steps_max = 1'000'000'000;
  /// A separate budget for patterns, so that hostile ones leave work for other assertions: at most some ten seconds.
  static constexpr Steps pattern_steps_max = 4'000'000'000;

  /// Spends the steps. False if fewer are left: this assertion must not be decided, but a cheaper one still can be.
  [[nodiscard]] bool take(Steps steps) {
    ran_out_ = ran_out_ || steps > left_;
    if (!ran_out_) left_ -= steps;
    return !ran_out_;
  }
  /// Whether the pattern matches somewhere in the text; false if deciding that takes more work than is left.
  [[nodiscard]] bool matches(Pattern& pattern, std::string_view text) {
    if (ran_out_) return false;
    const Found found = pattern.search(text, patterns_left_);
    ran_out_ = found == Found::undecided;
    return found == Found::yes;
  }
  /// Whether the current assertion was refused work, so that it need not continue.
  [[nodiscard]] bool ran_out() const { return ran_out_; }
  /// Whether the assertion that ends here was refused work. Starts the next assertion.
  [[nodiscard]] bool end_assertion() { return std::exchange(ran_out_, false); }

 private:
  Steps left_ = steps_max;
  Steps patterns_left_ = pattern_steps_max;
  bool ran_out_ = false;
};

}  // namespace parley::scoring
