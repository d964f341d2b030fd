// The exact error rates and power of the comparison of two runs: parley_comparison_power. For each number of
// repetitions and each pair of pass rates: how often a changed test is found, alone and among twenty tests.

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include "scoring/comparison.hpp"

namespace {

using parley::scoring::BoschlooTest;

constexpr std::array repetitions{5, 10, 20};
constexpr std::array rates{1.0, 0.9, 0.8, 0.7, 0.6, 0.5};
constexpr double level = 0.05;

void print_power(BoschlooTest& exact, int each, int tests) {
  std::printf("\n%d repetitions, %s\n\n| before \\ after |", each,
              tests == 1 ? "one test" : "one of twenty tests");
  for (const double after : rates) std::printf(" %.1f |", after);
  std::printf("\n|---|");
  for (std::size_t i = 0; i < rates.size(); ++i) std::printf("---|");
  std::printf("\n");
  for (const double before : rates) {
    std::printf("| %.1f |", before);
    for (const double after : rates)
      std::printf(" %.3f |", exact.power(each, {before, after}, level / tests));
    std::printf("\n");
  }
}

/// The highest rate of false changes of one test, over all common pass rates.
double worst_false_change(BoschlooTest& exact, int each) {
  double worst = 0;
  for (int percent = 1; percent < 100; ++percent) {
    const double rate = percent / 100.0;
    worst = std::max(worst, exact.power(each, {rate, rate}, level));
  }
  return worst;
}

/// How often any change is found in 20 unchanged tests, and how often for all tests together.
void print_false_changes(int each) {
  constexpr int rounds = 1'000;
  std::mt19937 random(static_cast<unsigned>(each));
  int any = 0;
  int overall = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<parley::scoring::PairedTrial> trials;
    for (std::size_t test = 0; test < 20; ++test) {
      std::bernoulli_distribution passes(0.5 + 0.025 * static_cast<double>(test));
      for (int i = 0; i < each; ++i) trials.push_back({test, passes(random), passes(random)});
    }
    const auto found = parley::scoring::compare(trials);
    const auto is_change = [](parley::scoring::Change change) {
      return change == parley::scoring::Change::fixed || change == parley::scoring::Change::regressed;
    };
    bool is_any = false;
    for (const auto& test : found.tests) is_any = is_any || is_change(test.change);
    any += is_any ? 1 : 0;
    overall += is_change(found.overall.change) ? 1 : 0;
  }
  std::printf("| %.4f | %.4f |\n", any / double{rounds}, overall / double{rounds});
}

}  // namespace

int main() {
  BoschlooTest exact;
  std::printf("False changes at level %.2f\n\n", level);
  std::printf(
      "| repetitions | one test, worst pass rate | any of 20 tests | all 20 together |\n|---|---|---|---|\n");
  for (const int each : repetitions) {
    std::printf("| %d | %.4f ", each, worst_false_change(exact, each));
    print_false_changes(each);
  }
  for (const int tests : {1, 20}) {
    for (const int each : repetitions) print_power(exact, each, tests);
  }
  return 0;
}
