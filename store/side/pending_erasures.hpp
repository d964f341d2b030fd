#pragma once
/// Texts of results that were deleted with a large run (D25). The heads are removed in one transaction, so that
/// no client ever sees half of the run. The texts, unreadable without a head, are erased in steps that barely
/// delay a writer. A row describes what is left of a result, so that another process can continue. Pure;
/// thread: as the snapshot.
///
///   row = rescored i64, entries u32        ; entries with ordinals below `entries` exist

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

struct Erasure {
  std::int64_t rescored = 0;  ///< from the result's head: shows which verdicts exist
  std::uint32_t entries = 0;
};
[[nodiscard]] std::string encode_erasure(const Erasure& erasure);
/// nullopt for bytes that encode_erasure() does not produce.
[[nodiscard]] std::optional<Erasure> decode_erasure(std::string_view payload);

/// Limits of one step. A step always removes at least one entry, or the rest of one result.
struct ErasureBound {
  std::size_t rows = 0;   ///< number of entries, and of results without entries
  std::size_t bytes = 0;  ///< size of erased texts: freeing the pages of large texts is what delays a writer
};
struct ErasureStep {
  bool has_more = false;    ///< true: something was erased, so more may be left
  std::vector<Id> damaged;  ///< results whose row was unreadable; their texts showed what is left (I13)
};

/// Adds the next step to `changes`.
[[nodiscard]] ErasureStep erase_leftovers(const Snapshot& snapshot, const ErasureBound& bound,
                                          ChangeSet& changes);

}  // namespace parley::store
