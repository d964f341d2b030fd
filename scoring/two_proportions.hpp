#pragma once
/// Exact tests of two proportions: whether a test passes more or less often than before. Its repetitions are independent
/// trials, so nothing is paired. Within one test the two-sided unconditional test of Boschloo decides; over several tests
/// the exact conditional test, stratified by test. Pure functions and a cache; one thread at a time.

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
  /// Both passed equally often.
  [[nodiscard]] bool is_equal() const { return before.passed * after.runs == after.passed * before.runs; }
};

/// The p-value at which a difference counts, and the power with which a real one is found.
struct Demand {
  double level = 0.05;
  double power = 0.8;
};

/// The true pass rates of two agents.
struct Rates {
  double before = 0;
  double after = 0;
};

/// The most repetitions that are suggested: a difference that needs more is too small to matter.
inline constexpr std::int64_t repetitions_considered_max = 100'000;

/// Boschloo's test: the probability of a table whose two-sided p-value of Fisher is at most the observed one, for
/// the common pass rate that maximises it. Caches its computations: tests of one run have much in common.
class BoschlooTest {
 public:
  /// 1 unless both samples have trials.
  [[nodiscard]] double p(const TwoSamples& samples);
  /// The probability that p is at or below the level with `each` repetitions on both sides.
  [[nodiscard]] double power(std::int64_t each, const Rates& rates, double level);
  /// The least number of repetitions on each side that finds such a difference with the requested power: exact up to
  /// exact_repetitions_max, and by the normal formula beyond. Null if the rates are equal, or if it takes more than
  /// repetitions_considered_max.
  [[nodiscard]] std::optional<std::int64_t> repetitions_needed(const Rates& rates, const Demand& demand);

  static constexpr std::int64_t exact_repetitions_max = 50;

 private:
  [[nodiscard]] double cutoff(std::int64_t each, double level);

  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, double> p_values_;
  std::map<std::pair<std::int64_t, double>, double> cutoffs_;
  std::map<std::tuple<double, double, double, double>, std::optional<std::int64_t>> needed_;
};

/// The exact two-sided p-value of the passes after, given the number of trials of each test that passed in both runs together.
/// Tests without trials on one side, or always with the same outcome, carry no information. 1 without tests.
[[nodiscard]] double stratified_p(std::span<const TwoSamples> tests);

/// How many times all tests must be played in each run, so that the stratified test finds the observed difference with the
/// requested power, by the normal formula. Null as for repetitions_needed.
[[nodiscard]] std::optional<std::int64_t> stratified_repetitions_needed(std::span<const TwoSamples> tests,
                                                                        const Demand& demand);

/// The observed difference over all tests: how many more passes after than were expected. Its sign is the direction.
[[nodiscard]] double stratified_difference(std::span<const TwoSamples> tests);

}  // namespace parley::scoring
