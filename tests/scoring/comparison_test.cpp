// Rates, exact tests and comparisons, against numbers that others published and against recorded trials.

#include "scoring/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <random>

#include "tests/scoring/shared_data.hpp"

namespace parley::scoring {
namespace {

TEST(Wilson, agrees_with_the_published_formula) {
  const Interval half = wilson({10, 5});
  EXPECT_NEAR(half.low, 0.23659, 1e-5);
  EXPECT_NEAR(half.high, 0.76341, 1e-5);
  const Interval none = wilson({20, 0});
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.16113, 1e-5);
  EXPECT_EQ(wilson({20, 20}).high, 1);
  EXPECT_EQ(wilson({0, 0}), (Interval{0, 1}));
}

TEST(RateOf, shows_coverage_and_bounds_beside_the_rate) {
  EXPECT_EQ(rate_of({6, 2, 2}), (Rate{0.75, 0.8, wilson({8, 6}), {0.6, 0.8}}));
  EXPECT_EQ(rate_of({0, 0, 4}), (Rate{std::nullopt, 0, {0, 1}, {0, 1}}));
  EXPECT_EQ(rate_of({}), (Rate{std::nullopt, 1, {0, 1}, {0, 1}}));
  EXPECT_TRUE(is_flaky({4, 1}));
  EXPECT_FALSE(is_flaky({4, 4}));
  EXPECT_FALSE(is_flaky({4, 0}));
}

TEST(SignTest, is_exact_and_two_sided) {
  EXPECT_DOUBLE_EQ(sign_test({0, 0}), 1);
  EXPECT_DOUBLE_EQ(sign_test({0, 1}), 1);
  EXPECT_NEAR(sign_test({0, 6}), 0.03125, 1e-12);
  EXPECT_NEAR(sign_test({6, 3}), 0.5078125, 1e-12);
  EXPECT_NEAR(sign_test({3, 6}), 0.5078125, 1e-12);
  EXPECT_NEAR(sign_test({5, 5}), 1, 1e-12);
  EXPECT_NEAR(sign_test({400, 500}), 0.000953, 1e-5);
  EXPECT_GT(sign_test({0, 1000}), 0);
}

TEST(FalseDiscoveryAdjusted, steps_up_after_Benjamini_and_Hochberg) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const auto adjusted = false_discovery_adjusted(p);
  const std::vector<double> wanted{0.02, 0.04, 0.04, 0.02};
  ASSERT_EQ(adjusted.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(adjusted[i], wanted[i], 1e-12) << i;
  EXPECT_TRUE(false_discovery_adjusted({}).empty());
}

TEST(PairsNeeded, is_the_least_number_with_the_power) {
  // Six that all differ the same way are the first that reach 0.05.
  EXPECT_EQ(pairs_needed({0, 1}, {}), 6);
  EXPECT_EQ(pairs_needed({0.2, 0.2}, {}), std::nullopt);
  EXPECT_EQ(pairs_needed({0, 0}, {}), std::nullopt);
  EXPECT_EQ(pairs_needed({0.1001, 0.1}, {}), std::nullopt);  // far more than anybody will play
  const auto pairs = pairs_needed({0.05, 0.25}, {}).value();
  EXPECT_GE(power_of(pairs, {0.05, 0.25}, 0.05), 0.8);
  EXPECT_LT(power_of(pairs - 4, {0.05, 0.25}, 0.05), 0.8);
  EXPECT_NEAR(power_of(6, {0, 1}, 0.05), 1, 1e-12);
  EXPECT_EQ(power_of(5, {0, 1}, 0.05), 0);
  EXPECT_NEAR(power_of(6, {0, 0.9}, 0.05), std::pow(0.9, 6), 1e-12);
  EXPECT_EQ(power_of(0, {0, 1}, 0.05), 0);
}

std::vector<PairedTrial> repeated(std::size_t test, int times, bool before, bool after) {
  return std::vector<PairedTrial>(static_cast<std::size_t>(times), {test, before, after});
}

TEST(Compare, tells_what_regressed_from_what_nobody_knows) {
  auto trials = repeated(0, 12, true, false);
  for (const auto& more : {repeated(1, 12, false, true), repeated(2, 1, true, false),
                           repeated(2, 2, true, true), repeated(3, 3, false, false)})
    trials.insert(trials.end(), more.begin(), more.end());
  trials.push_back({4, std::nullopt, true});
  trials.push_back({5, true, false});
  trials.push_back({5, false, true});
  const Comparison comparison = compare(trials);
  std::vector<std::string_view> changes;
  for (const Compared& test : comparison.tests) changes.push_back(word_of(test.change));
  EXPECT_EQ(changes, (std::vector<std::string_view>{"regressed", "fixed", "undecided", "unchanged",
                                                    "undecided", "undecided"}));
  EXPECT_GT(comparison.tests[2].further_pairs.value(), 5);
  EXPECT_EQ(comparison.tests[4].open, 1);
  EXPECT_EQ(comparison.tests[4].further_pairs, std::nullopt);
  EXPECT_EQ(comparison.tests[5].further_pairs, std::nullopt) << "as many better as worse";
  EXPECT_EQ(comparison.overall.pairs, 32);
  EXPECT_EQ(comparison.overall.change, Change::undecided);
  EXPECT_EQ(compare({}).overall.change, Change::undecided);
}

TEST(Compare, holds_the_level_over_many_tests) {
  // One of 20 tests at p = 0.03 is what chance gives; alone it would be found.
  const auto one = repeated(0, 6, true, false);
  EXPECT_EQ(compare(one).tests[0].change, Change::regressed);
  auto many = one;
  for (std::size_t test = 1; test < 20; ++test) {
    const auto same = repeated(test, 6, true, true);
    many.insert(many.end(), same.begin(), same.end());
  }
  const Comparison comparison = compare(many);
  EXPECT_EQ(comparison.tests[0].change, Change::undecided);
  EXPECT_GT(comparison.tests[0].further_pairs.value(), 0);
  EXPECT_EQ(comparison.tests[1].change, Change::unchanged);
}

/// The outcomes of trials, by task.
using Trials = std::map<std::int64_t, std::vector<bool>>;

/// Four trials of each of 50 tasks: some always fail, some always pass, and half of them are flaky.
Trials sample_trials() {
  constexpr std::array passes{0, 0, 0, 1, 1, 2, 2, 3, 4, 4};
  Trials tasks;
  for (std::int64_t task = 0; task < 50; ++task) {
    for (int trial = 0; trial < 4; ++trial)
      tasks[task].push_back(trial < passes.at(static_cast<std::size_t>(task) % passes.size()));
  }
  return tasks;
}

Trials recorded_trials(const json::Document& document) {
  Trials tasks;
  for (const json::Value& row : document.root().children())
    tasks[row.find("task_id")->integer().value()].push_back(row.find("reward")->number() == 1);
  return tasks;
}

constexpr const char* trials_file = "tau-bench/gpt-4o-airline.json";

TEST(RecordedTrials, give_the_published_pass_hat_k) {
  const auto document = shared_data(trials_file);
  if (!document) GTEST_SKIP() << no_shared_data;
  const auto tasks = recorded_trials(*document);
  ASSERT_EQ(tasks.size(), 50u);
  const std::vector<double> published{0.420, 0.273, 0.220, 0.200};
  std::size_t flaky = 0;
  for (std::int64_t k = 1; k <= 4; ++k) {
    double sum = 0;
    for (const auto& [task, trials] : tasks)
      sum += pass_hat_k({4, std::count(trials.begin(), trials.end(), true)}, k).value();
    EXPECT_NEAR(sum / 50, published[static_cast<std::size_t>(k - 1)], 0.0005) << k;
  }
  for (const auto& [task, trials] : tasks)
    if (is_flaky({4, std::count(trials.begin(), trials.end(), true)})) ++flaky;
  EXPECT_EQ(flaky, 26u);
}

void expect_few_false_changes(const Trials& tasks) {
  std::mt19937 random(5);
  constexpr int splits = 1'000;
  int false_regressions = 0;
  int false_changes = 0;
  for (int split = 0; split < splits; ++split) {
    std::vector<PairedTrial> pairs;
    std::size_t number = 0;
    for (const auto& [task, recorded] : tasks) {
      auto trials = recorded;
      std::shuffle(trials.begin(), trials.end(), random);
      pairs.push_back({number, trials[0], trials[2]});
      pairs.push_back({number++, trials[1], trials[3]});
    }
    const Comparison comparison = compare(pairs);
    bool regressed = comparison.overall.change == Change::regressed;
    bool changed = regressed || comparison.overall.change == Change::fixed;
    for (const Compared& test : comparison.tests) {
      regressed = regressed || test.change == Change::regressed;
      changed = changed || test.change == Change::regressed || test.change == Change::fixed;
    }
    if (regressed) ++false_regressions;
    if (changed) ++false_changes;
  }
  std::cout << false_regressions << " false regressions, " << false_changes << " false changes in " << splits
            << " splits\n";
  EXPECT_LE(false_changes, splits * Demand{}.level);
  EXPECT_LE(false_regressions, splits * Demand{}.level / 2);
  EXPECT_GT(false_changes, 0) << "a comparison that never finds anything is no comparison";
}

TEST(SampleTrials, halves_of_one_agent_rarely_look_like_a_regression) {
  expect_few_false_changes(sample_trials());
}

TEST(RecordedTrials, halves_of_one_agent_rarely_look_like_a_regression) {
  const auto document = shared_data(trials_file);
  if (!document) GTEST_SKIP() << no_shared_data;
  expect_few_false_changes(recorded_trials(*document));
}

/// Each task equally likely, then two different trials of it, the second one spoiled: a pass fails with this probability.
DifferenceRates planted_rates(const Trials& tasks, double spoiled) {
  DifferenceRates rates;
  for (const auto& [task, trials] : tasks) {
    const auto n = static_cast<double>(trials.size());
    const auto passed = static_cast<double>(std::count(trials.begin(), trials.end(), true));
    const double orders = n * (n - 1) * static_cast<double>(tasks.size());
    rates.better += (n - passed) * passed * (1 - spoiled) / orders;
    rates.worse += (passed * (n - passed) + passed * (passed - 1) * spoiled) / orders;
  }
  return rates;
}

/// A drop of 20 points. `pass_rate` is that of the tasks.
void expect_planted_drop_is_found(const Trials& tasks, double pass_rate) {
  const double spoiled = 0.20 / pass_rate;
  const DifferenceRates rates = planted_rates(tasks, spoiled);
  ASSERT_NEAR(rates.worse - rates.better, 0.20, 1e-9);
  const auto pairs = pairs_needed(rates, {}).value();

  std::mt19937 random(20);
  std::vector<std::vector<bool>> by_task;
  for (const auto& [task, trials] : tasks) by_task.push_back(trials);
  std::uniform_int_distribution<std::size_t> any_task(0, by_task.size() - 1);
  std::bernoulli_distribution fails(spoiled);
  constexpr int rounds = 1'000;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<PairedTrial> drawn;
    for (std::int64_t i = 0; i < pairs; ++i) {
      const std::size_t task = any_task(random);
      auto trials = by_task[task];
      std::shuffle(trials.begin(), trials.end(), random);
      drawn.push_back({task, trials[0], trials[1] && !fails(random)});
    }
    if (compare(drawn).overall.change == Change::regressed) ++found;
  }
  const double stated = power_of(pairs, rates, Demand{}.level);
  std::cout << found << " of " << rounds << " planted drops found over " << pairs << " pairs, stated "
            << stated << "\n";
  EXPECT_GE(stated, Demand{}.power);
  EXPECT_NEAR(static_cast<double>(found) / rounds, stated, 0.04);  // three standard errors
}

