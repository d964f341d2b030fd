#pragma once
/// Internal to store/: applies one change set inside a write transaction.
/// Thread: the committer's. Throws LmdbError and CorruptError; the transaction must then be aborted.

#include <optional>

#include "store/audit/auditor.hpp"
#include "store/change.hpp"
#include "store/engine/environment.hpp"

namespace parley::store {

struct Applied {
  bool is_conflict = false;  ///< true: nothing was written
  std::vector<Id> canceled;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

/// Checks every guard against the transaction, then writes. Reports the changes to `auditor`, which may be null.
[[nodiscard]] Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set,
                            Auditor* auditor);
/// As above. For an applied set with cancels, `explicit_set` receives the same changes as plain writes, for the log.
[[nodiscard]] Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set,
                            Auditor* auditor, std::optional<ChangeSet>& explicit_set);

}  // namespace parley::store
