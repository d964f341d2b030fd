#pragma once
/// Permanent deletion (D25) of runs with their results, single results and external logs. Live records are
/// refused. Decides on a snapshot, for an admin (http/) or because of a record's age (retention). Pure except
/// for reading; any thread.

#include <string_view>

#include "model/expected.hpp"
#include "model/records/external_log.hpp"
#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// Problem: conflict while the result is live. Its run continues without it and expects one case fewer (D44);
/// FollowResults checks whether that completes the run.
[[nodiscard]] Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const ResultHead& head,
                                                     Time now);
/// The run and all of its results in one set: no reader ever sees half of a run (I56). The texts of a large
/// run, which no view shows any more, are erased afterwards (store/side/pending_erasures.hpp). Problem:
/// conflict while the run or one of its results is live.
[[nodiscard]] Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const Run& run);
[[nodiscard]] store::ChangeSet deletion_of(const ExternalLog& log);

}  // namespace parley::actors
