#pragma once
/// Internal to store/: the last entry of a result. A cursor on the table `entries`, in a snapshot or a write
/// transaction, reads it.
/// Thread: the cursor's.

#include "store/engine/entry_codec.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {

/// False if the result has no entries.
[[nodiscard]] inline bool seek_last_entry(Cursor& cursor, const Id& result) {
  return cursor.seek_before(entry_key(result, UINT32_MAX)) && cursor.key().starts_with(result.key());
}

/// What the last entry shows about the result.
struct Newest {
  Time change;
  std::uint32_t entries = 0;
};

/// The newest change of the result with this head; appending an entry does not change the head's stamp. nullopt
/// if the last entry cannot be read; the cursor is then on it.
[[nodiscard]] inline std::optional<Newest> newest_of(Cursor& cursor, const Stamp& head) {
  if (!seek_last_entry(cursor, head.id)) return Newest{head.updated_at};
  const auto checked = unframe(TableId::entries, cursor.key(), cursor.value());
  const auto* good = std::get_if<ValueView>(&checked);
  const auto last = good != nullptr ? decode_entry(good->payload) : std::nullopt;
  if (!last) return std::nullopt;
  return Newest{std::max(head.updated_at, last->touched_at), u32_at(cursor.key().substr(id_bytes)) + 1};
}

}  // namespace parley::store
