#pragma once
/// Sums of the measures on chatbot messages, and what can honestly be said of repetitions (D35, D56): estimates with
/// their intervals, bounds for trials that are missing, exact tests. Pure functions; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/records/entry.hpp"
#include "model/records/measure_sums.hpp"

namespace parley::scoring {

/// Over the chatbot messages among the entries.
[[nodiscard]] MeasureSums sums_of(std::span<const Entry> entries);

/// n repetitions of which c passed.
struct Repetitions {
  std::int64_t runs = 0;
  std::int64_t passed = 0;
};

/// The unbiased estimate that at least one of k repetitions passes: 1 - C(n-c,k)/C(n,k). Null unless 1 <= k
/// <= n.
[[nodiscard]] std::optional<double> pass_at_k(const Repetitions& repetitions, std::int64_t k);
/// The unbiased estimate that all of k repetitions pass: C(c,k)/C(n,k). Null unless 1 <= k <= n.
[[nodiscard]] std::optional<double> pass_hat_k(const Repetitions& repetitions, std::int64_t k);

/// True when some repetitions passed and some did not: the same test, the same agent, another outcome.
[[nodiscard]] constexpr bool is_flaky(const Repetitions& repetitions) {
  return repetitions.passed > 0 && repetitions.passed < repetitions.runs;
}

struct Interval {
  double low = 0;
  double high = 1;
  bool operator==(const Interval&) const = default;
};

/// The Wilson score interval of the pass rate at 95 % confidence; [0, 1] without repetitions.
[[nodiscard]] Interval wilson(const Repetitions& repetitions);

/// Trials of one kind: those that ended passed or failed, and those that say nothing because they are missing, void or
/// undecided.
struct Trials {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t open = 0;
};

/// A pass rate with what it takes to trust it.
struct Rate {
  std::optional<double> value;  ///< passed / decided; null when nothing is decided
  double coverage = 0;          ///< decided / all; 1 if there are no results
  Interval interval;            ///< Wilson, over the decided ones
  Interval bounds;              ///< the rate over all if each open trial had failed, and if each had passed
  bool operator==(const Rate&) const = default;
};
[[nodiscard]] Rate rate_of(const Trials& trials);

/// Pairs of trials whose outcomes differ.
struct Differences {
  std::int64_t better = 0;
  std::int64_t worse = 0;
};

/// The exact two-sided p-value of as uneven a split of the differing pairs, were both directions equally likely: the
/// sign test, which for pairs of outcomes is McNemar's exact test. 1 without differences.
[[nodiscard]] double sign_test(const Differences& differences);

/// p-values adjusted for their number after Benjamini and Hochberg: calling all those at or below q discoveries keeps
/// the expected share of false ones at or below q. In the order of the arguments.
[[nodiscard]] std::vector<double> false_discovery_adjusted(std::span<const double> p_values);

/// How likely a pair of trials is to differ in each direction.
struct DifferenceRates {
  double better = 0;
  double worse = 0;
};

/// At which p-value a difference counts, and how surely one is to be found that is there.
struct Demand {
  double level = 0.05;
  double power = 0.8;
};

/// The probability that the sign test over this number of pairs ends at or below the level.
[[nodiscard]] double power_of(std::int64_t pairs, const DifferenceRates& rates, double level);

/// The most pairs that are suggested: beyond them the difference is too small to matter.
inline constexpr std::int64_t pairs_considered_max = 100'000;

/// The least number of pairs with which the sign test finds such a difference with the power asked for. Null when the
/// rates are equal, or when it takes more than pairs_considered_max.
[[nodiscard]] std::optional<std::int64_t> pairs_needed(const DifferenceRates& rates, const Demand& demand);

}  // namespace parley::scoring
