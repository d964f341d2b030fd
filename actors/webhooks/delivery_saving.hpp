#pragma once
/// One change set that saves the outcomes of several attempts: the deliveries, and the webhooks whose state
/// they change. Pure except for reads, so the decision can be repeated; any thread, one at a time.

#include <utility>
#include <vector>

#include "actors/webhooks/delivery_rules.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// An attempt that is not saved yet.
struct UnsavedAttempt {
  store::DeliveryKey key;
  Attempt attempt;
  Time failing_since;         ///< when the failures of its webhook began, as far as this process knows
  bool is_abandoned = false;  ///< no attempt was made and none will be; `attempt.error` has the reason
};

struct DeliverySaving {
  std::vector<UnsavedAttempt> unsaved;
  // Set by each decision:
  std::vector<std::pair<store::DeliveryKey, Time>> again;  ///< with the time of the next attempt
  std::vector<store::DeliveryKey> over;                    ///< delivered or abandoned
  std::vector<Webhook> disabled;
  std::size_t delivered = 0;
};

[[nodiscard]] Expected<store::ChangeSet> decide_saving(const store::Snapshot& snapshot,
                                                       DeliverySaving& saving, std::int64_t give_up_ms);

/// Erases deliveries older than `kept_ms`, and the rows of deleted webhooks; at most `most` rows.
[[nodiscard]] store::ChangeSet decide_purge(const store::Snapshot& snapshot, Time now, std::int64_t kept_ms,
                                            std::size_t most);

}  // namespace parley::actors
