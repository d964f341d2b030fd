#include "store/side/pending_erasures.hpp"

#include <algorithm>
#include <span>

#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {

std::string encode_erasure(const Erasure& erasure) {
  std::string row;
  append_u64(row, static_cast<std::uint64_t>(erasure.rescored));
  append_u32(row, erasure.entries);
  return row;
}

std::optional<Erasure> decode_erasure(std::string_view payload) {
  if (payload.size() != 12) return std::nullopt;
  return Erasure{static_cast<std::int64_t>(u64_at(payload)), u32_at(payload.substr(8))};
}

namespace {

/// Rebuilds a damaged row: entries up to the last one, verdicts up to the newest.
Erasure left_of(const Snapshot& snapshot, const Id& result) {
  Erasure left{0, snapshot.entry_count(result)};
  Cursor verdicts(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::later_verdicts]);
  if (verdicts.seek_before(entry_key(result, UINT32_MAX)) && verdicts.key().starts_with(result.key()))
    left.rescored = u32_at(verdicts.key().substr(id_bytes)) - 1;
  return left;
}

std::size_t bytes_of(const Snapshot& snapshot, std::span<const Write> writes) {
  std::size_t bytes = 0;
  for (const Write& write : writes) {
    const auto stored = get(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[write.table], write.key);
    if (stored) bytes += stored->size();
  }
  return bytes;
}

/// Erases one result, starting with its last entry, as far as `left` allows, and reduces `left`.
void erase_one(const Snapshot& snapshot, const Id& result, const Erasure& erasure, ErasureBound& left,
               ChangeSet& changes) {
  std::uint32_t kept = erasure.entries;
  do {
    const std::size_t before = changes.writes.size();
    const std::uint32_t next = kept > 0 ? kept - 1 : 0;
    changes.erase_texts(result, erasure.rescored, kept, next);
    kept = next;
    left.rows -= 1;
    left.bytes -= std::min(left.bytes, bytes_of(snapshot, std::span(changes.writes).subspan(before)));
  } while (kept > 0 && left.rows > 0 && left.bytes > 0);
  if (kept > 0) {
    changes.put_erasure(result, erasure.rescored, kept);
  } else {
    changes.forget_erasure(result);
  }
}

}  // namespace

ErasureStep erase_leftovers(const Snapshot& snapshot, const ErasureBound& bound, ChangeSet& changes) {
  ErasureStep step;
  ErasureBound left = bound;
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::erasures]);
  for (bool there = cursor.first(); there && left.rows > 0 && left.bytes > 0; there = cursor.next()) {
    if (cursor.key().size() != id_bytes) continue;
    step.has_more = true;
    const Id result = id_at(cursor.key());
    const auto row = snapshot.value(TableId::erasures, cursor.key());
    const auto erasure = row.ok() && *row ? decode_erasure((*row)->payload) : std::nullopt;
    if (!erasure) step.damaged.push_back(result);
    if (!erasure && snapshot.has(RecordKind::test_result, result)) {
      changes.forget_erasure(result);
      left.rows -= 1;
      continue;
    }
    erase_one(snapshot, result, erasure ? *erasure : left_of(snapshot, result), left, changes);
  }
  return step;
}

}  // namespace parley::store
