#pragma once
/// How well a judge agrees with people on one criterion: Cohen's kappa, which discounts agreement by chance,
/// with its 95 % confidence interval. Pure; any thread.

#include <cstdint>
#include <optional>

#include "scoring/statistics.hpp"

namespace parley::scoring {

/// Pairs of verdicts on the same result: the person's first.
struct Agreement {
  std::int64_t both_passed = 0;
  std::int64_t person_passed = 0;  ///< the person passed it and the judge failed it
  std::int64_t judge_passed = 0;   ///< the judge passed it and the person failed it
  std::int64_t both_failed = 0;

  void add(bool person, bool judge);
  [[nodiscard]] std::int64_t pairs() const {
    return both_passed + person_passed + judge_passed + both_failed;
  }
};

struct Kappa {
  double base_rate = 0;         ///< share of results that people passed
  std::optional<double> value;  ///< nullopt if chance alone explains everything, as with equal verdicts
  Interval interval{-1, 1};
};
/// Needs: at least one pair.
[[nodiscard]] Kappa kappa_of(const Agreement& agreement);

}  // namespace parley::scoring
