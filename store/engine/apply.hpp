#pragma once
/// Internal to store/: applies one change set inside a write transaction.
/// Thread: the committer's. Throws LmdbError and CorruptError; the transaction must then be aborted.

#include <optional>

#include "store/audit/auditor.hpp"
#include "store/change.hpp"
#include "store/engine/environment.hpp"

namespace parley::store {

struct Applied {
  bool is_conflict = false;  ///< nothing was written
  std::vector<Id> canceled;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

/// Checks every guard against the transaction, then writes. `auditor` is notified of the changes; it may be
/// null.
[[nodiscard]] Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set,
                            Auditor* auditor);
/// As above; a set with cancels that is applied also leaves in `explicit_set` the same changes as plain writes, for the log.
[[nodiscard]] Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set,
                            Auditor* auditor, std::optional<ChangeSet>& explicit_set);

}  // namespace parley::store
