#pragma once
/// What is left of results that were deleted with a large run (D25). Their heads go in one transaction, so that nobody ever
/// sees half of the run; their texts, which nothing shows without a head, are erased in steps that a writer hardly feels.
/// A row tells what is left of a result, so that a process that ended in between goes on. Pure; thread: as the snapshot.
///
///   row = rescored i64, entries u32        ; entries with ordinals below are there

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

struct Erasure {
  std::int64_t rescored = 0;  ///< of the result's head: which verdicts it had
  std::uint32_t entries = 0;
};
[[nodiscard]] std::string encode_erasure(const Erasure& erasure);
/// nullopt for bytes that encode_erasure() does not make.
[[nodiscard]] std::optional<Erasure> decode_erasure(std::string_view payload);

/// What one step may take at most; at least one entry, or the rest of one result, is taken in any case.
struct ErasureBound {
  std::size_t rows = 0;   ///< entries, and results without any
  std::size_t bytes = 0;  ///< of what is erased: freeing the pages of large texts is what a writer feels
};
struct ErasureStep {
  bool has_more = false;  ///< something is erased, so more may be left
  std::vector<Id>
      damaged;  ///< whose row could not be read; what is left of them was told from their texts (I13)
};

/// Adds the next step to `changes`.
[[nodiscard]] ErasureStep erase_leftovers(const Snapshot& snapshot, const ErasureBound& bound,
                                          ChangeSet& changes);

}  // namespace parley::store
