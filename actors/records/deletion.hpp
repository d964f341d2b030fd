#pragma once
/// What is deleted for good (D25): runs with their results, single results, external logs. Nothing live is. Decisions on a
/// snapshot, for whoever asks: an admin (http/) or the age of a record (retention). Pure but for reading it; any thread.

#include <string_view>

#include "model/expected.hpp"
#include "model/records/external_log.hpp"
#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// Problem: conflict while it is still going. Its run goes on without it and expects one case less (D44); whether that
/// completes the run is for FollowResults to find.
[[nodiscard]] Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const ResultHead& head,
                                                     Time now);
/// The run and all of its results, in one set: nobody ever sees half of a run (I56). Of a large one the texts, which nothing
/// shows any more, are erased behind it (store/side/pending_erasures.hpp). Problem: conflict while it or one of its results is still going.
[[nodiscard]] Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const Run& run);
[[nodiscard]] store::ChangeSet deletion_of(const ExternalLog& log);

}  // namespace parley::actors
