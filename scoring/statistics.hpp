#pragma once
/// Sums of the measures of chatbot messages, and statistics on repetitions (D35, D56): estimates with their
/// intervals, bounds for missing trials, exact tests. Pure functions; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/records/entry.hpp"
#include "model/records/measure_sums.hpp"

namespace parley::scoring {

/// The sums over the chatbot messages among the entries.
[[nodiscard]] MeasureSums sums_of(std::span<const Entry> entries);

/// The number of repetitions (n) and of passed ones (c).
struct Repetitions {
  std::int64_t runs = 0;
  std::int64_t passed = 0;
};

/// The unbiased estimate that at least one of k repetitions passes: 1 - C(n-c,k)/C(n,k). Null unless 1 <= k <= n.
[[nodiscard]] std::optional<double> pass_at_k(const Repetitions& repetitions, std::int64_t k);
/// The unbiased estimate that all of k repetitions pass: C(c,k)/C(n,k). Null unless 1 <= k <= n.
[[nodiscard]] std::optional<double> pass_hat_k(const Repetitions& repetitions, std::int64_t k);

/// Whether some repetitions passed and others did not: the same test and agent with different outcomes.
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

/// Trials of one kind: those that passed or failed, and those without information because they are missing,
/// void or undecided.
struct Trials {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t open = 0;
};

/// A pass rate and the figures that show how reliable it is.
struct Rate {
  std::optional<double> value;  ///< passed / decided; null if no trial is decided
  double coverage = 0;          ///< decided / all; 1 if there are no results
  Interval interval;            ///< Wilson interval over the decided trials
  Interval bounds;  ///< the rate over all trials if each open trial had failed, and if each had passed
  bool operator==(const Rate&) const = default;
};
[[nodiscard]] Rate rate_of(const Trials& trials);

/// Adjusts p-values for multiple tests (Benjamini and Hochberg): rejecting all those at or below q keeps the
/// expected share of false discoveries at or below q. In the order of the arguments.
[[nodiscard]] std::vector<double> false_discovery_adjusted(std::span<const double> p_values);

}  // namespace parley::scoring