TEST(SampleTrials, a_planted_drop_of_20_points_is_found_with_the_stated_power) {
  expect_planted_drop_is_found(sample_trials(), 0.425);
}

TEST(RecordedTrials, a_planted_drop_of_20_points_is_found_with_the_stated_power) {
  const auto document = shared_data(trials_file);
  if (!document) GTEST_SKIP() << no_shared_data;
  expect_planted_drop_is_found(recorded_trials(*document), 0.42);
}

std::map<std::string, bool> rewards(const json::Document& document) {
  std::map<std::string, bool> outcomes;
  for (const json::Value& row : document.root().find("simulations")->children())
    outcomes[std::string(row.find("task_id")->string())] =
        row.find("reward_info")->find("reward")->number() == 1;
  return outcomes;
}

TEST(RecordedTrials, two_siblings_are_undecided_and_it_is_said_what_would_decide) {
  const auto before = shared_data("tau2/trajectories/gpt-4.1_airline_1trial.json");
  const auto after = shared_data("tau2/trajectories/gpt-4.1-finetuned_airline_1trial.json");
  if (!before || !after) GTEST_SKIP() << no_shared_data;
  const auto outcomes = rewards(*after);
  std::vector<PairedTrial> pairs;
  for (const auto& [task, passed] : rewards(*before))
    pairs.push_back({pairs.size(), passed, outcomes.at(task)});
  const Comparison comparison = compare(pairs);
  EXPECT_EQ(comparison.overall.pairs, 20);
  EXPECT_EQ(comparison.overall.differences.better, 6);
  EXPECT_EQ(comparison.overall.differences.worse, 3);
  EXPECT_NEAR(comparison.overall.p, 0.5078125, 1e-9);
  EXPECT_EQ(comparison.overall.change, Change::undecided);
  ASSERT_TRUE(comparison.further_repetitions.has_value());
  const auto total = 20 + *comparison.overall.further_pairs;
  EXPECT_GE(power_of(total, {6.0 / 20, 3.0 / 20}, 0.05), 0.8);
  EXPECT_LT(power_of(total - 20, {6.0 / 20, 3.0 / 20}, 0.05), 0.8);
  std::cout << *comparison.further_repetitions << " further repetitions of the 20 tests would decide\n";
  EXPECT_EQ(*comparison.further_repetitions, (*comparison.overall.further_pairs + 19) / 20);
}

}  // namespace
}  // namespace parley::scoring
