#pragma once
/// Compares two runs: which trials each test has in both, and which of its assertions changed. Reads one snapshot;
/// any thread.

#include "scoring/comparison.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// What both trials of a pair have in common, in addition to the repetition.
struct ComparedTest {
  Id test;
  Id personality;                                         ///< nil: none
  auto operator<=>(const ComparedTest&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// A result that has an outcome, and the number of its verdict.
struct DecidedResult {
  Id id;
  std::int64_t rescored = 0;
};

struct PairedRuns {
  std::vector<ComparedTest> tests;  ///< indexed by the test numbers in the trials
  std::vector<scoring::PairedTrial> trials;
  /// Indexed by the same numbers, in the order of the trials.
  std::vector<std::vector<DecidedResult>> decided_before;
  std::vector<std::vector<DecidedResult>> decided_after;
};

/// Pairs results that no retry replaced, by test and personality. The n-th result of one run is paired with the n-th
/// of the other, in the order of their first attempts. Results without a test are left out. Problem: conflict above
/// limits::compared_results_max.
[[nodiscard]] Expected<PairedRuns> paired_runs(const store::Snapshot& snapshot, const Id& before,
                                               const Id& after);

/// An assertion of a test, identified by its id.
struct ChangedAssertion {
  std::string id;
  std::string type;
  std::optional<std::string> name;
};

/// Assertions that held in all decided repetitions of one run and in none of the other. This is not a claim of
/// significance: with few repetitions, chance can have the same effect.
struct ChangedAssertions {
  std::vector<ChangedAssertion> newly_failing;
  std::vector<ChangedAssertion> newly_passing;
};
/// Needs: both lists belong to the same test. Empty if either list is empty.
[[nodiscard]] Expected<ChangedAssertions> changed_assertions(const store::Snapshot& snapshot,
                                                             const std::vector<DecidedResult>& before,
                                                             const std::vector<DecidedResult>& after);

}  // namespace parley::http
