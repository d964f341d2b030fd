#include "scoring/two_proportions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace parley::scoring {
namespace {

/// Probabilities that differ by less than this share are equal: rounding must not separate the two tails.
constexpr double tie = 1e-7;
/// Beyond this number of standard deviations, the terms of a distribution are negligible.
constexpr double far = 12;

double log_choose(std::int64_t n, std::int64_t k) {
  const auto log_factorial = [](std::int64_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// The distribution of the passes in the first of two samples with `passed` passes in total, if the outcome
/// does not depend on the sample.
class Hypergeometric {
 public:
  Hypergeometric(std::int64_t first, std::int64_t second, std::int64_t passed)
      : least_(std::max<std::int64_t>(0, passed - second)) {
    const std::int64_t most = std::min(first, passed);
    const auto all = static_cast<double>(first + second);
    const double share = static_cast<double>(passed) / all;
    const double mean = static_cast<double>(first) * share;
    const double variance = all > 1 ? mean * (1 - share) * static_cast<double>(second) / (all - 1) : 0;
    const double width = far * std::sqrt(variance) + far;
    least_ = std::max(least_, static_cast<std::int64_t>(mean - width));
    const std::int64_t last = std::min(most, static_cast<std::int64_t>(mean + width));
    if (last < least_) return;
    terms_.resize(static_cast<std::size_t>(last - least_ + 1));
    const std::int64_t middle = std::clamp(static_cast<std::int64_t>(mean), least_, last);
    at(middle) = std::exp(log_choose(first, middle) + log_choose(second, passed - middle) -
                          log_choose(first + second, passed));
    // Multiplies the neighboring term by a ratio, which is cheaper than three binomial coefficients.
    const auto ratio = [&](std::int64_t k) {
      return static_cast<double>(first - k) * static_cast<double>(passed - k) /
             (static_cast<double>(k + 1) * static_cast<double>(second - passed + k + 1));
    };
    for (std::int64_t k = middle; k < last; ++k) at(k + 1) = at(k) * ratio(k);
    for (std::int64_t k = middle; k > least_; --k) at(k - 1) = at(k) / ratio(k - 1);
  }

  [[nodiscard]] std::int64_t least() const { return least_; }
  [[nodiscard]] const std::vector<double>& terms() const { return terms_; }

 private:
  [[nodiscard]] double& at(std::int64_t k) { return terms_[static_cast<std::size_t>(k - least_)]; }

  std::int64_t least_;
  std::vector<double> terms_;
};

/// The two rejected tails of a distribution: the terms below `low` and those from `high` on.
struct Tails {
  std::size_t low = 0;
  std::size_t high = 0;
  double mass = 0;
};

/// Widens the tails by the least likely terms, ties together, while `continues` accepts the next tails.
template <class Continues>
Tails widened(const std::vector<double>& terms, Continues continues) {
  Tails tails{0, terms.size(), 0};
  while (tails.low < tails.high) {
    const double limit = std::min(terms[tails.low], terms[tails.high - 1]) * (1 + tie);
    Tails next = tails;
    while (next.low < next.high && terms[next.low] <= limit) next.mass += terms[next.low++];
    while (next.low < next.high && terms[next.high - 1] <= limit) next.mass += terms[--next.high];
    if (!continues(next)) break;
    tails = next;
  }
  return tails;
}

/// Fisher's two-sided p-value of a table.
double fisher(const TwoSamples& samples) {
  const Hypergeometric given(samples.before.runs, samples.after.runs,
                             samples.before.passed + samples.after.passed);
  const auto seen = static_cast<std::size_t>(samples.before.passed - given.least());
  if (seen >= given.terms().size()) return 0;  // farther out than any term that counts
  double p = 0;
  for (const double term : given.terms()) {
    if (term <= given.terms()[seen] * (1 + tie)) p += term;
  }
  return std::min(p, 1.0);
}

/// The tables with this number of passes whose Fisher p-value is at most `cutoff`.
Tails rejected(const Hypergeometric& given, double cutoff) {
  return widened(given.terms(), [&](const Tails& next) { return next.mass <= cutoff * (1 + tie); });
}

/// The maximum of a function on (0, 1) that varies no faster than a distribution of `trials` trials.
template <class Function>
double greatest(Function value, std::int64_t trials) {
  // Evenly spaced in the angle, in which the deviation of a share is the same everywhere.
  const auto steps = 48 + static_cast<int>(4 * std::sqrt(static_cast<double>(trials)));
  const double step = std::numbers::pi / 2 / steps;
  const auto at = [&](double angle) { return value(std::pow(std::sin(angle), 2)); };
  double best = 0;
  double best_angle = 0;
  for (int i = 1; i < steps; ++i) {
    const double found = at(i * step);
    if (found > best) {
      best = found;
      best_angle = i * step;
    }
  }
  double low = best_angle - step;
  double high = best_angle + step;
  for (int i = 0; i < 24; ++i) {
    const double left = low + (high - low) / 3;
    const double right = high - (high - low) / 3;
    const double at_left = at(left);
    const double at_right = at(right);
    best = std::max({best, at_left, at_right});
    (at_left < at_right ? low : high) = at_left < at_right ? left : right;
  }
  return best;
}

/// The probability of a table whose Fisher p-value is at most `cutoff`, for the worst common pass rate.
double unconditional(std::int64_t first, std::int64_t second, double cutoff) {
  const std::int64_t trials = first + second;
  struct Row {
    std::int64_t passed;
    double log_weight;
  };
  std::vector<Row> rows;
  for (std::int64_t passed = 0; passed <= trials; ++passed) {
    const double mass = rejected(Hypergeometric(first, second, passed), cutoff).mass;
    if (mass > 0) rows.push_back({passed, std::log(std::min(mass, 1.0)) + log_choose(trials, passed)});
  }
  const auto probability = [&](double rate) {
    double sum = 0;
    const double pass = std::log(rate);
    const double fail = std::log1p(-rate);
    for (const Row& row : rows) {
      sum += std::exp(row.log_weight + static_cast<double>(row.passed) * pass +
                      static_cast<double>(trials - row.passed) * fail);
    }
    return sum;
  };
  return std::min(1.0, greatest(probability, trials));
}

/// The quantile of the standard normal distribution for this probability, by bisection.
double normal_point(double probability) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> binomial(std::int64_t n, double p) {
  std::vector<double> terms;
  for (std::int64_t k = 0; k <= n; ++k) {
    if (p <= 0 || p >= 1) {
      terms.push_back(k == (p <= 0 ? 0 : n) ? 1 : 0);
    } else {
      terms.push_back(std::exp(log_choose(n, k) + static_cast<double>(k) * std::log(p) +
                               static_cast<double>(n - k) * std::log1p(-p)));
    }
  }
  return terms;
}

double spread(double rate) {
  return rate * (1 - rate);
}

/// The least sufficient number. Needs: every greater number is also sufficient.
template <class Suffices>
std::optional<std::int64_t> least_sufficient(Suffices suffices) {
  std::int64_t enough = 1;
  while (!suffices(enough)) {
    if (enough > repetitions_considered_max) return std::nullopt;
    enough *= 2;
  }
  std::int64_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::int64_t middle = too_few + (enough - too_few) / 2;
    (suffices(middle) ? enough : too_few) = middle;
  }
  return enough <= repetitions_considered_max ? std::optional(enough) : std::nullopt;
}

}  // namespace

// ---- one test -----------------------------------------------------------------------------------------------------

double BoschlooTest::p(const TwoSamples& samples) {
  const std::int64_t passed = samples.before.passed + samples.after.passed;
  const std::int64_t trials = samples.before.runs + samples.after.runs;
  if (!samples.is_comparable() || passed == 0 || passed == trials || samples.is_equal()) return 1;
  const auto [at, is_new] = p_values_.try_emplace(
      {samples.before.runs, samples.before.passed, samples.after.runs, samples.after.passed}, 1);
  if (is_new) at->second = unconditional(samples.before.runs, samples.after.runs, fisher(samples));
  return at->second;
}

/// The greatest Fisher p-value that is unconditionally at or below the level; below 0 if no table has one.
double BoschlooTest::cutoff(std::int64_t each, double level) {
  const auto [at, is_new] = cutoffs_.try_emplace({each, level}, -1);
  if (!is_new) return at->second;
  std::vector<double> values;
  for (std::int64_t before = 0; before <= each; ++before) {
    for (std::int64_t after = 0; after < before; ++after)
      values.push_back(fisher({{each, before}, {each, after}}));
  }
  std::sort(values.begin(), values.end());
  values.erase(
      std::unique(values.begin(), values.end(), [](double a, double b) { return b <= a * (1 + tie); }),
      values.end());
  const auto end = std::partition_point(values.begin(), values.end(), [&](double value) {
    // Fisher's own p-value is never smaller, which saves most of the work.
    return value <= level || (value <= 4 * level && unconditional(each, each, value) <= level);
  });
  if (end != values.begin()) at->second = *(end - 1);
  return at->second;
}

double BoschlooTest::power(std::int64_t each, const Rates& rates, double level) {
  if (each <= 0) return 0;
  const double cut = cutoff(each, level);
  if (cut < 0) return 0;
  const auto before = binomial(each, rates.before);
  const auto after = binomial(each, rates.after);
  double power = 0;
  for (std::int64_t passed = 1; passed < 2 * each; ++passed) {
    const Hypergeometric given(each, each, passed);
    const Tails tails = rejected(given, cut);
    for (std::size_t i = 0; i < given.terms().size(); ++i) {
      if (i >= tails.low && i < tails.high) continue;
      const std::int64_t first = given.least() + static_cast<std::int64_t>(i);
      power += before[static_cast<std::size_t>(first)] * after[static_cast<std::size_t>(passed - first)];
    }
  }
  return std::min(power, 1.0);
}

std::optional<std::int64_t> BoschlooTest::repetitions_needed(const Rates& rates, const Demand& demand) {
  const double gap = std::abs(rates.before - rates.after);
  if (gap <= 0 || demand.level <= 0) return std::nullopt;
  const auto [at, is_new] =
      needed_.try_emplace({rates.before, rates.after, demand.level, demand.power}, std::nullopt);
  if (!is_new) return at->second;
  const double middle = (rates.before + rates.after) / 2;
  const double root = normal_point(1 - demand.level / 2) * std::sqrt(2 * spread(middle)) +
                      normal_point(demand.power) * std::sqrt(spread(rates.before) + spread(rates.after));
  const double estimated = std::ceil(root * root / (gap * gap));
  if (!(estimated <= static_cast<double>(repetitions_considered_max))) return std::nullopt;
  at->second = static_cast<std::int64_t>(estimated);
  if (estimated > static_cast<double>(exact_repetitions_max)) return at->second;
  auto each = std::max<std::int64_t>(1, static_cast<std::int64_t>(estimated) / 3);
  while (each < 2 * exact_repetitions_max && power(each, rates, demand.level) < demand.power) ++each;
  at->second = each;
  return at->second;
}

// ---- all tests ----------------------------------------------------------------------------------------------------

double stratified_p(std::span<const TwoSamples> tests) {
  std::vector<double> sum{1};
  std::int64_t least = 0;  ///< the number of passes before, in the first term of `sum`
  std::int64_t seen = 0;
  for (const TwoSamples& test : tests) {
    const std::int64_t passed = test.before.passed + test.after.passed;
    if (!test.is_comparable() || passed == 0 || passed == test.before.runs + test.after.runs) continue;
    const Hypergeometric given(test.before.runs, test.after.runs, passed);
    std::vector<double> next(sum.size() + given.terms().size() - 1);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t k = 0; k < given.terms().size(); ++k) next[i + k] += sum[i] * given.terms()[k];
    }
    least += given.least();
    seen += test.before.passed;
    // Drops negligible terms, so the work grows with the deviation and not with the number of trials.
    constexpr double negligible = 1e-60;
    std::size_t from = 0;
    while (next[from] < negligible && from + 1 < next.size()) ++from;
    std::size_t to = next.size();
    while (to > from + 1 && next[to - 1] < negligible) --to;
    sum.assign(next.begin() + static_cast<std::ptrdiff_t>(from),
               next.begin() + static_cast<std::ptrdiff_t>(to));
    least += static_cast<std::int64_t>(from);
  }
  if (sum.size() == 1 && least == seen) return 1;
  const std::int64_t index = seen - least;
  if (index < 0 || index >= static_cast<std::int64_t>(sum.size())) return 0;
  double p = 0;
  for (const double term : sum) {
    if (term <= sum[static_cast<std::size_t>(index)] * (1 + tie)) p += term;
  }
  return std::min(p, 1.0);
}

