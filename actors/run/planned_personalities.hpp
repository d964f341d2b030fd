#pragma once
/// Chooses the personality of the next result of a test that several testConfigs of a run name: one that the
/// run's results still lack. Owned by the run's actor, which creates all of its results except retries; a
/// retry keeps the personality of the result it replaces. Used on its thread only.

#include <unordered_map>

#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

class PlannedPersonalities {
 public:
  /// Reads the results of the test only on first use, or if some were deleted since. `total`: the number of
  /// results of the test in the run in the snapshot, without those that a retry replaced. Problem: internal
  /// if one is lost.
  [[nodiscard]] Expected<std::optional<Ref<RecordKind::personality>>> next(const store::Snapshot& snapshot,
                                                                           const Run& run, const Id& test,
                                                                           std::int64_t total);
  /// Counts a result that was decided on, however its personality was chosen.
  void add(const ResultHead& head);
  /// Forgets everything, because the decisions may not have been saved.
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::int64_t total = 0;
    PersonalityCounts counts;
  };
  std::unordered_map<Id, Known> known_;  ///< by test; only tests that were asked for
};

}  // namespace parley::actors
