#pragma once
/// Internal to store/ and its tests: the LMDB transaction and the tables of a snapshot, for cursors. Valid as
/// long as the snapshot. Thread: the snapshot's.

#include "store/engine/environment.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

struct RawSnapshot {
  explicit RawSnapshot(const Snapshot& snapshot)
      : transaction(snapshot.transaction_), environment(*snapshot.environment_) {}

  [[nodiscard]] MDB_dbi operator[](TableId table) const { return environment[table]; }

  MDB_txn* transaction;
  Environment& environment;
};

}  // namespace parley::store
