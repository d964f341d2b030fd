#include "http/auth/last_admin.hpp"

#include <algorithm>
#include <functional>

#include "http/auth/auth.hpp"

namespace parley::http {
namespace {

constexpr std::size_t looked_up_at_once = 100;
/// Time enough to make another key.
constexpr std::int64_t lasting_ms = std::int64_t{24} * 60 * 60 * 1'000;

struct Door {
  ApiKey key;
  User user;

  [[nodiscard]] Time closes_at() const { return key.expires_at.value_or(Time{INT64_MAX}); }
};

/// Gives false to stop.
using DoorVisitor = std::function<bool(const Door& door)>;

Expected<std::optional<Door>> door_of(const ApiKey& key, const store::Snapshot& snapshot, Time now) {
  TRY(user, user_let_in(key, snapshot, now));
  if (!user || right_of(key, *user) < Right::admin) return std::optional<Door>{};
  return std::optional(Door{key, std::move(*user)});
}

/// Visits the doors among the keys of the slice.
Expected<Done> for_each_door(const store::Snapshot& snapshot, const store::Slice& keys, Time now,
                             const DoorVisitor& visit) {
  std::vector<Id> ids = snapshot.ids_in(keys, {}, looked_up_at_once);
  for (; !ids.empty(); ids = snapshot.ids_in(keys, ids.back(), looked_up_at_once)) {
    for (const Id& id : ids) {
      TRY(key, snapshot.find<ApiKey>(id));
      if (!key) continue;
      TRY(door, door_of(*key, snapshot, now));
      if (door && !visit(*door)) return Done{};
    }
  }
  return Done{};
}

/// Whether a door goes, too.
using Goes = std::function<bool(const Door& door)>;

/// Guards a door that stays while others go, of which the last one would close at `closing`.
Expected<Done> keep_another(const Goes& goes, Time closing, const store::Snapshot& snapshot, Time now,
                            store::ChangeSet& changes) {
  const Time until = std::min(closing, Time{now.ms + lasting_ms});
  bool is_kept = false;
  TRY(walked, for_each_door(snapshot, {RecordKind::api_key}, now, [&](const Door& door) {
        is_kept = !goes(door) && door.closes_at() >= until;
        if (!is_kept) return true;
        changes.guard_revision(door.key);
        changes.guard_revision(door.user);
        return false;
      }));
  if (is_kept) return Done{};
  return problem(
      ProblemKind::conflict,
      "nobody could administer the service any more: no other key lets an administrator in, or not for "
      "a day; make one with scope admin first");
}

bool may_administer(const User& user) {
  return right_of(user.role) >= Right::admin && !user.is_disabled && !user.is_archived;
}

}  // namespace

Expected<Done> keep_one_admin(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                              store::ChangeSet& changes) {
  TRY(door, door_of(leaving, snapshot, now));
  if (!door) return Done{};
  const auto goes = [&](const Door& other) { return other.key.stamp.id == leaving.stamp.id; };
  return keep_another(goes, door->closes_at(), snapshot, now, changes);
}

Expected<Done> keep_one_admin(const User& before, const User& after, const store::Snapshot& snapshot,
                              Time now, store::ChangeSet& changes) {
  if (!may_administer(before) || may_administer(after)) return Done{};
  const store::Slice keys{RecordKind::api_key, store::Facet::owner, store::value_of(before.stamp.id)};
  std::optional<Time> closing;
  TRY(walked, for_each_door(snapshot, keys, now, [&](const Door& door) {
        closing = std::max(closing.value_or(Time{}), door.closes_at());
        return true;
      }));
  if (!closing) return Done{};
  const auto goes = [&](const Door& other) { return other.user.stamp.id == before.stamp.id; };
  return keep_another(goes, *closing, snapshot, now, changes);
}

}  // namespace parley::http
