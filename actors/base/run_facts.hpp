#pragma once
/// The facts about a run's results that a decision needs. Pure.

#include <cstdint>

namespace parley::actors {

/// Sums over the results of one run, from one snapshot.
struct RunFacts {
  std::int64_t total = 0;       ///< results that were not replaced
  std::int64_t live = 0;        ///< pending and running results
  bool has_started = false;     ///< a result of the run is running or has run to its end
  bool has_every_case = false;  ///< each expected case has as many terminal results as it needs (D44)
  /// A result has failed or was canceled, so it may have run before: only the run's actor knows.
  bool may_have_started = false;
};

/// Every expected case has ended, and nothing is live (D44).
[[nodiscard]] inline bool is_over(const RunFacts& facts) {
  return facts.total > 0 && facts.live == 0 && facts.has_every_case;
}

}  // namespace parley::actors
