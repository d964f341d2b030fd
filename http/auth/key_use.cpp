#include "http/auth/key_use.hpp"

#include "store/snapshot.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t use_noted_every_ms = 60'000;

}  // namespace

bool is_use_due(const ApiKey& key, Time now) {
  return !key.last_used_at || now.ms - key.last_used_at->ms >= use_noted_every_ms;
}

ApiKey with_use(ApiKey key, Time used) {
  if (key.is_archived || !is_use_due(key, used)) return key;
  key.last_used_at = used;
  key.stamp.updated_at = std::max(used, Time{key.stamp.updated_at.ms + 1});
  return key;
}

ApiKey with_remembered_use(const Context& context, ApiKey key) {
  const auto used = context.key_uses.find(key.stamp.id);
  return used ? with_use(std::move(key), *used) : key;
}

void note_use(const Context& context, const Id& key) {
  const Time used = context.clock.now();
  context.key_uses.remember(key, used);
  const auto decide = [key, used](const store::Snapshot& now_stored, Time,
                                  IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    TRY(before, now_stored.find<ApiKey>(key));
    if (!before) return changes;
    // Several requests may have found it due at once, and the key may be gone: the first of them writes.
    const ApiKey after = with_use(*before, used);
    if (after.last_used_at == before->last_used_at) return changes;
    changes.replace(*before, after);
    return changes;
  };
  context.gateway.change_records(decide, [](const Expected<Done>&) {});
}

}  // namespace parley::http
