#pragma once
/// The rule that somebody is left who can administer (D80): no key is revoked and no user is changed where that would close the
/// last door of an administrator, for nobody could make another key then. Pure but for reading. Any thread.
///
/// A door is a key that works, with scope admin, of a user whose role is admin. One that closes by itself within a day counts
/// only where the one that goes would close as early. What a change rests on, the other door, is guarded: it must still be there
/// when the change is committed, so that two administrators who shut each other out at once do not both succeed.

#include "model/expected.hpp"
#include "model/records/user.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Adds to `changes`, which revoke `leaving`, what must still hold when they are committed. A key that is no door is revoked
/// freely. Problem: conflict where there is no other door.
[[nodiscard]] Expected<Done> keep_one_admin(const ApiKey& leaving, const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

/// The same of `changes` that make `after` of the user `before`, of all whose keys none may be a door any more.
[[nodiscard]] Expected<Done> keep_one_admin(const User& before, const User& after,
                                            const store::Snapshot& snapshot, Time now,
                                            store::ChangeSet& changes);

}  // namespace parley::http
