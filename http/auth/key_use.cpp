#include "http/auth/key_use.hpp"

#include "store/snapshot.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t use_noted_every_ms = 60'000;

/// The key with its use at `used` recorded; unchanged if the use need not be recorded.
ApiKey with_use(ApiKey key, Time used) {
  if (key.is_archived || !is_use_due(key, used)) return key;
  key.last_used_at = used;
  key.stamp.updated_at = std::max(used, Time{key.stamp.updated_at.ms + 1});
  return key;
}

}  // namespace

bool is_use_due(const ApiKey& key, Time now) {
  return !key.last_used_at || now.ms - key.last_used_at->ms >= use_noted_every_ms;
}

bool is_use_due(const store::Session& session, Time now) {
  return now.ms - session.seen.ms >= use_noted_every_ms;
}

void note_session_use(actors::Gateway& gateway, const Clock& clock, const Id& session) {
  const Time used = clock.now();
  const auto decide = [session, used](const store::Snapshot& now_stored, Time,
                                      IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    TRY(found, store::find_session(now_stored, session));
    if (!found || !is_use_due(*found, used)) return changes;
    found->seen = used;
    store::put_session(changes, *found);
    TRY(key, now_stored.find<ApiKey>(found->key));
    if (!key) return changes;
    const ApiKey after = with_use(*key, used);
    if (after.last_used_at != key->last_used_at) changes.replace(*key, after);
    return changes;
  };
  gateway.change_records(decide, [](const Expected<Done>&) {});
}

void note_use(actors::Gateway& gateway, const Clock& clock, const Id& key) {
  const Time used = clock.now();
  const auto decide = [key, used](const store::Snapshot& now_stored, Time,
                                  IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    TRY(before, now_stored.find<ApiKey>(key));
    if (!before) return changes;
    // Several concurrent requests may find that a record is due, and the key may be revoked in the meantime. The
    // first request writes.
    const ApiKey after = with_use(*before, used);
    if (after.last_used_at == before->last_used_at) return changes;
    changes.replace(*before, after);
    return changes;
  };
  gateway.change_records(decide, [](const Expected<Done>&) {});
}

}  // namespace parley::http
