#pragma once
/// The rule that protects the last admin key (D80, ADR 20): a key is not revoked, and a user is not changed, if no
/// working admin key would remain, because then no client could create another key. An admin key works if it is
/// neither revoked nor expired, has the scope admin, and belongs to a user who is an active admin. Pure except for
/// reads. Any thread.
///
/// The remaining key and its user are guarded, so two admins who remove each other concurrently do not both succeed.

#include "model/expected.hpp"
#include "model/records/user.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Adds a guard for a remaining admin key to `changes`, which revoke `leaving`. A key that is not a working admin key
/// needs no guard. Problem: conflict if no other admin key works.
[[nodiscard]] Expected<Done> keep_one_admin(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

/// As above, for `changes` that turn the user `before` into `after`. All keys of a user who is no longer an admin
/// count as revoked.
[[nodiscard]] Expected<Done> keep_one_admin(const User& before, const User& after,
                                            const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

}  // namespace parley::http
