#pragma once
/// Reads the facts about a run's results from one snapshot. Any thread. Problem: internal for a damaged record.

#include "actors/base/run_facts.hpp"
#include "model/expected.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// The cost does not depend on the number of results.
[[nodiscard]] Expected<RunFacts> load_facts(const store::Snapshot& snapshot, const Run& run);

/// Whether a result of the run ever ran, whatever its status is now: failed, canceled, or replaced by a retry
/// (D40). Reads the results one by one, so it is used only where their messages are missing: at a start, and
/// once for each run actor.
[[nodiscard]] Expected<bool> has_run_before(const store::Snapshot& snapshot, const Id& run);

/// The facts for a reader that does not get the results' messages: it reads the results if the counters do
/// not show whether one has started.
[[nodiscard]] Expected<RunFacts> load_all_facts(const store::Snapshot& snapshot, const Run& run);

}  // namespace parley::actors
