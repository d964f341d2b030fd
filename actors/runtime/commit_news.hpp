#pragma once
/// What waiting clients and event streams need to know about a batch of committed change sets. Pure; any
/// thread.

#include <span>

#include "actors/base/messages.hpp"
#include "actors/streams/events_handle.hpp"

namespace parley::actors {

/// The runs and results that changed. `outcomes`: one for each change set.
[[nodiscard]] News news_of(std::span<const store::ChangeSet> batch, std::span<const store::Outcome> outcomes);
/// All records that changed.
[[nodiscard]] Committed committed_of(std::span<const store::ChangeSet> batch,
                                     std::span<const store::Outcome> outcomes);

}  // namespace parley::actors
