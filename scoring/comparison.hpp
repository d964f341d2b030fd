#pragma once
/// Compares two runs trial by trial: what regressed, what was fixed, what is unchanged, and what cannot be said yet. A
/// difference counts when the exact paired test finds it, at a level that is held over all tests together; a single
/// flip of a flaky test never does. Pure functions; any thread.

#include "scoring/statistics.hpp"

namespace parley::scoring {

/// One trial of each run that belong together: the same test, personality and repetition. Null: missing, void or
/// undecided.
struct PairedTrial {
  std::size_t test = 0;  ///< the caller's number of the test (with its personality), from 0
  std::optional<bool> before;
  std::optional<bool> after;
};

enum class Change : std::uint8_t {
  unchanged,  ///< no pair differs
  fixed,      ///< better, and not by chance
  regressed,  ///< worse, and not by chance
  undecided,  ///< some pairs differ, too few to decide; or there are no pairs
};

}  // namespace parley::scoring

template <>
struct parley::Words<parley::scoring::Change> {
  static constexpr std::array<std::string_view, 4> all{"unchanged", "fixed", "regressed", "undecided"};
};

namespace parley::scoring {

/// The totals of the pairs of one test, or of all tests.
struct Compared {
  std::int64_t pairs = 0;  ///< with an outcome on both sides
  std::int64_t open = 0;   ///< the others
  std::int64_t passed_before = 0;
  std::int64_t passed_after = 0;
  Differences differences = {};
  double p = 1;           ///< of the sign test
  double adjusted_p = 1;  ///< after Benjamini and Hochberg over the tests; of all pairs together: p
  Change change = Change::undecided;
  /// For an undecided one, how many further pairs would decide it (with the power of the demand, should the outcomes
  /// go on as they did). Null where no number would: as many better as worse.
  std::optional<std::int64_t> further_pairs = {};
};

struct Comparison {
  Compared overall;
  std::vector<Compared> tests;  ///< by number
  /// further_pairs of overall as repetitions: how many more times all tests that have pairs must be played.
  std::optional<std::int64_t> further_repetitions;
};

/// `demand.level` is the rate of false regressions and fixes that is held: over the tests together (as a false-discovery
/// rate), and for the overall change. Needs: the numbers of the tests leave no large gaps.
[[nodiscard]] Comparison compare(std::span<const PairedTrial> trials, const Demand& demand = {});

}  // namespace parley::scoring
