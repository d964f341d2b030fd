// Rates and comparisons, checked against published numbers and recorded trials.

#include "scoring/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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

TEST(RateOf, shows_coverage_and_bounds_with_the_rate) {
  EXPECT_EQ(rate_of({6, 2, 2}), (Rate{0.75, 0.8, wilson({8, 6}), {0.6, 0.8}}));
  EXPECT_EQ(rate_of({0, 0, 4}), (Rate{std::nullopt, 0, {0, 1}, {0, 1}}));
  EXPECT_EQ(rate_of({}), (Rate{std::nullopt, 1, {0, 1}, {0, 1}}));
  EXPECT_TRUE(is_flaky({4, 1}));
  EXPECT_FALSE(is_flaky({4, 4}));
  EXPECT_FALSE(is_flaky({4, 0}));
}

TEST(FalseDiscoveryAdjusted, steps_up_after_Benjamini_and_Hochberg) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const auto adjusted = false_discovery_adjusted(p);
  const std::vector<double> wanted{0.02, 0.04, 0.04, 0.02};
  ASSERT_EQ(adjusted.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(adjusted[i], wanted[i], 1e-12) << i;
  EXPECT_TRUE(false_discovery_adjusted({}).empty());
}

std::vector<PairedTrial> repeated(std::size_t test, int times, bool before, bool after) {
  return std::vector<PairedTrial>(static_cast<std::size_t>(times), {test, before, after});
}

TEST(Compare, distinguishes_regressed_from_undecided_tests) {
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
                                                    "undecided", "unchanged"}));
  EXPECT_GT(comparison.tests[2].further_repetitions.value(), 5);
  EXPECT_EQ(comparison.tests[4].open, 1);
  EXPECT_EQ(comparison.tests[4].further_repetitions, std::nullopt);
  EXPECT_EQ(comparison.tests[5].further_repetitions, std::nullopt) << "passed equally often";
  EXPECT_EQ(comparison.overall.pairs, 32);
  EXPECT_EQ(comparison.overall.change, Change::undecided);
  EXPECT_EQ(compare({}).overall.change, Change::undecided);
}

TEST(Compare, finds_what_five_repetitions_show_among_eight_tests) {
  auto trials = repeated(0, 5, false, true);
  for (std::size_t test = 1; test < 8; ++test) {
    const auto same = repeated(test, 5, true, true);
    trials.insert(trials.end(), same.begin(), same.end());
  }
  const Comparison comparison = compare(trials);
  EXPECT_EQ(comparison.tests[0].change, Change::fixed);
  EXPECT_NEAR(comparison.tests[0].p, 2.0 / 1024, 1e-9);
  EXPECT_NEAR(comparison.tests[0].adjusted_p, 8 * 2.0 / 1024, 1e-9);
}

TEST(Compare, does_not_pair_repetitions) {
  // The same outcomes in another order: the conclusion is the same, and only the pairwise counts differ.
  std::vector<PairedTrial> ordered;
  std::vector<PairedTrial> shuffled;
  for (const int i : {0, 1, 2, 3, 4, 5, 6, 7}) {
    ordered.push_back({0, i < 6, i < 2});
    shuffled.push_back({0, i < 6, i >= 6});
  }
  const Comparison one = compare(ordered);
  const Comparison other = compare(shuffled);
  EXPECT_EQ(one.tests[0].p, other.tests[0].p);
  EXPECT_EQ(one.overall.p, other.overall.p);
  EXPECT_EQ((std::pair{one.tests[0].better, one.tests[0].worse}),
            (std::pair<std::int64_t, std::int64_t>{0, 4}));
  EXPECT_EQ((std::pair{other.tests[0].better, other.tests[0].worse}),
            (std::pair<std::int64_t, std::int64_t>{2, 6}));
}

TEST(Compare, counts_trials_that_only_one_side_has) {
  std::vector<PairedTrial> trials;
  for (int i = 0; i < 3; ++i) trials.push_back({0, false, true});
  for (int i = 0; i < 9; ++i) trials.push_back({0, std::nullopt, true});
  const Comparison comparison = compare(trials);
  EXPECT_EQ(comparison.tests[0].trials.after.runs, 12);
  EXPECT_EQ(comparison.tests[0].pairs, 3);
  EXPECT_EQ(comparison.tests[0].change, Change::fixed);
}

TEST(Compare, holds_the_level_over_many_tests) {
  // With 20 tests, one at p = 0.008 is expected by chance; a single test with that p counts as a change.
  const auto one = repeated(0, 4, true, false);
  EXPECT_EQ(compare(one).tests[0].change, Change::regressed);
  auto many = one;
  for (std::size_t test = 1; test < 20; ++test) {
    const auto same = repeated(test, 4, true, true);
    many.insert(many.end(), same.begin(), same.end());
  }
  const Comparison comparison = compare(many);
  EXPECT_EQ(comparison.tests[0].change, Change::undecided);
  EXPECT_GT(comparison.tests[0].further_repetitions.value(), 0);
  EXPECT_EQ(comparison.tests[1].change, Change::unchanged);
}

/// The outcomes of trials, by task.
using Trials = std::map<std::int64_t, std::vector<bool>>;

