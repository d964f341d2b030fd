#pragma once
/// Notes that people write about a group of failures, for all runs of a scenario (ADR 42). Pure except for
/// reads; thread: as the snapshot.
///
///   key = scenario id, signature u64    value = JSON {note}; in the table of labels, whose other keys are longer

#include <optional>
#include <string>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// The failures with one signature in the runs of one scenario.
struct FailureGroup {
  Id scenario;
  std::string signature;  ///< 16 HEXDIG, in lower case
};

/// nullopt if the group has no note, or the text is not a signature.
[[nodiscard]] Expected<std::optional<std::string>> find_failure_note(const Snapshot& snapshot,
                                                                     const FailureGroup& group);
/// Sets the note; an empty note removes it. Adds no change if the stored note is the same. Needs: a signature.
[[nodiscard]] Expected<Done> put_failure_note(ChangeSet& changes, const Snapshot& snapshot,
                                              const FailureGroup& group, const std::string& note);

}  // namespace parley::store
