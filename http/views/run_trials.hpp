#pragma once
/// Two runs as pairs of trials: which result of one run corresponds to which of the other, and their
/// outcomes. Reads heads only, from one snapshot; any thread.

#include "scoring/comparison.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// What the trials of a pair share, besides the repetition.
struct ComparedTest {
  Id test;
  Id personality;                                         ///< nil: none
  auto operator<=>(const ComparedTest&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct PairedRuns {
  std::vector<ComparedTest> tests;  ///< indexed by the number in the trials
  std::vector<scoring::PairedTrial> trials;
};

/// Results that no retry replaced, by test and personality. The n-th of one run is paired with the n-th of
/// the other, in the order of their first attempts. Results without a test are left out. Problem: conflict
/// beyond limits::compared_results_max.
[[nodiscard]] Expected<PairedRuns> paired_runs(const store::Snapshot& snapshot, const Id& before,
                                               const Id& after);

}  // namespace parley::http
