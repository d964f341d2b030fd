#include "scoring/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::scoring {
namespace {

/// C(some, k) / C(all, k): the share of the k-subsets that lie within `some`. Factor by factor, so nothing
/// overflows.
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

/// The 97.5 % point of the normal distribution: 95 % lie within.
constexpr double wilson_z = 1.959963984540054;
/// Pairs up to which the power is summed up exactly; beyond them the normal formula is as good.
constexpr std::int64_t exact_pairs_max = 2'000;

double log_choose(std::int64_t n, std::int64_t k) {
  const auto log_factorial = [](std::int64_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// P(X = k) for n trials with probability p.
double binomial(std::int64_t n, std::int64_t k, double p) {
  if (p <= 0) return k == 0 ? 1 : 0;
  if (p >= 1) return k == n ? 1 : 0;
  return std::exp(log_choose(n, k) + static_cast<double>(k) * std::log(p) +
                  static_cast<double>(n - k) * std::log1p(-p));
}

/// P(X <= k). Sums from the far end down to what no longer counts.
double binomial_up_to(std::int64_t n, std::int64_t k, double p) {
  double sum = 0;
  if (p <= 0) return 1;
  if (p >= 1) return k >= n ? 1 : 0;
  double term = binomial(n, k, p);
  for (std::int64_t i = k; i >= 0 && term > 0; --i) {
    sum += term;
    if (term < sum * 1e-18) break;
    term *= static_cast<double>(i) / static_cast<double>(n - i + 1) * (1 - p) / p;
  }
  return std::min(sum, 1.0);
}

/// The greatest number of pairs in the rarer direction that is still at or below the level; -1 when none is.
std::int64_t critical_count(std::int64_t differing, double level) {
  double sum = 0;
  double term = binomial(differing, 0, 0.5);
  std::int64_t count = -1;
  for (std::int64_t i = 0; i <= differing; ++i) {
    sum += term;
    if (2 * sum > level) return count;
    count = i;
    term *= static_cast<double>(differing - i) / static_cast<double>(i + 1);
  }
  return count;
}

/// The point that a standard normal variable stays below with this probability, by bisection.
double normal_point(double probability) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

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
  // At the ends the formula is exact, binary fractions are not.
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

double sign_test(const Differences& differences) {
  const std::int64_t differing = differences.better + differences.worse;
  const std::int64_t rarer = std::min(differences.better, differences.worse);
  return std::min(1.0, 2 * binomial_up_to(differing, rarer, 0.5));
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

double power_of(std::int64_t pairs, const DifferenceRates& rates, double level) {
  const double differs = std::min(1.0, rates.better + rates.worse);
  if (pairs <= 0 || differs <= 0) return 0;
  const double expected = static_cast<double>(pairs) * differs;
  const double width = 8 * std::sqrt(expected * (1 - differs)) + 8;
  const auto from = static_cast<std::int64_t>(std::max(0.0, expected - width));
  const std::int64_t to = std::min(pairs, static_cast<std::int64_t>(expected + width));
  double power = 0;
  for (std::int64_t differing = from; differing <= to; ++differing) {
    const std::int64_t critical = critical_count(differing, level);
    if (critical < 0) continue;
    const double worse = rates.worse / (rates.better + rates.worse);
    power += binomial(pairs, differing, differs) *
             std::min(1.0, binomial_up_to(differing, critical, worse) +
                               binomial_up_to(differing, critical, 1 - worse));
  }
  return std::min(1.0, power);
}

std::optional<std::int64_t> pairs_needed(const DifferenceRates& rates, const Demand& demand) {
  const double gap = std::abs(rates.better - rates.worse);
  const double differs = std::min(1.0, rates.better + rates.worse);
  if (gap <= 0 || demand.level <= 0) return std::nullopt;
  const double root = normal_point(1 - demand.level / 2) * std::sqrt(differs) +
                      normal_point(demand.power) * std::sqrt(std::max(0.0, differs - gap * gap));
  const double estimated = std::ceil(root * root / (gap * gap));
  if (!(estimated <= static_cast<double>(pairs_considered_max))) return std::nullopt;
  auto pairs = static_cast<std::int64_t>(estimated);
  // The exact test asks for a little more than the formula, which takes the counts for normal.
  while (pairs <= exact_pairs_max && power_of(pairs, rates, demand.level) < demand.power) {
    pairs += std::max<std::int64_t>(1, pairs / 50);
  }
  return pairs;
}

}  // namespace parley::scoring
