#include "scoring/comparison.hpp"

#include <algorithm>

namespace parley::scoring {
namespace {

void count(Repetitions& sample, const std::optional<bool>& outcome) {
  if (!outcome) return;
  ++sample.runs;
  if (*outcome) ++sample.passed;
}

void count(Compared& compared, const PairedTrial& trial) {
  count(compared.trials.before, trial.before);
  count(compared.trials.after, trial.after);
  if (!trial.before || !trial.after) {
    ++compared.open;
    return;
  }
  ++compared.pairs;
  if (*trial.after && !*trial.before) ++compared.better;
  if (*trial.before && !*trial.after) ++compared.worse;
}

double rate_of(const Repetitions& sample) {
  return static_cast<double>(sample.passed) / static_cast<double>(sample.runs);
}

Change change_of(const Compared& test, double level) {
  if (!test.trials.is_comparable()) return Change::undecided;
  if (test.trials.is_equal()) return Change::unchanged;
  if (test.adjusted_p > level) return Change::undecided;
  return rate_of(test.trials.after) > rate_of(test.trials.before) ? Change::fixed : Change::regressed;
}

Change overall_change(const Compared& overall, std::span<const TwoSamples> tests, double level) {
  const auto is_equal = [](const TwoSamples& test) { return !test.is_comparable() || test.is_equal(); };
  const bool says_something =
      std::any_of(tests.begin(), tests.end(), [](const TwoSamples& test) { return test.is_comparable(); });
  if (!says_something) return Change::undecided;
  if (std::all_of(tests.begin(), tests.end(), is_equal)) return Change::unchanged;
  if (overall.p > level) return Change::undecided;
  return stratified_difference(tests) > 0 ? Change::fixed : Change::regressed;
}

void adjust(std::vector<Compared>& tests) {
  // A test with trials on only one side cannot be compared, so it does not count as a test.
  std::vector<double> p_values;
  for (const Compared& test : tests) {
    if (test.trials.is_comparable()) p_values.push_back(test.p);
  }
  const auto adjusted = false_discovery_adjusted(p_values);
  std::size_t index = 0;
  for (Compared& test : tests) {
    if (test.trials.is_comparable()) test.adjusted_p = adjusted[index++];
  }
}

std::int64_t fewer_of(const TwoSamples& samples) {
  return std::min(samples.before.runs, samples.after.runs);
}

std::optional<std::int64_t> beyond(std::optional<std::int64_t> needed, std::int64_t played) {
  if (!needed) return std::nullopt;
  return std::max<std::int64_t>(1, *needed - played);
}

/// If tests have different numbers of repetitions, further repetitions are added to the mean.
std::int64_t usual_repetitions(std::span<const TwoSamples> tests) {
  std::int64_t played = 0;
  std::int64_t asked = 0;
  for (const TwoSamples& test : tests) {
    if (!test.is_comparable()) continue;
    played += fewer_of(test);
    ++asked;
  }
  return asked > 0 ? played / asked : 0;
}

}  // namespace

Comparison compare(std::span<const PairedTrial> trials, const Demand& demand) {
  Comparison comparison;
  for (const PairedTrial& trial : trials) {
    if (trial.test >= comparison.tests.size()) comparison.tests.resize(trial.test + 1);
    count(comparison.tests[trial.test], trial);
    count(comparison.overall, trial);
  }
  std::vector<TwoSamples> samples;
  for (const Compared& test : comparison.tests) samples.push_back(test.trials);
  Compared& overall = comparison.overall;
  overall.adjusted_p = overall.p = stratified_p(samples);
  overall.change = overall_change(overall, samples, demand.level);
  if (overall.change == Change::undecided) {
    overall.further_repetitions =
        beyond(stratified_repetitions_needed(samples, demand), usual_repetitions(samples));
  }

  BoschlooTest exact;
  for (Compared& test : comparison.tests) test.p = exact.p(test.trials);
  adjust(comparison.tests);
  std::int64_t asked = 0;
  std::int64_t found = 0;
  for (Compared& test : comparison.tests) {
    test.change = change_of(test, demand.level);
    if (test.trials.is_comparable()) ++asked;
    if (test.change == Change::fixed || test.change == Change::regressed) ++found;
  }
  // The level that one more discovery, in addition to the existing ones, would have to reach.
  const Demand of_one{
      demand.level * static_cast<double>(found + 1) / static_cast<double>(std::max<std::int64_t>(asked, 1)),
      demand.power};
  for (Compared& test : comparison.tests) {
    if (test.change != Change::undecided || !test.trials.is_comparable()) continue;
    const Rates rates{rate_of(test.trials.before), rate_of(test.trials.after)};
    test.further_repetitions = beyond(exact.repetitions_needed(rates, of_one), fewer_of(test.trials));
  }
  return comparison;
}

}  // namespace parley::scoring
