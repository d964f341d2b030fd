#pragma once
/// Authentication and rights (D80, D82). Every failed authentication gets the same answer (I69). Thread: any.

#include <optional>
#include <string_view>

#include "http/auth/api_key_text.hpp"
#include "http/auth/principal_cache.hpp"
#include "http/auth/sessions.hpp"
#include "http/exchange/request_context.hpp"
#include "http/protocol/request.hpp"
#include "model/expected.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// The caller, and whether this use of the key or session must be recorded.
struct Caller {
  Principal principal;
  bool is_use_due = false;
};

/// What a request's credentials are checked against.
struct Gate {
  const Keys& keys;
  const Sessions& sessions;
};

/// Authenticates a request by `Authorization: Bearer KEY` (the scheme in any case) or, without that field, by the two
/// halves of a session. Problem: unauthorized for a missing, malformed, unknown, revoked or expired key, for an
/// incomplete or ended session, and for a disabled user; internal for a damaged store.
[[nodiscard]] Expected<Caller> authenticate(const Request& request, const store::Snapshot& snapshot,
                                            const Gate& gate, PrincipalCache::CacheSnapshot& cache, Time now);
/// The caller who owns the key. Problem: as above.
[[nodiscard]] Expected<Caller> caller_of_key(std::string_view text, const store::Snapshot& snapshot,
                                             const Keys& keys, Time now);

/// The caller's current rights, for a request that was authenticated earlier. Reads the store, not a cache. Problem:
/// as above.
[[nodiscard]] Expected<Principal> current_principal(const Principal& caller, const store::Snapshot& snapshot,
                                                    Time now);

/// The one answer to all requests without a valid key.
[[nodiscard]] Problem no_valid_key();

/// The rights of a role and of scopes; each right includes the lower ones.
[[nodiscard]] Right right_of(UserRole role);
[[nodiscard]] Right right_of(const std::vector<Scope>& scopes);
/// The smaller of the key's right and the user's right.
[[nodiscard]] Right right_of(const ApiKey& key, const User& user);

/// The user of a key; nullopt for a key that is revoked or expired, or whose user is disabled or archived.
/// Problem: internal for a damaged store.
[[nodiscard]] Expected<std::optional<User>> user_let_in(const ApiKey& key, const store::Snapshot& snapshot,
                                                        Time now);

/// Problem: forbidden, naming the missing right.
[[nodiscard]] Expected<Done> allow(const Principal& principal, Right needed);

}  // namespace parley::http
