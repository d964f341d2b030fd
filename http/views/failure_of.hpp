#pragma once
/// Why a result did not pass completely, as shown in failure groups. Reads one snapshot; any thread.

#include <optional>

#include "model/records/test_result.hpp"
#include "scoring/failure_signature.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// `state`: the result's state_letter. nullopt for results that passed completely, are unfinished or canceled, or are
/// not a valid trial.
[[nodiscard]] Expected<std::optional<scoring::Failure>> failure_of(const store::Snapshot& snapshot,
                                                                   const ResultHead& head, char state);

/// The signature of the result's failure. It is stored with the verdict, and computed for faults and for verdicts of
/// older versions. Empty if the result belongs to no group.
[[nodiscard]] Expected<std::string> group_of(const store::Snapshot& snapshot, const ResultHead& head,
                                             char state);

}  // namespace parley::http
