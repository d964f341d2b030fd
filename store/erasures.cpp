#include "store/erasures.hpp"

#include <algorithm>

#include "store/environment.hpp"
#include "store/keys.hpp"

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

Result<bool> erase_leftovers(const Snapshot& snapshot, std::size_t most, ChangeSet& changes) {
  Cursor cursor(snapshot.transaction(), snapshot.environment()[TableId::erasures]);
  bool there = cursor.first();
  if (!there) return false;
  for (std::size_t left = most; there && left > 0; there = cursor.next()) {
    const Id result = id_at(cursor.key());
    TRY(row, snapshot.value(TableId::erasures, cursor.key()));
    const auto erasure = decode_erasure(row ? row->payload : std::string_view{});
    if (!erasure) return problem_of(Corrupt{TableId::erasures, std::string(cursor.key())});
    const auto entries = static_cast<std::uint32_t>(std::min<std::size_t>(erasure->entries, left));
    const std::uint32_t kept = erasure->entries - entries;
    changes.erase_texts(result, erasure->rescored, erasure->entries, kept);
    if (kept > 0) {
      changes.put_erasure(result, erasure->rescored, kept);
    } else {
      changes.forget_erasure(result);
    }
    left -= std::min<std::size_t>(left, entries + 1);
  }
  return true;
}

}  // namespace parley::store
