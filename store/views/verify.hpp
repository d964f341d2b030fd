#pragma once
/// Reads and checks everything that is stored: every value against its sum (I13), every table against its
/// number of rows, every result against its head, and every view against its records. For backups, restores and
/// `doctor`.
/// Needs: no concurrent writes. An unreadable table makes a snapshot unusable, so each table is read in a
/// separate one.
/// Thread: as the snapshot, which it holds until everything is read.

#include <cstdint>
#include <vector>

#include "store/snapshot.hpp"
#include "store/views/recount.hpp"

namespace parley::store {

/// A table with a page that LMDB cannot read.
struct Unreadable {
  TableId table;
  std::string why;
};

struct Verdict {
  std::uint64_t values = 0;        ///< number of values read
  std::vector<Corrupt> corrupt;    ///< values that do not verify or are lost; at most 1,000
  std::vector<Unreadable> tables;  ///< tables that cannot be read to their end
  std::vector<Difference> views;   ///< wrong rows of views; checked only if everything else is undamaged
  [[nodiscard]] bool is_good() const { return tables.empty() && corrupt.empty() && views.empty(); }
};

/// Problem: internal for a record whose sum is right but whose text cannot be read.
[[nodiscard]] Expected<Verdict> verify(const Snapshot& snapshot);

}  // namespace parley::store
