#pragma once
/// Reads from one snapshot what the result machine needs: its state when it is loaded, and the facts for
/// single commands. Called by the result actor. The store's pages are in memory, so normally nothing here
/// waits for a disk.

#include <span>

#include "actors/result/result_machine.hpp"
#include "model/records/visible_entries.hpp"
#include "store/side/runner_leases.hpp"
#include "store/snapshot.hpp"
#include "tester/script.hpp"

namespace parley::actors {

/// The state on disk. Problem: internal if a value is corrupt; not_found for an unknown id.
[[nodiscard]] Expected<ResultState> load_result(const store::Snapshot& snapshot, const Id& result);

/// The entry with this id, read in full; nullopt if the conversation has no such entry. Problem, also below
/// for entries that the state or the head mentions: internal if the entry is lost, not_found if the result
/// has since been deleted.
[[nodiscard]] Expected<std::optional<Entry>> load_entry(const store::Snapshot& snapshot,
                                                        const ResultState& state, const Id& entry);
[[nodiscard]] Expected<Entry> load_entry(const store::Snapshot& snapshot, const ResultHead& head,
                                         std::uint32_t ordinal);

/// The actions registered at the position where a late action is inserted: by the events between it and the
/// tester turn before it. Empty if it names no entry of the conversation.
[[nodiscard]] Expected<Registry> load_registry(const store::Snapshot& snapshot, const ResultState& state,
                                               const PostEntry& late);

/// 404 for a result that does not exist.
[[nodiscard]] Problem unknown_result(const Id& result);
/// The whole conversation, in order. Problem: internal if entries that the head counts are missing.
[[nodiscard]] Expected<std::vector<Entry>> load_entries(const store::Snapshot& snapshot,
                                                        const ResultHead& head);
/// The script lines that the tester's turns came from.
[[nodiscard]] Expected<std::vector<std::uint32_t>> load_used_lines(const store::Snapshot& snapshot,
                                                                   const ResultHead& head);
[[nodiscard]] Expected<std::vector<EntryText>> load_texts(const store::Snapshot& snapshot,
                                                          const ResultHead& head);

/// The facts about the run and the lineage for a retry; `lineage_revision` guards the lineage's record.
struct LoadedRetry {
  RetryFacts facts;
  std::uint64_t lineage_revision = 0;
  store::Leases leases;  ///< leases of the result's agent
  TestCase test_case;
  ResultExtras extras;
};
[[nodiscard]] Expected<LoadedRetry> load_retry(const store::Snapshot& snapshot, const ResultState& state,
                                               std::int64_t stuck_after_ms);

[[nodiscard]] Expected<ResultExtras> load_extras(const store::Snapshot& snapshot, const ResultHead& head);
[[nodiscard]] Expected<ResultVerdict> load_verdict(const store::Snapshot& snapshot, const ResultHead& head);

/// The script tester's next turn of `script` (D60). `fresh` is decided but not yet stored. Needs: the
/// snapshot together with `fresh` is the state's conversation.
[[nodiscard]] Expected<TesterSpoke> script_turn(const store::Snapshot& snapshot, const ResultState& state,
                                                const Expected<tester::Script>& script,
                                                std::int64_t turns_max,
                                                std::span<const EntryWrite> fresh = {});

}  // namespace parley::actors
