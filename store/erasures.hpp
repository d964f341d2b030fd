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

/// Adds the next step to `changes`: about `most` entries and results. False where nothing was left.
/// Problem: internal for a row that cannot be read.
[[nodiscard]] Result<bool> erase_leftovers(const Snapshot& snapshot, std::size_t most, ChangeSet& changes);

}  // namespace parley::store
