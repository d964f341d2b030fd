#include "http/auth/start_code.hpp"

#include "http/auth/auth.hpp"
#include "store/side/sessions.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t code_life_ms = 60'000;
constexpr std::size_t keys_at_once = 100;

Expected<std::optional<Id>> first_admin_key(const store::Snapshot& snapshot, Time now) {
  const store::Slice keys{RecordKind::api_key};
  std::vector<Id> ids = snapshot.ids_in(keys, {}, keys_at_once);
  for (; !ids.empty(); ids = snapshot.ids_in(keys, ids.back(), keys_at_once)) {
    for (const Id& id : ids) {
      TRY(key, snapshot.find<ApiKey>(id));
      if (!key) continue;
      TRY(user, user_let_in(*key, snapshot, now));
      if (user && right_of(*key, *user) == Right::admin) return std::optional(id);
    }
  }
  return std::optional<Id>{};
}

}  // namespace

Expected<std::string> start_code(const store::Store& store, const Keys& keys, Time now,
                                 const Commit& commit) {
  const store::Snapshot snapshot = store.snapshot();
  TRY(key, first_admin_key(snapshot, now));
  if (!key || !store::has_room_for_session(snapshot)) return std::string();
  const std::string text = Keys::random_secret();
  store::ChangeSet changes;
  store::put_code(changes, {keys.hash_of(text), *key, Time{now.ms + code_life_ms}});
  TRY_DONE(commit(std::move(changes)));
  return text;
}

}  // namespace parley::http
