#pragma once
/// Compares a measurement with its bound (D31). All comparisons of costs, tokens, times, shares, similarities
/// and tolerances use it. Sums of binary fractions are inexact in the last digits, so only 12 significant
/// digits count. Pure functions; any thread.

namespace parley::scoring {

/// Rounds to 12 significant digits, so that 0.1 + 0.2 is 0.3. Whole numbers up to 2^53 are exact and unchanged.
[[nodiscard]] double dusted(double value);

/// Whether the measured value is less than the bound or agrees with it in 12 significant digits. Two whole
/// numbers are compared exactly.
[[nodiscard]] bool at_most(double measured, double bound);
/// As above, but whether the measured value is greater than the bound or agrees with it.
[[nodiscard]] bool at_least(double measured, double bound);

}  // namespace parley::scoring
