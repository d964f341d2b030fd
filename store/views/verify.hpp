#pragma once
/// Reads everything that is stored and checks it: every value against its sum (I13), every table against the number of its
/// rows, every result against what its head tells of, every view against the records it is derived from. For backups, restores and `doctor`.
/// Needs: nobody writes meanwhile; a table that cannot be read spoils a snapshot, so each is read in one of its own.
/// Thread: as the snapshot, which it holds for as long as reading everything takes.

#include <cstdint>
#include <vector>

#include "store/snapshot.hpp"
#include "store/views/recount.hpp"

namespace parley::store {

/// A table in which LMDB meets a page that it cannot read.
struct Unreadable {
  TableId table;
  std::string why;
};

struct Verdict {
  std::uint64_t values = 0;      ///< that were read
  std::vector<Corrupt> corrupt;  ///< values that do not verify, and ones that are lost; at most 1,000 of them
  std::vector<Unreadable> tables;  ///< that cannot be read to their end
  std::vector<Difference> views;   ///< rows of views that are wrong; looked for only where all else is good
  [[nodiscard]] bool is_good() const { return tables.empty() && corrupt.empty() && views.empty(); }
};

/// Problem: internal for a record whose sum is right and whose text cannot be read.
[[nodiscard]] Expected<Verdict> verify(const Snapshot& snapshot);

}  // namespace parley::store
