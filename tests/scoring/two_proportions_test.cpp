// Exact tests of two proportions, checked against manual calculations, against enumeration, and against each other.

#include "scoring/two_proportions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

namespace parley::scoring {
namespace {

TwoSamples samples(std::int64_t passed_before, std::int64_t before, std::int64_t passed_after,
                   std::int64_t after) {
  return {{before, passed_before}, {after, passed_after}};
}

TEST(BoschlooTest, agrees_with_numbers_by_hand) {
  BoschlooTest exact;
  // All against none: both extreme tables, at a common rate of one half. With one trial on each side, nothing can be
  // concluded.
  EXPECT_EQ(exact.p(samples(0, 1, 1, 1)), 1);
  for (const int n : {2, 3, 5, 10})
    EXPECT_NEAR(exact.p(samples(0, n, n, n)), 2 / std::pow(4.0, n), 1e-9) << n;
  EXPECT_EQ(exact.p(samples(3, 5, 3, 5)), 1);
  EXPECT_EQ(exact.p(samples(1, 2, 3, 6)), 1);
  EXPECT_EQ(exact.p(samples(5, 5, 9, 9)), 1);
  EXPECT_EQ(exact.p(samples(0, 0, 9, 9)), 1);
  EXPECT_EQ(exact.p({}), 1);
}

TEST(BoschlooTest, does_not_depend_on_which_side_or_outcome_comes_first) {
  BoschlooTest exact;
  const double p = exact.p(samples(2, 7, 8, 9));
  EXPECT_NEAR(exact.p(samples(8, 9, 2, 7)), p, 1e-9);
  EXPECT_NEAR(exact.p(samples(5, 7, 1, 9)), p, 1e-9);
  EXPECT_GT(p, 0);
  EXPECT_LT(p, 0.05);
}

double choose(int n, int k) {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

/// Fisher's two-sided p-value by its definition.
double fisher_by_definition(int first, int second, int a, int b) {
  const auto ways = [&](int k) { return choose(first, k) * choose(second, a + b - k); };
  double sum = 0;
  for (int k = std::max(0, a + b - second); k <= std::min(first, a + b); ++k) {
    if (ways(k) <= ways(a) * (1 + 1e-7)) sum += ways(k);
  }
  return sum / choose(first + second, a + b);
}

/// Boschloo's p-value by its definition: over all tables, at 2,000 rates.
double boschloo_by_definition(int first, int second, int a, int b) {
  const double seen = fisher_by_definition(first, second, a, b);
  double greatest = 0;
  for (int step = 1; step < 2'000; ++step) {
    const double rate = step / 2'000.0;
    double sum = 0;
    for (int x = 0; x <= first; ++x) {
      for (int y = 0; y <= second; ++y) {
        if (fisher_by_definition(first, second, x, y) > seen * (1 + 1e-7)) continue;
        sum += choose(first, x) * choose(second, y) * std::pow(rate, x + y) *
               std::pow(1 - rate, first + second - x - y);
      }
    }
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

TEST(BoschlooTest, agrees_with_its_definition) {
  BoschlooTest exact;
  const std::vector<std::array<int, 4>> tables{{5, 1, 5, 4}, {4, 0, 7, 5}, {6, 6, 3, 1}, {8, 2, 8, 7}};
  for (const auto& [first, a, second, b] : tables) {
    EXPECT_NEAR(exact.p(samples(a, first, b, second)), boschloo_by_definition(first, second, a, b), 2e-5)
        << a << "/" << first << " " << b << "/" << second;
  }
}

TEST(BoschlooTest, is_at_or_below_a_level_no_more_often_than_the_level_says) {
  BoschlooTest exact;
  for (const int each : {3, 5, 10, 20}) {
    for (const double rate : {0.05, 0.2, 0.5, 0.73, 0.95}) {
      for (const double level : {0.05, 0.01})
        EXPECT_LE(exact.power(each, {rate, rate}, level), level * (1 + 1e-6)) << each << " " << rate;
    }
  }
}

TEST(BoschlooTest, has_the_power_that_its_own_p_values_have) {
  BoschlooTest exact;
  constexpr int each = 6;
  double power = 0;
  for (int x = 0; x <= each; ++x) {
    for (int y = 0; y <= each; ++y) {
      if (exact.p(samples(x, each, y, each)) > 0.05) continue;
      power += choose(each, x) * std::pow(0.9, x) * std::pow(0.1, each - x) * choose(each, y) *
               std::pow(0.3, y) * std::pow(0.7, each - y);
    }
  }
  EXPECT_NEAR(exact.power(each, {0.9, 0.3}, 0.05), power, 1e-9);
  EXPECT_EQ(exact.power(0, {1, 0}, 0.05), 0);
  EXPECT_EQ(exact.power(2, {1, 0}, 0.05), 0);
  EXPECT_NEAR(exact.power(3, {1, 0}, 0.05), 1, 1e-9);
}

TEST(BoschlooTest, says_how_many_repetitions_would_decide) {
  BoschlooTest exact;
  EXPECT_EQ(exact.repetitions_needed({1, 0}, {}), 3);
  EXPECT_EQ(exact.repetitions_needed({0.2, 0.2}, {}), std::nullopt);
  EXPECT_EQ(exact.repetitions_needed({0.1001, 0.1}, {}), std::nullopt);  // far more than anyone would run
  const auto needed = exact.repetitions_needed({0.9, 0.4}, {}).value();
  EXPECT_GE(exact.power(needed, {0.9, 0.4}, 0.05), 0.8);
  EXPECT_LT(exact.power(needed - 1, {0.9, 0.4}, 0.05), 0.8);
  const auto many = exact.repetitions_needed({0.9, 0.8}, {}).value();
  EXPECT_NEAR(static_cast<double>(many), 199, 3);  // the normal formula
}

TEST(StratifiedP, is_Fisher_for_one_test_and_the_sign_test_for_single_trials) {
  const std::vector one{samples(3, 8, 7, 8)};
  EXPECT_NEAR(stratified_p(one), fisher_by_definition(8, 8, 3, 7), 1e-9);
  std::vector<TwoSamples> pairs(9, samples(1, 1, 1, 1));  // these contribute nothing
  for (int i = 0; i < 9; ++i) pairs.push_back(i < 6 ? samples(0, 1, 1, 1) : samples(1, 1, 0, 1));
  EXPECT_NEAR(stratified_p(pairs), 0.5078125, 1e-12);
  EXPECT_EQ(stratified_p({}), 1);
}

TEST(StratifiedP, is_not_misled_by_tests_that_were_played_more_often) {
  // The second side has more trials of the easy test, the first side of the hard one: pooled, this would look like
  // progress.
  const std::vector tests{samples(9, 10, 90, 100), samples(10, 100, 1, 10)};
  EXPECT_GT(stratified_p(tests), 0.9);
  EXPECT_NEAR(stratified_difference(tests), 0, 1e-9);
}

TEST(StratifiedP, finds_what_no_test_shows_alone) {
  const std::vector<TwoSamples> tests(12, samples(2, 2, 1, 2));
  EXPECT_LT(stratified_p(tests), 0.001);
  EXPECT_LT(stratified_difference(tests), 0);
}

TEST(StratifiedRepetitionsNeeded, has_about_the_stated_power) {
  // Eight tests with five trials each: the assumed rates are the observed ones.
  const std::vector<TwoSamples> seen{samples(5, 5, 4, 5), samples(4, 5, 3, 5), samples(3, 5, 3, 5),
                                     samples(5, 5, 5, 5), samples(2, 5, 1, 5), samples(4, 5, 4, 5),
                                     samples(1, 5, 1, 5), samples(3, 5, 2, 5)};
  const auto needed = stratified_repetitions_needed(seen, {}).value();
  EXPECT_GT(needed, 5);
  std::mt19937 random(7);
  constexpr int rounds = 400;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<TwoSamples> drawn;
    for (const TwoSamples& test : seen) {
      std::binomial_distribution<std::int64_t> before(needed, static_cast<double>(test.before.passed) / 5);
      std::binomial_distribution<std::int64_t> after(needed, static_cast<double>(test.after.passed) / 5);
      const auto passed = before(random);
      drawn.push_back(samples(passed, needed, after(random), needed));
    }
    if (stratified_p(drawn) <= 0.05) ++found;
  }
  EXPECT_GE(found, rounds * 70 / 100) << needed;
  EXPECT_LE(found, rounds * 99 / 100) << needed;
  EXPECT_EQ(stratified_repetitions_needed({}, {}), std::nullopt);
}

TEST(TwoProportions, decides_forty_thousand_results_in_a_second) {
  std::mt19937 random(3);
  const auto begun = std::chrono::steady_clock::now();
  BoschlooTest exact;
  std::vector<TwoSamples> tests;
  for (const std::int64_t each : {1, 5, 20, 100, 2'000}) {
    std::binomial_distribution<std::int64_t> outcomes(each, 0.8);
    for (std::int64_t trials = 0; trials < 4'000; trials += each) {
      const auto passed = outcomes(random);
      tests.push_back(samples(passed, each, outcomes(random), each));
      EXPECT_LE(exact.p(tests.back()), 1);
    }
  }
  EXPECT_GT(stratified_p(tests), 0.001);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  std::cout << took.count() << " s for " << tests.size() << " tests\n";
  EXPECT_LT(took.count(), 5) << "some 20 times what it takes, should the machine be busy";
}

}  // namespace
}  // namespace parley::scoring
