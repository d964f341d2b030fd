#pragma once
/// Internal to store/: the two ways to write a batch to the data file. drafted() applies the sets and encodes
/// those without a conflict as a row; apply_rows() applies rows that are already in the log. Both write the
/// place in the log in the same transaction.
/// Thread: the committer's. Throws LmdbError and CorruptError; the transaction must then be aborted.

#include <span>
#include <string>
#include <vector>

#include "store/changelog/log_writer.hpp"
#include "store/committer.hpp"
#include "store/engine/apply.hpp"

namespace parley::store {

/// A row that is not yet in the log.
struct Draft {
  std::vector<Outcome> outcomes;
  std::string body;  ///< empty: all sets conflict and nothing was written
  LogPlace place;    ///< the position once the row is in the log
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

[[nodiscard]] Draft drafted(MDB_txn* transaction, const Environment& tables, std::span<const ChangeSet> batch,
                            const LogWriter& log, Auditor& auditor, Time now);

void put_place(MDB_txn* transaction, const Environment& tables, const LogPlace& place);

/// Applies rows until the transaction is large enough. Returns the number of processed `rows`, including those
/// at or before `place`; 0: the first row does not fit. Advances `place` and appends to `replayed`.
[[nodiscard]] std::size_t apply_rows(MDB_txn* transaction, const Environment& tables,
                                     std::span<const LogRow> rows, Auditor& auditor, LogPlace& place,
                                     std::vector<ReplayedRow>& replayed);

}  // namespace parley::store
