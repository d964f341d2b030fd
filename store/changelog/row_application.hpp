#pragma once
/// Internal to store/: the two ways from a batch to the data file: drafting a row, which applies the sets and encodes those
/// without a conflict, and applying rows that are in the log. Both write the place in the log in the same transaction.
/// Thread: the committer's. Throws LmdbError and CorruptError; the transaction must then be aborted.

#include <span>
#include <string>
#include <vector>

#include "store/changelog/log_writer.hpp"
#include "store/committer.hpp"
#include "store/engine/apply.hpp"

namespace parley::store {

/// A row that is not in the log yet.
struct Draft {
  std::vector<Outcome> outcomes;
  std::string body;  ///< empty: all sets conflict, and nothing was written
  LogPlace place;    ///< once the row is in the log
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

[[nodiscard]] Draft drafted(MDB_txn* transaction, const Environment& tables, std::span<const ChangeSet> batch,
                            const LogWriter& log, Auditor& auditor, Time now);

void put_place(MDB_txn* transaction, const Environment& tables, const LogPlace& place);

/// Applies rows until the transaction is large enough; returns the number of finished `rows`, including those at or before
/// `place`. 0: the first one does not fit. Moves `place` and appends to `replayed`.
[[nodiscard]] std::size_t apply_rows(MDB_txn* transaction, const Environment& tables,
                                     std::span<const LogRow> rows, Auditor& auditor, LogPlace& place,
                                     std::vector<ReplayedRow>& replayed);

}  // namespace parley::store
