#pragma once
/// What a batch of committed change sets says to clients that wait and to streams of events. Pure; any thread.

#include <span>

#include "actors/base/messages.hpp"
#include "actors/streams/events_handle.hpp"

namespace parley::actors {

/// The runs and results that moved. `outcomes`: one for each set.
[[nodiscard]] News news_of(std::span<const store::ChangeSet> batch, std::span<const store::Outcome> outcomes);
/// All records that moved.
[[nodiscard]] Committed committed_of(std::span<const store::ChangeSet> batch,
                                     std::span<const store::Outcome> outcomes);

}  // namespace parley::actors