double stratified_difference(std::span<const TwoSamples> tests) {
  double difference = 0;
  for (const TwoSamples& test : tests) {
    if (!test.is_comparable()) continue;
    const double share = static_cast<double>(test.before.passed + test.after.passed) /
                         static_cast<double>(test.before.runs + test.after.runs);
    difference += static_cast<double>(test.after.passed) - static_cast<double>(test.after.runs) * share;
  }
  return difference;
}

std::optional<std::int64_t> stratified_repetitions_needed(std::span<const TwoSamples> tests,
                                                          const Demand& demand) {
  double passed = 0;
  double trials = 0;
  for (const TwoSamples& test : tests) {
    if (!test.is_comparable()) continue;
    passed += static_cast<double>(test.before.passed + test.after.passed);
    trials += static_cast<double>(test.before.runs + test.after.runs);
  }
  if (trials == 0 || demand.level <= 0) return std::nullopt;
  // A single trial does not show how much a test varies, so each rate is shrunk toward that of all tests by one trial.
  const auto drawn = [&](const Repetitions& sample) {
    return (static_cast<double>(sample.passed) + passed / trials) / (static_cast<double>(sample.runs) + 1);
  };
  double gap = 0;
  double by_chance = 0;
  double by_rates = 0;
  for (const TwoSamples& test : tests) {
    if (!test.is_comparable()) continue;
    gap += static_cast<double>(test.after.passed) / static_cast<double>(test.after.runs) -
           static_cast<double>(test.before.passed) / static_cast<double>(test.before.runs);
    const double before = drawn(test.before);
    const double after = drawn(test.after);
    by_chance += spread((before + after) / 2);
    by_rates += spread(before) + spread(after);
  }
  gap = std::abs(gap);
  if (gap <= 0) return std::nullopt;
  const double at_level = normal_point(1 - demand.level / 2);
  const double at_power = normal_point(demand.power);
  return least_sufficient([&](std::int64_t each) {
    const auto n = static_cast<double>(each);
    // The difference of one side from its mean, less half a step, because counts are whole numbers.
    return n * gap / 2 - 0.5 >=
           at_level * std::sqrt(by_chance * n * n / (2 * n - 1)) + at_power * std::sqrt(by_rates * n) / 2;
  });
}

}  // namespace parley::scoring
