#pragma once
/// Turns notices into deliveries: which webhooks receive an event, and what the event contains, namely names,
/// numbers and links, never a transcript. Pure except for reads; any thread.

#include <string>
#include <vector>

#include "store/side/deliveries.hpp"
#include "store/side/notices.hpp"

namespace parley::actors {

/// The result of one step, which handles the oldest notices.
struct Expansion {
  store::ChangeSet changes;  ///< erases the notices and writes the deliveries
  std::vector<store::DeliveryKey> made;
  bool has_more = false;  ///< there may be more notices
};

/// `public_url` is the address of the page; empty: events have no links.
[[nodiscard]] Expected<Expansion> expand_notices(const store::Snapshot& snapshot, Time now, IdSource& ids,
                                                 const std::string& public_url);

}  // namespace parley::actors
