#pragma once
/// The last key that lets an administrator in is not revoked: nobody could make another one (D80). Pure but for reading. Any
/// thread.

#include "model/result.hpp"
#include "model/user.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Adds to `changes`, which revoke `leaving`, what must still hold when they are committed: that another administrator's key
/// works. A key that opens less is revoked freely. Problem: conflict where there is no other one.
[[nodiscard]] Result<Done> keep_one_admin_key(const ApiKey& leaving, const store::Snapshot& snapshot,
                                              Time now, store::ChangeSet& changes);

}  // namespace parley::http
