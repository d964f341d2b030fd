#include "scoring/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::scoring {
namespace {

/// C(some, k) / C(all, k): the share of all k-subsets that lie within `some`. Computed factor by factor, so
/// nothing overflows.
double subset_share(std::int64_t some, std::int64_t all, std::int64_t k) {
  double share = 1;
  for (std::int64_t i = 0; i < k && share > 0; ++i) {
    share *= static_cast<double>(some - i) / static_cast<double>(all - i);
  }
  return share;
}

bool is_estimable(const Repetitions& repetitions, std::int64_t k) {
  return k >= 1 && k <= repetitions.runs && repetitions.passed >= 0 && repetitions.passed <= repetitions.runs;
}

/// The 97.5 % quantile of the normal distribution: 95 % of the values lie within plus or minus this.
constexpr double wilson_z = 1.959963984540054;

}  // namespace

MeasureSums sums_of(std::span<const Entry> entries) {
  MeasureSums sums;
  sums.turns = 0;
  for (const Entry& entry : entries) {
    if (is_tester_turn(entry)) ++*sums.turns;
    if (!is_chatbot_message(entry)) continue;
    if (const auto metadata = json::parse(entry.metadata.text); metadata.ok()) {
      const Measures measures = measures_of(metadata.value().root());
      sums.add(measures);
      if (measures.response_time) add_latency(sums.times, *measures.response_time);
    }
  }
  return sums;
}

std::optional<double> pass_at_k(const Repetitions& repetitions, std::int64_t k) {
  if (!is_estimable(repetitions, k)) return std::nullopt;
  return 1 - subset_share(repetitions.runs - repetitions.passed, repetitions.runs, k);
}

std::optional<double> pass_hat_k(const Repetitions& repetitions, std::int64_t k) {
  if (!is_estimable(repetitions, k)) return std::nullopt;
  return subset_share(repetitions.passed, repetitions.runs, k);
}

Interval wilson(const Repetitions& repetitions) {
  if (repetitions.runs <= 0) return {};
  const auto n = static_cast<double>(repetitions.runs);
  const double rate = static_cast<double>(repetitions.passed) / n;
  const double z2 = wilson_z * wilson_z;
  const double middle = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const double half = wilson_z / (1 + z2 / n) * std::sqrt(rate * (1 - rate) / n + z2 / (4 * n * n));
  // At the ends the formula is exact, but binary fractions are not.
  return {repetitions.passed == 0 ? 0 : std::max(0.0, middle - half),
          repetitions.passed == repetitions.runs ? 1 : std::min(1.0, middle + half)};
}

Rate rate_of(const Trials& trials) {
  const std::int64_t decided = trials.passed + trials.failed;
  const std::int64_t all = decided + trials.open;
  Rate rate;
  rate.interval = wilson({decided, trials.passed});
  if (decided > 0) rate.value = static_cast<double>(trials.passed) / static_cast<double>(decided);
  rate.coverage = all > 0 ? static_cast<double>(decided) / static_cast<double>(all) : 1;
  if (all > 0) {
    rate.bounds = {static_cast<double>(trials.passed) / static_cast<double>(all),
                   static_cast<double>(trials.passed + trials.open) / static_cast<double>(all)};
  }
  return rate;
}

std::vector<double> false_discovery_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const double scaled =
        p_values[order[rank - 1]] * static_cast<double>(order.size()) / static_cast<double>(rank);
    least = std::min(least, scaled);
    adjusted[order[rank - 1]] = least;
  }
  return adjusted;
}

}  // namespace parley::scoring
