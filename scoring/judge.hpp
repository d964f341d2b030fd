#pragma once
/// Decides assertions and sums them up (D31-D34). Pure: the same conversation and assertions give the same
/// results. Any thread, though long conversations cost CPU: not for the actors' pool.

#include "scoring/kind.hpp"

namespace parley::scoring {

/// One result an assertion, in their order. An assertion whose config is at fault (possible once `{{key}}`
/// has been replaced) ends in error; criteria ends skipped (D33).
[[nodiscard]] std::vector<AssertionResult> judge(const Subject& subject,
                                                 std::span<const Assertion> assertions);

/// D34.
struct Score {
  int score = 0;  ///< 0..100
  bool overall_passed = true;
  /// False for a result that counts neither for nor against: nothing was decided, or a BLOCKER was not.
  bool decided = true;
  bool operator==(const Score&) const = default;
};
[[nodiscard]] Score score_of(std::span<const AssertionResult> results);

}  // namespace parley::scoring
