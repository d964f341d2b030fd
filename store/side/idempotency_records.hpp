#pragma once
/// Idempotency keys of requests that took effect (D9, I4). The change set of the effect also stores the answer
/// to a repeat, which is kept for 24 hours. Thread: as the snapshot; the rest is pure.
///
///   key     = span fingerprint
///   span    = u32 big-endian, the eight hours in which the key was stored; expired rows are first in the table
///   value   = {"body": HASH, "status": 201, "since": ms, "ids": [ID...]}   at most 1 KiB, no text of the body

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// Passed along with a command: the record to store if the command succeeds.
struct NewIdempotencyRecord {
  std::string key;   ///< key in the table, see above
  std::string body;  ///< hash of the request body
  int status = 0;
  Time since;
};

/// A stored record. The operation knows the meaning of the ids; the first one is the record's id.
struct IdempotencyRecord {
  std::string body;
  int status = 0;
  Time since;
  std::vector<Id> ids;
};

/// The maximum number of ids in one record, so that a value stays under 1 KiB.
inline constexpr std::size_t idempotency_ids_max = 8;

/// The table key for a request that is stored at `now`. Needs: at most 128 bytes.
[[nodiscard]] std::string idempotency_key(Time now, std::string_view fingerprint);
/// Adds the record to the change set of the effect. Guard: the key does not exist. Needs:
/// 1..idempotency_ids_max ids.
void remember(ChangeSet& changes, const NewIdempotencyRecord& request, std::span<const Id> ids);
/// Whether the change set already stores this key.
[[nodiscard]] bool remembers(const ChangeSet& changes, std::string_view key);
/// The record stored under the fingerprint within the last 24 hours.
[[nodiscard]] Expected<std::optional<IdempotencyRecord>> find_idempotency_record(const Snapshot& snapshot,
                                                                                 std::string_view fingerprint,
                                                                                 Time now);
/// Removes at most `most` keys older than 24 hours, oldest first, and returns their number.
std::size_t forget_expired(const Snapshot& snapshot, Time now, std::size_t most, ChangeSet& changes);

/// A 409 problem for a repeat that arrives while the first request is in progress (D9).
[[nodiscard]] Problem still_in_progress();

}  // namespace parley::store
