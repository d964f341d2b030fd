#pragma once
/// From notices to deliveries: which webhooks hear of an event, and what the event says. An event holds names, numbers and
/// links, never a transcript. Pure but for reading; any thread.

#include <string>
#include <vector>

#include "store/side/deliveries.hpp"
#include "store/side/notices.hpp"

namespace parley::actors {

/// What one step makes of the oldest notices.
struct Expansion {
  store::ChangeSet changes;  ///< erases the notices and writes the deliveries
  std::vector<store::DeliveryKey> made;
  bool has_more = false;  ///< there may be more notices
};

/// `public_url` is where the page is; empty: events have no links.
[[nodiscard]] Expected<Expansion> expand_notices(const store::Snapshot& snapshot, Time now, IdSource& ids,
                                                 const std::string& public_url);

}  // namespace parley::actors
