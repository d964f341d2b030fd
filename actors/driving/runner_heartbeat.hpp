#pragma once
/// Decides the changes of a local runner's heartbeat and the work it is offered (D73, I61). They are one
/// change set: the leases are guarded by their revision, each result by the revision of its head. Has no
/// owner; the actor that decides records calls it, one heartbeat at a time.

#include <optional>
#include <string>
#include <vector>

#include "model/clock.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

struct Heartbeat {
  std::string agent_name;
  std::string runner;         ///< unique among the runners of its owner
  Id owner;                   ///< the user whose key the runner has
  std::int64_t lease_ms = 0;  ///< --local-lease
};

/// The answer to a heartbeat.
struct RunnerOffer {
  Id agent;
  std::optional<Id> run;
  std::vector<Id> results;
};

/// `ids` provides the id of the agent that a first heartbeat creates. Problem: a record could not be read.
[[nodiscard]] Expected<store::ChangeSet> decide_heartbeat(const store::Snapshot& snapshot,
                                                          const Heartbeat& beat, Time now, IdSource& ids,
                                                          RunnerOffer& offer);

}  // namespace parley::actors
