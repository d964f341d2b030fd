#pragma once
/// Compares a measurement with its bound (D31): the one comparison of costs, tokens, times, shares, similarities and
/// tolerances. A sum of binary fractions is off in its last digits, so 12 significant digits decide. Pure functions; any
/// thread.

namespace parley::scoring {

/// Rounded to 12 significant digits, so that 0.1 + 0.2 is 0.3. Whole numbers up to 2^53 are exact and stay.
[[nodiscard]] double dusted(double value);

/// Measured and bound agree in 12 significant digits, or the measured one is smaller. Two whole numbers are compared as
/// they are.
[[nodiscard]] bool at_most(double measured, double bound);
/// The same, or the measured one is greater.
[[nodiscard]] bool at_least(double measured, double bound);

}  // namespace parley::scoring
