#pragma once
/// Why a result did not pass in full, as failure groups show it. Reads one snapshot; any thread.

#include <optional>

#include "model/records/test_result.hpp"
#include "scoring/failure_signature.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// `state`: the result's state_letter. nullopt for results that passed in full, are unfinished, canceled or not a valid trial.
[[nodiscard]] Expected<std::optional<scoring::Failure>> failure_of(const store::Snapshot& snapshot,
                                                                   const ResultHead& head, char state);

/// The signature of its failure: stored with the verdict; computed for faults, and for verdicts of older versions. Empty: it
/// belongs to no group.
[[nodiscard]] Expected<std::string> group_of(const store::Snapshot& snapshot, const ResultHead& head,
                                             char state);

}  // namespace parley::http
