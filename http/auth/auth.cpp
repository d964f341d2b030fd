#include "http/auth/auth.hpp"

#include <algorithm>
#include <optional>

#include "http/auth/key_use.hpp"
#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

/// The credentials of a Bearer field (RFC 6750 section 2.1); nullopt for any other field.
std::optional<std::string_view> bearer_of(const Request& request) {
  const Field* field = request.find("Authorization");
  if (field == nullptr) return std::nullopt;
  constexpr std::string_view scheme = "Bearer ";
  if (!same_ignoring_case(field->value.substr(0, scheme.size()), scheme)) return std::nullopt;
  std::string_view key = field->value.substr(scheme.size());
  while (key.starts_with(' ')) key.remove_prefix(1);  // 1*SP (RFC 9110 section 11.4)
  const bool is_visible = std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (key.empty() || key.size() > key_bytes_max || !is_visible) return std::nullopt;
  return key;
}

Expected<Principal> principal_of(const ApiKey& key, const store::Snapshot& snapshot, Time now) {
  TRY(user, user_let_in(key, snapshot, now));
  if (!user) return no_valid_key();
  return Principal{user->stamp.id, key.stamp.id, {}, user->role, right_of(key, *user), key.prefix};
}

/// The caller of a session is the owner of its key, as long as key and user are valid.
Expected<Caller> caller_of_session(const SessionHalves& halves, const store::Snapshot& snapshot,
                                   const Sessions& sessions, Time now) {
  TRY(session, sessions.find(halves, snapshot, now));
  TRY(key, snapshot.find<ApiKey>(session.key));
  if (!key) return no_valid_key();
  TRY(principal, principal_of(*key, snapshot, now));
  principal.session = session.id;
  return Caller{principal, is_use_due(session, now)};
}

/// Returns the caller from the cache, or from `look_up`.
template <class LookUp>
Expected<Caller> cached(std::string_view credentials, PrincipalCache::CacheSnapshot& cache, Time now,
                        const LookUp& look_up) {
  const PrincipalCache::Digest digest = cache.digest_of(credentials);
  if (const auto known = cache.find(digest, now)) return Caller{*known};
  Expected<Caller> found = look_up();
  if (found.ok()) cache.remember(digest, found->principal, now);
  return found;
}

}  // namespace

Expected<Caller> caller_of_key(std::string_view text, const store::Snapshot& snapshot, const Keys& keys,
                               Time now) {
  const std::string hash = keys.hash_of(text);
  TRY(id, snapshot.unique(store::Namespace::api_key_prefix, keys.prefix_of(text)));
  if (!id) return no_valid_key();
  TRY(key, snapshot.find<ApiKey>(*id));
  if (!key || !Keys::same_hash(key->hash, hash)) return no_valid_key();
  TRY(principal, principal_of(*key, snapshot, now));
  return Caller{principal, is_use_due(*key, now)};
}

Problem no_valid_key() {
  return problem(ProblemKind::unauthorized, "send a valid API key as 'Authorization: Bearer KEY'");
}

Right right_of(UserRole role) {
  switch (role) {
    case UserRole::admin: return Right::admin;
    case UserRole::member: return Right::write;
    case UserRole::viewer: return Right::read;
  }
  return Right::none;
}

Right right_of(const std::vector<Scope>& scopes) {
  Right most = Right::none;
  for (const Scope scope : scopes) most = std::max(most, static_cast<Right>(static_cast<int>(scope) + 1));
  return most;
}

Right right_of(const ApiKey& key, const User& user) {
  return std::min(right_of(user.role), right_of(key.scopes));
}

Expected<std::optional<User>> user_let_in(const ApiKey& key, const store::Snapshot& snapshot, Time now) {
  if (key.is_archived || (key.expires_at && *key.expires_at <= now)) return std::optional<User>{};
  TRY(user, snapshot.find<User>(key.user.id));
  if (!user || user->is_disabled || user->is_archived) return std::optional<User>{};
  return user;
}

Expected<Caller> authenticate(const Request& request, const store::Snapshot& snapshot, const Gate& gate,
                              PrincipalCache::CacheSnapshot& cache, Time now) {
  if (request.find("Authorization") != nullptr) {
    const auto text = bearer_of(request);
    if (!text) return no_valid_key();
    return cached(*text, cache, now, [&] { return caller_of_key(*text, snapshot, gate.keys, now); });
  }
  for (const SessionHalves& halves : gate.sessions.offered(request)) {
    auto found = cached(halves.cookie + '\n' + halves.page, cache, now,
                        [&] { return caller_of_session(halves, snapshot, gate.sessions, now); });
    if (found.ok() || found.problem().kind != ProblemKind::unauthorized) return found;
  }
  return no_valid_key();
}

Expected<Principal> current_principal(const Principal& caller, const store::Snapshot& snapshot, Time now) {
  if (!caller.session.is_nil()) {
    TRY(session, store::find_session(snapshot, caller.session));
    if (!session || session->ends_at() <= now) return no_valid_key();
  }
  TRY(key, snapshot.find<ApiKey>(caller.key));
  if (!key) return no_valid_key();
  TRY(principal, principal_of(*key, snapshot, now));
  principal.session = caller.session;
  return principal;
}

Expected<Done> allow(const Principal& principal, Right needed) {
  if (principal.right >= needed) return Done{};
  constexpr std::array<std::string_view, 4> words{"none", "read", "write", "admin"};
  return problem(ProblemKind::forbidden, "this operation needs a key with the right '" +
                                             std::string(words.at(static_cast<std::size_t>(needed))) +
                                             "', of a user whose role allows it");
}

}  // namespace parley::http
