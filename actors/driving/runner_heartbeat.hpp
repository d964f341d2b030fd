#pragma once
/// What a heartbeat of a local runner changes, and what work it is offered (D73, I61): one change set, the leases guarded by
/// their revision, each result by that of its head. Has no owner; called where records are decided, one at a time.

#include <optional>
#include <string>
#include <vector>

#include "model/clock.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

struct Heartbeat {
  std::string agent_name;
  std::string runner;         ///< unique among those of its owner
  Id owner;                   ///< the user whose key the runner has
  std::int64_t lease_ms = 0;  ///< --local-lease
};

/// What a heartbeat is answered.
struct RunnerOffer {
  Id agent;
  std::optional<Id> run;
  std::vector<Id> results;
};

/// `ids` names the agent that a first heartbeat makes. Problem: a record could not be read.
[[nodiscard]] Expected<store::ChangeSet> decide_heartbeat(const store::Snapshot& snapshot,
                                                          const Heartbeat& beat, Time now, IdSource& ids,
                                                          RunnerOffer& offer);

}  // namespace parley::actors
