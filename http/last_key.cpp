#include "http/last_key.hpp"

#include "http/auth.hpp"

namespace parley::http {
namespace {

/// Whether the key lets an administrator in; if so, and only then, its user.
Result<std::optional<User>> admin_let_in(const ApiKey& key, const store::Snapshot& snapshot, Time now) {
  TRY(user, user_let_in(key, snapshot, now));
  if (!user || right_of(key, *user) < Right::admin) return std::optional<User>{};
  return user;
}

}  // namespace

Result<Done> keep_one_admin_key(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                                store::ChangeSet& changes) {
  TRY(has_opened, admin_let_in(leaving, snapshot, now));
  if (!has_opened) return Done{};
  constexpr std::size_t looked_up_at_once = 100;
  const store::Slice all{RecordKind::api_key, store::Facet::all};
  std::vector<Id> ids = snapshot.ids_in(all, {}, looked_up_at_once);
  for (; !ids.empty(); ids = snapshot.ids_in(all, ids.back(), looked_up_at_once)) {
    for (const Id& id : ids) {
      if (id == leaving.stamp.id) continue;
      TRY(other, snapshot.find<ApiKey>(id));
      if (!other) continue;
      TRY(user, admin_let_in(*other, snapshot, now));
      if (!user) continue;
      // Somebody else may be revoking that one just now.
      changes.guard_revision(*other);
      changes.guard_revision(*user);
      return Done{};
    }
  }
  return problem(
      ProblemKind::conflict,
      "this is the last key that lets an administrator in; make another one with scope admin first");
}

}  // namespace parley::http
