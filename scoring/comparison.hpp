#pragma once
/// Compares two runs: what regressed, what was fixed, what is unchanged, and what cannot be decided yet. The
/// repetitions of a test are independent trials. A difference counts if an exact test finds it at a level that
/// holds over all tests together; a single flip of a flaky test never counts. Pure functions; any thread.

#include "scoring/two_proportions.hpp"

namespace parley::scoring {

/// The n-th trial of a test (with its personality) in each run. Null: missing, void or undecided.
struct PairedTrial {
  std::size_t test = 0;  ///< the caller's number for the test, from 0
  std::optional<bool> before;
  std::optional<bool> after;
};

enum class Change : std::uint8_t {
  unchanged,  ///< same pass rate
  fixed,      ///< higher pass rate, and not by chance
  regressed,  ///< lower pass rate, and not by chance
  undecided,  ///< different pass rate, but possibly by chance; or no trials on one side
};

}  // namespace parley::scoring

template <>
struct parley::Words<parley::scoring::Change> {
  static constexpr std::array<std::string_view, 4> all{"unchanged", "fixed", "regressed", "undecided"};
};

namespace parley::scoring {

/// The trials of one test, or of all tests.
struct Compared {
  TwoSamples trials = {};  ///< trials that have an outcome
  /// For display only: the trials paired in their order, and how many pairs differ.
  std::int64_t pairs = 0;  ///< pairs with an outcome on both sides
  std::int64_t open = 0;   ///< all other pairs
  std::int64_t better = 0;
  std::int64_t worse = 0;
  double p = 1;
  double adjusted_p = 1;  ///< corrected over the tests (Benjamini and Hochberg); for all tests together: p
  Change change = Change::undecided;
  /// If undecided: how many more repetitions on each side would decide, at the observed rates and with the
  /// requested power. Null if no number would.
  std::optional<std::int64_t> further_repetitions = {};
};

struct Comparison {
  Compared overall;
  std::vector<Compared> tests;  ///< in the order of their numbers
};

/// `demand.level` bounds the rate of false regressions and fixes: over the individual tests (as a false
/// discovery rate), and for the overall change. Needs: the numbers of the tests have no large gaps.
[[nodiscard]] Comparison compare(std::span<const PairedTrial> trials, const Demand& demand = {});

}  // namespace parley::scoring
