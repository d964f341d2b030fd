#pragma once
/// Whose request it is (spec section 5, D80, D82). Every way to be nobody gives the same answer (I69).
/// Thread: any.

#include <optional>
#include <string_view>

#include "http/auth/api_key_text.hpp"
#include "http/auth/principal_cache.hpp"
#include "http/exchange/request_context.hpp"
#include "http/protocol/request.hpp"
#include "model/expected.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Who calls, and whether the use of the key is to be noted.
struct Caller {
  Principal principal;
  bool is_use_due = false;
};

/// Reads `Authorization: Bearer KEY`: the scheme in any case, exactly one space. Problem: unauthorized for a
/// missing, malformed, unknown, revoked or expired key and for that of a disabled user; internal for a
/// damaged store.
[[nodiscard]] Expected<Caller> authenticate(const Request& request, const store::Snapshot& snapshot,
                                            const Keys& keys, PrincipalCache::CacheSnapshot& cache, Time now);

/// The same caller now, for a request that was let in a while ago: of the store, not of a cache. Problem: as above.
[[nodiscard]] Expected<Principal> look_again(const Principal& caller, const store::Snapshot& snapshot,
                                             Time now);

/// What everybody without a valid key is told.
[[nodiscard]] Problem nobody();

/// What a role may do at most, and what scopes ask for; each scope holds the ones before it.
[[nodiscard]] Right right_of(UserRole role);
[[nodiscard]] Right right_of(const std::vector<Scope>& scopes);
/// The smaller of both.
[[nodiscard]] Right right_of(const ApiKey& key, const User& user);

/// Whose key it is; nothing for a key that is revoked or expired, or whose user is disabled or archived. Problem: internal for a
/// damaged store.
[[nodiscard]] Expected<std::optional<User>> user_let_in(const ApiKey& key, const store::Snapshot& snapshot,
                                                        Time now);

/// Problem: forbidden, naming what is missing.
[[nodiscard]] Expected<Done> allow(const Principal& principal, Right needed);

}  // namespace parley::http
