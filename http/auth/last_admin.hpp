#pragma once
/// The rule that the last admin key stays (D80, ADR 20): no key is revoked, and no user is changed, if
/// afterwards no working admin key would be left, because then no client could make another key. An admin key
/// works if it is neither revoked nor expired, has the scope admin, and belongs to a user who is an active
/// admin. Pure except for reads. Any thread.
///
/// The key that stays, and its user, are guarded: two admins who remove each other concurrently do not both
/// succeed.

#include "model/expected.hpp"
#include "model/records/user.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Guards, in `changes` that revoke `leaving`, an admin key that stays. A key that is not a working admin key
/// needs no guard. Problem: conflict if no other admin key works.
[[nodiscard]] Expected<Done> keep_one_admin(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

/// As above, for `changes` that turn the user `before` into `after`: all keys of a user who is no longer an
/// admin leave.
[[nodiscard]] Expected<Done> keep_one_admin(const User& before, const User& after,
                                            const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

}  // namespace parley::http