/// Four trials of each of 50 tasks: some tasks always fail, some always pass, and half of them are flaky.
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

/// `rates`: the mean pass^k of all tasks for k = 1 to 4.
void expect_rates(const Trials& tasks, const std::array<double, 4>& rates, std::ptrdiff_t flaky) {
  ASSERT_EQ(tasks.size(), 50u);
  std::vector<Repetitions> tallies;
  for (const auto& [task, trials] : tasks)
    tallies.push_back({4, std::count(trials.begin(), trials.end(), true)});
  for (std::int64_t k = 1; k <= 4; ++k) {
    double sum = 0;
    for (const Repetitions& tally : tallies) sum += pass_hat_k(tally, k).value();
    EXPECT_NEAR(sum / 50, rates[static_cast<std::size_t>(k - 1)], 0.0005) << k;
  }
  EXPECT_EQ(std::count_if(tallies.begin(), tallies.end(), is_flaky), flaky);
}

TEST(SampleTrials, give_the_pass_hat_k_of_the_formula) {
  // Within each group of ten tasks, pass^k is the mean of C(passes, k) / C(4, k).
  expect_rates(sample_trials(), {0.425, 17.0 / 60, 0.225, 0.2}, 25);
}

TEST(RecordedTrials, give_the_published_pass_hat_k) {
  const auto document = shared_data(trials_file);
  if (!document) GTEST_SKIP() << no_shared_data;
  expect_rates(recorded_trials(*document), {0.420, 0.273, 0.220, 0.200}, 26);
}

/// Whether PARLEY_LONG requests the long proofs, which split more often.
bool long_proof() {
  return std::getenv("PARLEY_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

void expect_few_false_changes(const Trials& tasks) {
  std::mt19937 random(5);
  const int splits = long_proof() ? 1'000 : 200;
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

/// Four trials per task on each side. On the second side, a pass turns into a failure with a fixed probability: a drop
/// of 20 points over all tasks.
void expect_planted_drop_is_found(const Trials& tasks, double pass_rate) {
  const double spoiled = 0.20 / pass_rate;
  std::mt19937 random(20);
  std::bernoulli_distribution fails(spoiled);
  constexpr int rounds = 200;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<PairedTrial> drawn;
    std::size_t number = 0;
    for (const auto& [task, trials] : tasks) {
      std::uniform_int_distribution<std::size_t> any(0, trials.size() - 1);
      for (int i = 0; i < 4; ++i)
        drawn.push_back({number, trials[any(random)], trials[any(random)] && !fails(random)});
      ++number;
    }
    if (compare(drawn).overall.change == Change::regressed) ++found;
  }
  std::cout << found << " of " << rounds << " planted drops found\n";
  EXPECT_GE(found, rounds * 95 / 100);
}

TEST(SampleTrials, a_planted_drop_of_20_points_is_found) {
  expect_planted_drop_is_found(sample_trials(), 0.425);
}

TEST(RecordedTrials, a_planted_drop_of_20_points_is_found) {
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

/// One trial of each of 20 tests on each side: 6 improve, 3 get worse.
void expect_undecided_siblings(const std::vector<PairedTrial>& pairs) {
  const Comparison comparison = compare(pairs);
  EXPECT_EQ(comparison.overall.pairs, 20);
  EXPECT_EQ(comparison.overall.better, 6);
  EXPECT_EQ(comparison.overall.worse, 3);
  EXPECT_NEAR(comparison.overall.p, 0.5078125, 1e-9) << "with one trial a test, the sign test";
  EXPECT_EQ(comparison.overall.change, Change::undecided);
  ASSERT_TRUE(comparison.overall.further_repetitions.has_value());
  std::cout << *comparison.overall.further_repetitions
            << " further repetitions of the 20 tests would decide\n";
  std::vector<PairedTrial> more;
  for (std::int64_t i = 0; i <= *comparison.overall.further_repetitions; ++i)
    more.insert(more.end(), pairs.begin(), pairs.end());
  EXPECT_EQ(compare(more).overall.change, Change::fixed);
}

TEST(SampleTrials, two_siblings_are_undecided_and_the_repetitions_that_would_decide_are_reported) {
  std::vector<PairedTrial> pairs;
  for (std::size_t test = 0; test < 20; ++test) {
    const bool is_worse = test >= 6 && test < 9;
    const bool stays_passed = test >= 9 && test < 15;
    pairs.push_back({test, is_worse || stays_passed, test < 6 || stays_passed});
  }
  expect_undecided_siblings(pairs);
}

TEST(RecordedTrials, two_siblings_are_undecided_and_the_repetitions_that_would_decide_are_reported) {
  const auto before = shared_data("tau2/trajectories/gpt-4.1_airline_1trial.json");
  const auto after = shared_data("tau2/trajectories/gpt-4.1-finetuned_airline_1trial.json");
  if (!before || !after) GTEST_SKIP() << no_shared_data;
  const auto outcomes = rewards(*after);
  std::vector<PairedTrial> pairs;
  for (const auto& [task, passed] : rewards(*before))
    pairs.push_back({pairs.size(), passed, outcomes.at(task)});
  expect_undecided_siblings(pairs);
}

}  // namespace
}  // namespace parley::scoring
