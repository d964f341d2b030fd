#pragma once
/// Exact tests of two proportions: whether a test passes more or less often than before. The repetitions of a
/// test are independent trials, so nothing is paired. Boschloo's two-sided unconditional test decides within
/// one test; over several tests, the exact conditional test, stratified by test, decides. Pure functions and a
/// cache; one thread at a time.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "scoring/statistics.hpp"

namespace parley::scoring {

/// The decided repetitions of one test in two runs.
struct TwoSamples {
  Repetitions before;
  Repetitions after;

  [[nodiscard]] bool is_comparable() const { return before.runs > 0 && after.runs > 0; }
  /// Whether both have the same pass rate.
  [[nodiscard]] bool is_equal() const { return before.passed * after.runs == after.passed * before.runs; }
};

/// The p-value at which a difference counts, and the power to find a real difference.
struct Demand {
  double level = 0.05;
  double power = 0.8;
};

/// The true pass rates of two agents.
struct Rates {
  double before = 0;
  double after = 0;
};

/// The maximum number of suggested repetitions: a difference that needs more is too small to matter.
inline constexpr std::int64_t repetitions_considered_max = 100'000;

/// Boschloo's test: the probability of a table whose two-sided Fisher p-value is at most the observed one, for the
/// common pass rate that maximizes it. Caches its computations, because the tests of one run have much in common.
class BoschlooTest {
 public:
  /// The p-value; 1 unless both samples have trials.
  [[nodiscard]] double p(const TwoSamples& samples);
  /// The probability that p is at or below the level with `each` repetitions on both sides.
  [[nodiscard]] double power(std::int64_t each, const Rates& rates, double level);
  /// The least number of repetitions on each side that finds such a difference with the requested power: exact
  /// up to exact_repetitions_max, by the normal formula beyond that. Null if the rates are equal, or if more
  /// than repetitions_considered_max would be needed.
  [[nodiscard]] std::optional<std::int64_t> repetitions_needed(const Rates& rates, const Demand& demand);

  static constexpr std::int64_t exact_repetitions_max = 50;

 private:
  [[nodiscard]] double cutoff(std::int64_t each, double level);

  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, double> p_values_;
  std::map<std::pair<std::int64_t, double>, double> cutoffs_;
  std::map<std::tuple<double, double, double, double>, std::optional<std::int64_t>> needed_;
};

/// The exact two-sided p-value of the passes after, given for each test the number of trials that passed in both runs
/// together. Tests without trials on one side, or with only one outcome, carry no information. 1 without tests.
[[nodiscard]] double stratified_p(std::span<const TwoSamples> tests);

/// How often each run must play all tests so that the stratified test finds the observed difference with the
/// requested power, by the normal formula. Null as for repetitions_needed.
[[nodiscard]] std::optional<std::int64_t> stratified_repetitions_needed(std::span<const TwoSamples> tests,
                                                                        const Demand& demand);

/// The observed difference over all tests: the passes after, minus their expected number. Its sign is the
/// direction.
[[nodiscard]] double stratified_difference(std::span<const TwoSamples> tests);

}  // namespace parley::scoring
