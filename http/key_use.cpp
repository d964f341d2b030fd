#include "http/key_use.hpp"

#include "store/snapshot.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t use_noted_every_ms = 60'000;

}  // namespace

bool is_use_due(const ApiKey& key, Time now) {
  return !key.last_used_at || now.ms - key.last_used_at->ms >= use_noted_every_ms;
}

void note_use(const Context& context, const Id& key) {
  const auto decide = [key](const store::Snapshot& now_stored, Time now,
                            IdSource&) -> Result<store::ChangeSet> {
    store::ChangeSet changes;
    TRY(before, now_stored.find<ApiKey>(key));
    // Several requests may have found it due at once, and the key may be gone: the first of them writes.
    if (!before || before->is_archived || !is_use_due(*before, now)) return changes;
    ApiKey after = *before;
    after.last_used_at = now;
    after.stamp.updated_at = std::max(now, Time{before->stamp.updated_at.ms + 1});
    changes.replace(*before, after);
    return changes;
  };
  context.gateway.change_records(decide, [](const Result<Done>&) {});
}

}  // namespace parley::http
