#pragma once
/// The client-driven results of an agent that wait for a runner, and the leased ones (D73, I61). A lease
/// belongs to the agent of a runner. All leases of a runner end at the same time, because each heartbeat renews
/// them together.
/// Thread: as the snapshot.

#include <functional>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// The leases of an agent's runner. `revision` is what put_leases expects; 0 if no leases are stored.
struct Leases {
  Time until;
  std::vector<Id> results;
  std::uint64_t revision = 0;
};

[[nodiscard]] Expected<Leases> leases_of(const Snapshot& snapshot, const Id& agent);
/// Replaces the leases of that revision with `leases`. The row is kept even if it is empty.
void put_leases(ChangeSet& changes, const Id& agent, const Leases& leases);
/// Guard: the agent's runner still holds exactly these leases.
void guard_leases(ChangeSet& changes, const Id& agent, const Leases& leases);

/// Whether the result is pending, client-driven, not manual, and assigned to the agent.
[[nodiscard]] bool is_waiting(const Snapshot& snapshot, const Id& agent, const Id& result);
/// At most `most` waiting results of the agent that `takes` accepts, oldest first.
[[nodiscard]] std::vector<Id> waiting_of(const Snapshot& snapshot, const Id& agent,
                                         const std::function<bool(const Id&)>& takes, std::size_t most);
/// As above, within one run.
[[nodiscard]] std::vector<Id> waiting_of_run(const Snapshot& snapshot, const Id& agent, const Id& run,
                                             const std::function<bool(const Id&)>& takes, std::size_t most);

}  // namespace parley::store
