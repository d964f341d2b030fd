#pragma once
/// Internal to store/: carries one change set out inside a write transaction.
/// Thread: the committer's. Throws LmdbError and CorruptError, after which the transaction must be aborted.

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

/// Checks every guard against what the transaction shows, then writes.
/// `auditor` is told of what changes; null: nobody is.
[[nodiscard]] Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set,
                            Auditor* auditor);

}  // namespace parley::store
