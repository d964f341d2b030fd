#include "http/auth/last_admin.hpp"

#include "http/auth/auth.hpp"

namespace parley::http {
namespace {

constexpr std::size_t keys_per_read = 100;

bool is_active_admin(const User& user) {
  return right_of(user.role) >= Right::admin && !user.is_disabled && !user.is_archived;
}

/// The key's user if the key is a working admin key.
Expected<std::optional<User>> admin_of(const ApiKey& key, const store::Snapshot& snapshot, Time now) {
  TRY(user, user_let_in(key, snapshot, now));
  if (user && right_of(key, *user) < Right::admin) user.reset();
  return user;
}

/// Guards the first working admin key that remains. `leaves` is a predicate on keys.
template <class Leaves>
Expected<Done> keep_another(const store::Snapshot& snapshot, Time now, store::ChangeSet& changes,
                            const Leaves& leaves) {
  const store::Slice keys{RecordKind::api_key};
  std::vector<Id> ids = snapshot.ids_in(keys, {}, keys_per_read);
  for (; !ids.empty(); ids = snapshot.ids_in(keys, ids.back(), keys_per_read)) {
    for (const Id& id : ids) {
      TRY(key, snapshot.find<ApiKey>(id));
      if (!key || leaves(*key)) continue;
      TRY(admin, admin_of(*key, snapshot, now));
      if (!admin) continue;
      changes.guard_revision(*key);
      changes.guard_revision(*admin);
      return Done{};
    }
  }
  return problem(
      ProblemKind::conflict,
      "no other admin key would work: make another key with the scope admin, for an active admin, first");
}

}  // namespace

Expected<Done> keep_one_admin(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                              store::ChangeSet& changes) {
  TRY(admin, admin_of(leaving, snapshot, now));
  if (!admin) return Done{};
  return keep_another(snapshot, now, changes,
                      [&](const ApiKey& key) { return key.stamp.id == leaving.stamp.id; });
}

Expected<Done> keep_one_admin(const User& before, const User& after, const store::Snapshot& snapshot,
                              Time now, store::ChangeSet& changes) {
  if (!is_active_admin(before) || is_active_admin(after)) return Done{};
  return keep_another(snapshot, now, changes,
                      [&](const ApiKey& key) { return key.user.id == before.stamp.id; });
}

}  // namespace parley::http
