#pragma once
/// The moves that several commands of the result machine share: starting, ending, claiming, failing,
/// canceling. They keep the invariants I15-I24 in one place. Used by result_machine*.cpp and by code that
/// acts on a result's behalf.

#include "actors/result/result_machine.hpp"

namespace parley::actors::moves {

/// Advances updatedAt: never backward, and by at least a millisecond with each change (D7, I11).
Time touch(ResultState& state, Time now);

/// Changes the status and notifies the run. Needs: a legal move.
void move_to(ResultState& state, ResultStatus to, ResultDecision& decision);
/// pending -> running; no effect on a running result.
void start(ResultState& state, ResultDecision& decision);
/// Ends the conversation; an automatic or server-driven result is claimed in the same decision (I23).
void end(ResultState& state, EndReason reason, Time now, ResultDecision& decision);
/// Sets scoringEnqueuedAt once and requests scoring (I19, I20).
void claim(ResultState& state, Time now, ResultDecision& decision);
/// Makes the result terminal without a verdict. The first end reason stays.
void close(ResultState& state, ResultStatus to, EndReason reason, ResultDecision& decision);

/// The approximate size that an entry adds to the conversation, given the bytes of its content and metadata.
[[nodiscard]] std::uint64_t entry_bytes(std::size_t text_bytes);
[[nodiscard]] std::uint64_t bytes_of(const PostEntry& command);
/// 409 if the conversation would exceed its limits (D55).
[[nodiscard]] std::optional<Problem> full(const ResultState& state, std::size_t more_entries,
                                          std::uint64_t more_bytes);
/// 400 if the event registers an action that the current turn already has.
[[nodiscard]] std::optional<Problem> registered_already(const ResultState& state, const PostEntry& command);
/// The index of the entry next to which a late entry is inserted; nullopt if the conversation has no entry
/// with that id.
[[nodiscard]] std::optional<std::uint32_t> anchor_of(const ResultState& state, const PostEntry& command);
/// The slot and entry of a new post, in exchange `turn`. Not yet part of the conversation's order.
[[nodiscard]] EntryWrite new_entry(ResultState& state, const PostEntry& command, std::uint32_t turn,
                                   const DecisionContext& moment);
/// Appends an entry: starts a pending result, opens or answers a tester turn, registers actions. Needs:
/// checked.
[[nodiscard]] EntryWrite append(ResultState& state, const PostEntry& command, const DecisionContext& moment,
                                ResultDecision& decision);
/// Fails the result; `error` is metadata.error (D47a).
void fail(ResultState& state, EndReason reason, json::Text error, const DecisionContext& moment,
          ResultDecision& decision);

/// The reply with the current result.
[[nodiscard]] ResultReply view(const ResultState& state);
/// A decision that only replies with a problem.
[[nodiscard]] ResultDecision refuse(Problem problem);
/// 409 for writes to the conversation of a terminal or claimed result; nullopt when they are allowed.
[[nodiscard]] std::optional<Problem> closed_to_writes(const ResultState& state);

}  // namespace parley::actors::moves
