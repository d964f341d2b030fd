#pragma once
/// Recomputes every view from the records and compares them, to prove that views follow records. For tests and
/// `doctor`.
/// Thread: as the snapshot, which it may hold for more than a second on a large store.

#include <string>
#include <vector>

#include "store/snapshot.hpp"

namespace parley::store {

/// A row of a view that differs from the records.
struct Difference {
  TableId table;
  std::string key;
  std::string what;  ///< "missing", "stray" or "differs"
};

/// Problem: internal at the first record that does not verify.
[[nodiscard]] Expected<std::vector<Difference>> recount(const Snapshot& snapshot);

}  // namespace parley::store
