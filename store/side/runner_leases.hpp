#pragma once
/// Which client-driven results of an agent wait for a runner, and who of them is leased (D73, I61). A lease belongs to
/// the agent of a runner: all of its leases end at the same time, since each heartbeat renews them together.
/// Thread: as the snapshot.

#include <functional>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// What an agent's runner holds. `revision` is what put_leases expects; 0 where nothing is stored.
struct Leases {
  Time until;
  std::vector<Id> results;
  std::uint64_t revision = 0;
};

[[nodiscard]] Expected<Leases> leases_of(const Snapshot& snapshot, const Id& agent);
/// Writes `leases` in place of what had its revision; none are taken away.
void put_leases(ChangeSet& changes, const Id& agent, const Leases& leases);
/// The change set holds only while the agent's runner holds just these.
void guard_leases(ChangeSet& changes, const Id& agent, const Leases& leases);

/// Whether the result is pending, client-driven, not manual, and of the agent.
[[nodiscard]] bool is_waiting(const Snapshot& snapshot, const Id& agent, const Id& result);
/// Waiting results of the agent, oldest first, that `takes` accepts; at most `most`.
[[nodiscard]] std::vector<Id> waiting_of(const Snapshot& snapshot, const Id& agent,
                                         const std::function<bool(const Id&)>& takes, std::size_t most);
/// The same within one run.
[[nodiscard]] std::vector<Id> waiting_of_run(const Snapshot& snapshot, const Id& agent, const Id& run,
                                             const std::function<bool(const Id&)>& takes, std::size_t most);

}  // namespace parley::store
