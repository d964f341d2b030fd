#pragma once
/// Two runs as pairs of trials: which result of one belongs to which of the other, and what it came to. Reads heads only,
/// from one snapshot; any thread.

#include "scoring/comparison.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// What a pair has in common besides its number of repetition.
struct ComparedTest {
  Id test;
  Id personality;  ///< nil: none
  auto operator<=>(const ComparedTest&) const = default;
};

struct PairedRuns {
  std::vector<ComparedTest> tests;  ///< by the number that the trials carry
  std::vector<scoring::PairedTrial> trials;
};

/// Results that no retry replaced, by test and personality; the first of one run belongs to the first of the other, in
/// the order in which their first attempts were made. Results without a test belong to nothing and are left out.
/// Problem: conflict beyond limits::compared_results_max.
[[nodiscard]] Expected<PairedRuns> paired_runs(const store::Snapshot& snapshot, const Id& before,
                                               const Id& after);

}  // namespace parley::http
