#include "scoring/comparison.hpp"

#include <algorithm>

namespace parley::scoring {
namespace {

void count(Compared& compared, const PairedTrial& trial) {
  if (!trial.before || !trial.after) {
    ++compared.open;
    return;
  }
  ++compared.pairs;
  if (*trial.before) ++compared.passed_before;
  if (*trial.after) ++compared.passed_after;
  if (*trial.after && !*trial.before) ++compared.differences.better;
  if (*trial.before && !*trial.after) ++compared.differences.worse;
}

Change change_of(const Compared& compared, double level) {
  const Differences& differences = compared.differences;
  if (compared.pairs == 0) return Change::undecided;
  if (differences.better + differences.worse == 0) return Change::unchanged;
  if (compared.adjusted_p > level) return Change::undecided;
  return differences.better > differences.worse ? Change::fixed : Change::regressed;
}

std::optional<std::int64_t> further_pairs(const Compared& compared, const Demand& demand) {
  if (compared.change != Change::undecided || compared.pairs == 0) return std::nullopt;
  const auto share = [&](std::int64_t of) {
    return static_cast<double>(of) / static_cast<double>(compared.pairs);
  };
  const auto needed =
      pairs_needed({share(compared.differences.better), share(compared.differences.worse)}, demand);
  if (!needed) return std::nullopt;
  return std::max<std::int64_t>(1, *needed - compared.pairs);
}

void adjust(std::vector<Compared>& tests) {
  // A test without pairs was not asked, so it does not count among the questions.
  std::vector<double> p_values;
  for (const Compared& test : tests) {
    if (test.pairs > 0) p_values.push_back(test.p);
  }
  const auto adjusted = false_discovery_adjusted(p_values);
  std::size_t index = 0;
  for (Compared& test : tests) {
    if (test.pairs > 0) test.adjusted_p = adjusted[index++];
  }
}

}  // namespace

Comparison compare(std::span<const PairedTrial> trials, const Demand& demand) {
  Comparison comparison;
  for (const PairedTrial& trial : trials) {
    if (trial.test >= comparison.tests.size()) comparison.tests.resize(trial.test + 1);
    count(comparison.tests[trial.test], trial);
    count(comparison.overall, trial);
  }
  Compared& overall = comparison.overall;
  overall.adjusted_p = overall.p = sign_test(overall.differences);
  overall.change = change_of(overall, demand.level);
  overall.further_pairs = further_pairs(overall, demand);

  for (Compared& test : comparison.tests) test.p = sign_test(test.differences);
  adjust(comparison.tests);
  std::int64_t asked = 0;
  std::int64_t found = 0;
  for (Compared& test : comparison.tests) {
    test.change = change_of(test, demand.level);
    if (test.pairs > 0) ++asked;
    if (test.change == Change::fixed || test.change == Change::regressed) ++found;
  }
  // One more discovery beside the existing ones would have to reach this level.
  const Demand of_one{
      demand.level * static_cast<double>(found + 1) / static_cast<double>(std::max<std::int64_t>(asked, 1)),
      demand.power};
  for (Compared& test : comparison.tests) test.further_pairs = further_pairs(test, of_one);
  if (overall.further_pairs && asked > 0)
    comparison.further_repetitions = (*overall.further_pairs + asked - 1) / asked;
  return comparison;
}

}  // namespace parley::scoring
