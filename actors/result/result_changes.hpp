#pragma once
/// Turns the machines' decisions into change sets. Pure functions over plain values.

#include "actors/result/result_machine.hpp"
#include "store/change.hpp"

namespace parley::actors {

/// Writes the head, the case and, if present, the extras and history of a new result. `ids` provides the ids
/// of the entries.
void add_new_result(store::ChangeSet& changes, const NewResult& made, IdSource& ids);

/// Writes the entries, extras, verdict and order of a decision; `durable` is the head on disk.
void add_conversation(store::ChangeSet& changes, const ResultDecision& decision, const ResultState& state,
                      const ResultHead& durable);

/// Writes the clone of a retry and the records that change with it. `test_case` and `extras` are the
/// original's.
void add_clone(store::ChangeSet& changes, const CloneWrite& write, const TestCase& test_case,
               const ResultExtras& extras, std::uint64_t lineage_revision, IdSource& ids);

}  // namespace parley::actors
