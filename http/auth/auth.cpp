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
  return Principal{user->stamp.id, key.stamp.id, user->role, right_of(key, *user)};
}

Expected<Caller> look_up(std::string_view text, const store::Snapshot& snapshot, const Keys& keys, Time now) {
  const std::string hash = keys.hash_of(text);
  TRY(id, snapshot.unique(store::Namespace::api_key_prefix, keys.prefix_of(text)));
  if (!id) return no_valid_key();
  TRY(key, snapshot.find<ApiKey>(*id));
  if (!key || !Keys::same_hash(key->hash, hash)) return no_valid_key();
  TRY(principal, principal_of(*key, snapshot, now));
  return Caller{principal, is_use_due(*key, now)};
}

}  // namespace

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

Expected<Caller> authenticate(const Request& request, const store::Snapshot& snapshot, const Keys& keys,
                              PrincipalCache::CacheSnapshot& cache, Time now) {
  const auto text = bearer_of(request);
  if (!text) return no_valid_key();
  const PrincipalCache::Digest digest = cache.digest_of(*text);
  if (const auto known = cache.find(digest, now)) return Caller{*known};
  TRY(found, look_up(*text, snapshot, keys, now));
  cache.remember(digest, found.principal, now);
  return found;
}

Expected<Principal> current_principal(const Principal& caller, const store::Snapshot& snapshot, Time now) {
  TRY(key, snapshot.find<ApiKey>(caller.key));
  if (!key) return no_valid_key();
  return principal_of(*key, snapshot, now);
}

Expected<Done> allow(const Principal& principal, Right needed) {
  if (principal.right >= needed) return Done{};
  constexpr std::array<std::string_view, 4> words{"none", "read", "write", "admin"};
  return problem(ProblemKind::forbidden, "this operation needs a key with the right '" +
                                             std::string(words.at(static_cast<std::size_t>(needed))) +
                                             "', of a user whose role allows it");
}

}  // namespace parley::http
