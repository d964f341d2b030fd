#include "http/auth/bootstrap.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "http/lists/page.hpp"

namespace parley::http {
namespace {

Expected<bool> has_user(const store::Snapshot& snapshot) {
  for (const bool archived : {false, true}) {
    store::ListQuery query = list_of(RecordKind::user);
    query.archived = archived;
    query.limit = 1;
    TRY(page, store::list(snapshot, query));
    if (page.total > 0) return true;
  }
  return false;
}

/// Whether the store has or had the given key; false if no key is given.
Expected<bool> is_known_key(const store::Snapshot& snapshot, const Keys& keys,
                            const std::optional<std::string>& text) {
  if (!text) return false;
  TRY(taken, snapshot.unique(store::Namespace::api_key_prefix, keys.prefix_of(*text)));
  return taken.has_value();
}

bool is_acceptable(std::string_view key) {
  return key.size() >= bootstrap_key_bytes_min && key.size() <= key_bytes_max &&
         std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

store::ChangeSet first_records(const NewKey& fresh, Time now, IdSource& ids) {
  User admin;
  admin.stamp = {ids.next(now), now, 1};
  admin.name = "admin";
  admin.role = UserRole::admin;
  ApiKey key;
  key.stamp = {ids.next(now), now, 1};
  key.name = "first key";
  key.prefix = fresh.prefix;
  key.hash = fresh.hash;
  key.user = {admin.stamp.id};
  key.scopes = {Scope::read, Scope::write, Scope::admin};
  store::ChangeSet changes;
  changes.create(admin);
  changes.create(key);
  changes.claim_unique(store::Namespace::api_key_prefix, key.prefix, key.stamp.id);
  return changes;
}

}  // namespace

Expected<std::optional<std::string>> bootstrap(const store::Store& store, const Keys& keys,
                                               const Bootstrap& settings, IdSource& ids,
                                               const Commit& commit) {
  TRY(is_later, has_user(store.snapshot()));
  TRY(is_known, is_known_key(store.snapshot(), keys, settings.given_key));
  if (is_later && !settings.permits_restart) {
    if (settings.given_key && !is_known)
      spdlog::warn("PARLEY_BOOTSTRAP_KEY is not used: the store already has users, see --new-admin-key");
    return std::optional<std::string>{};
  }
  if (settings.given_key && !is_acceptable(*settings.given_key)) {
    return problem(ProblemKind::store_refuses,
                   "PARLEY_BOOTSTRAP_KEY must have 20 to 512 visible ASCII characters");
  }
  if (is_known)
    return problem(ProblemKind::store_refuses, "PARLEY_BOOTSTRAP_KEY was used before; set another one");
  NewKey fresh = settings.given_key ? keys.adopt(*settings.given_key) : keys.make();
  if (!settings.given_key) {
    auto written = store::write_private_file(settings.directory / "admin.key", fresh.text + "\n");
    if (!written) return std::move(written).problem();
  }
  if (auto done = commit(first_records(fresh, settings.now, ids)); !done) {
    Problem why = std::move(done).problem();
    why.detail = "The admin's key cannot be stored. " + why.detail;
    return why;
  }
  return std::optional(std::move(fresh.text));
}

}  // namespace parley::http
