#pragma once
/// Idempotency keys of requests that had their effect (D9, I4): what a repeat is answered with, kept in the change set of
/// the effect for 24 hours. Thread: as the snapshot; the rest is pure.
///
///   key     = span fingerprint
///   span    = u32 big-endian, the eight hours in which the key was kept; so what is over stands first in the table
///   value   = {"body": HASH, "status": 201, "since": ms, "ids": [ID...]}   at most 1 KiB, no text of the body

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// Travels with a command: what is kept when it succeeds.
struct NewIdempotencyRecord {
  std::string key;   ///< of the table, see above
  std::string body;  ///< hash of the request's body
  int status = 0;
  Time since;
};

/// What was kept. The operation knows what its ids mean; the first one is the record.
struct IdempotencyRecord {
  std::string body;
  int status = 0;
  Time since;
  std::vector<Id> ids;
};

/// Most ids of one request, so that a value stays under 1 KiB.
inline constexpr std::size_t idempotency_ids_max = 8;

/// The table's key of a request that is kept at `now`. Needs: at most 128 bytes.
[[nodiscard]] std::string idempotency_key(Time now, std::string_view fingerprint);
/// Adds to the change set of the effect. Guard: the key is not there. Needs: 1..remembered_ids_max ids.
void remember(ChangeSet& changes, const NewIdempotencyRecord& request, std::span<const Id> ids);
/// True when the change set keeps this key already.
[[nodiscard]] bool remembers(const ChangeSet& changes, std::string_view key);
/// What was kept under the fingerprint within the last 24 hours.
[[nodiscard]] Expected<std::optional<IdempotencyRecord>> find_idempotency_record(const Snapshot& snapshot,
                                                                                 std::string_view fingerprint,
                                                                                 Time now);
/// Forgets keys whose 24 hours are over, oldest first, at most `most`; tells how many.
std::size_t forget_expired(const Snapshot& snapshot, Time now, std::size_t most, ChangeSet& changes);

/// 409 for a repeat that comes while the first request is under way (D9).
[[nodiscard]] Problem still_in_progress();

}  // namespace parley::store
