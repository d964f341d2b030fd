#pragma once
/// The state machine of a test result: (state, command, moment) -> (state', saves, effects, reply). Pure: no clock, no
/// randomness, no store, no CAF. The result actor carries out its decisions: saves first, then effects and reply.
///
///   pending --start--> running --end (auto)--> claimed --verdict--> completed --withdrawn--> canceled
///      |                  |  \--end (manual)--> waiting --finish--> claimed
///      |                  |
///      +---- cancel ------+---> canceled        failed <--- bad invocation, client's word, poison
///
/// Invariant: a decision that replies with a problem has saved nothing and changed nothing (I4).

#include "actors/commands.hpp"
#include "actors/events.hpp"
#include "actors/result/result_state.hpp"
#include "tester/script.hpp"

namespace parley::actors {

/// The external inputs of a decision: the time and new ids.
struct DecisionContext {
  Time now;
  IdSource& ids;
};

/// One entry to write. A patched entry keeps its ordinal.
struct EntryWrite {
  EntrySlot slot;
  Entry entry;
  bool is_new = true;
  bool operator==(const EntryWrite&) const = default;
};

/// A retry: the clone and the other records that change with the original (D50).
struct CloneWrite {
  ResultHead clone;
  Id lineage;
  /// The older clone that is also replaced, before and after.
  std::optional<std::pair<ResultHead, ResultHead>> older;
  /// The run before and after; equal if it is only guarded.
  std::optional<std::pair<Run, Run>> run;
};

/// Reports to the run that one of its results started or ended.
struct NotifyRun {
  bool has_started = false;
  bool operator==(const NotifyRun&) const = default;
};
/// The claim is durable: score it. The attempt is included so that a late verdict can be recognized (I20).
struct DispatchScoring {
  std::int64_t attempt = 0;
  bool operator==(const DispatchScoring&) const = default;
};
/// Requests the tester's next turn; the answer returns as TesterSpoke with this number.
struct AskTester {
  std::uint32_t turn = 0;
  bool operator==(const AskTester&) const = default;
};
/// The unanswered turn is returned again from the store (D47, I32).
struct RepeatTurn {
  std::uint32_t ordinal = 0;
  bool operator==(const RepeatTurn&) const = default;
};
/// This decision changed another result; its actor must reload it.
struct NotifyResult {
  Id result;
  bool operator==(const NotifyResult&) const = default;
};
/// A clone that the service drives needs a slot.
struct DriveClone {
  std::optional<Id> run;
  Id result;
  bool by_workflow = false;
  bool operator==(const DriveClone&) const = default;
};
using ResultEffect =
    std::variant<NotifyRun, DispatchScoring, AskTester, RepeatTurn, NotifyResult, DriveClone>;

struct ResultDecision {
  bool saves_head = false;
  bool saves_order = false;
  std::vector<EntryWrite> entries;
  std::optional<ResultExtras> extras;
  std::optional<ResultVerdict> verdict;
  std::optional<StoredReview> review;
  std::optional<StoredClaims> claims;
  std::optional<CloneWrite> clone;
  std::vector<ResultEffect> effects;
  /// Absent while a tester turn is awaited, and on events, for which no caller waits.
  std::optional<Expected<ResultReply>> reply;

  [[nodiscard]] bool saves() const {
    return saves_head || saves_order || !entries.empty() || extras || verdict || review || claims || clone;
  }
};

/// Appends a decision to `first` in the same change set. Needs: neither creates a clone, and no caller waits
/// for the second reply.
void add(ResultDecision& first, ResultDecision second);

// ---- commands -----------------------------------------------------------------------------------------------------

/// `registered`: the actions that a late action is checked against, which are those of the turn that it is
/// inserted into.
[[nodiscard]] ResultDecision on(ResultState& state, const PostEntry& command, const DecisionContext& moment,
                                const Registry& registered = {});
/// `stored` is the entry as stored; absent if the result has no such entry (404).
[[nodiscard]] ResultDecision on(ResultState& state, const PatchEntry& command,
                                const std::optional<Entry>& stored, const DecisionContext& moment);
[[nodiscard]] ResultDecision on(ResultState& state, const NextMessage& command,
                                const DecisionContext& moment);
[[nodiscard]] ResultDecision on(ResultState& state, const Finish& command, const DecisionContext& moment);
/// `extras` are the stored extras.
[[nodiscard]] ResultDecision on(ResultState& state, const PatchResult& command, const ResultExtras& extras,
                                const DecisionContext& moment);

/// The facts about other records for a retry, read from one snapshot.
struct RetryFacts {
  std::optional<Run> run;
  /// The run is completed according to its results, though its record may not show that.
  bool run_is_over = false;
  ///< yet (D44)
  /// The newest result of the lineage, if it is not this one.
  std::optional<ResultHead> newest;
  /// From the agent's current type, which may have changed since the original was created. Absent: as in the
  /// original.
  std::optional<Driving> driving;
  std::int64_t stuck_after_ms = 0;
  /// A runner holds the result until then (D73); before it starts, the result does not count as stuck.
  Time leased_until;
  /// The service is driving the conversation, or a model is writing its next turn: it is not stuck.
  bool has_driver = false;
};
[[nodiscard]] ResultDecision on(ResultState& state, const Retry& command, const RetryFacts& facts,
                                const DecisionContext& moment);

/// `stored` is the stored verdict. It is kept in the history after the new one; an equal verdict changes
/// nothing.
[[nodiscard]] ResultDecision on(ResultState& state, const Rescore& command, const ResultVerdict& stored,
                                const std::optional<StoredReview>& review, const DecisionContext& moment);
/// `stored` is the stored review. Refused if the result has changed since it was reviewed.
[[nodiscard]] ResultDecision on(ResultState& state, const SaveReview& command,
                                const std::optional<StoredReview>& stored, const DecisionContext& moment);

/// `stored` are the stored claims.
[[nodiscard]] ResultDecision on(ResultState& state, const SaveClaims& command,
                                const std::optional<StoredClaims>& stored, const DecisionContext& moment);

/// `entries`: recorded so far. Changes nothing unless the claim still waits for this attempt.
[[nodiscard]] ResultDecision on(ResultState& state, const RaiseAttempt& command, std::uint32_t entries,
                                const DecisionContext& moment);
/// 409 for a result that no longer waits for its workflow.
[[nodiscard]] ResultDecision on(ResultState& state, const MarkWorkflow& command,
                                const DecisionContext& moment);

// ---- events -------------------------------------------------------------------------------------------------------

/// The tester's answer to AskTester. Dropped if `turn` is no longer the awaited turn. A turn for which a full
/// conversation has no room (D55) is refused if a client requested it from a script; otherwise it ends the
/// conversation.
struct TesterSpoke {
  std::uint32_t turn = 0;
  tester::Turn said;
  std::string tester{played_by_script};
  ModelUse use = {};  ///< use of a model, including void answers before this one
};
[[nodiscard]] ResultDecision on(ResultState& state, const TesterSpoke& event, const DecisionContext& moment);

/// The tester gave no turn after all retries (D48).
struct TesterFailed {
  std::uint32_t turn = 0;
  std::string code;
  std::string detail;
  ModelUse use = {};
};
[[nodiscard]] ResultDecision on(ResultState& state, const TesterFailed& event, const DecisionContext& moment);

/// The agent's answer to exchange `turn` of a server-driven conversation, ready to be recorded: tools and
/// events in their order, and a message, which is empty if the agent sent none (D47).
struct AgentSaid {
  std::vector<PostEntry> entries;
  bool ends = false;
};
/// The end of the call for exchange `turn`. Dropped unless that exchange is waiting (I8, F24).
struct AgentAnswered {
  std::uint32_t turn = 0;
  std::variant<AgentSaid, AgentFailed> said;
  std::int64_t throttled = 0;  ///< earlier answers that asked for fewer calls
};
[[nodiscard]] ResultDecision on(ResultState& state, const AgentAnswered& event,
                                const DecisionContext& moment);

[[nodiscard]] ResultDecision on(ResultState& state, const StartTimedOut& event,
                                const DecisionContext& moment);

/// The conversation was driven for longer than allowed.
struct RanTooLong {};
[[nodiscard]] ResultDecision on(ResultState& state, const RanTooLong& event, const DecisionContext& moment);

// ---- what the service does next -----------------------------------------------------------------------------------

/// The conversation waits for the tester's next turn, which will be number `turn`.
struct OwesTester {
  std::uint32_t turn = 0;
  bool operator==(const OwesTester&) const = default;
};
/// The conversation waits for the agent's answer in exchange `turn`.
struct OwesAgent {
  std::uint32_t turn = 0;
  bool operator==(const OwesAgent&) const = default;
};
using Owed = std::variant<std::monostate, OwesTester, OwesAgent>;
/// What a server-driven conversation waits for, derived from the record alone, so that recovery can continue
/// from it (I6). Nothing if a person plays the tester (D52) or a client drives the conversation.
[[nodiscard]] Owed owed(const ResultState& state);

/// True for a result that the dispatcher must know: it needs a slot, or a workflow drives it.
[[nodiscard]] inline bool is_dispatched(const ResultHead& head) {
  return head.is_server_driven || head.awaits_workflow;
}

[[nodiscard]] ResultDecision on(ResultState& state, const Scored& event, const DecisionContext& moment);

/// The answer to next-message for an ended or terminal result.
[[nodiscard]] TesterReply end_of_chat();
/// The answer for a recorded tester turn.
[[nodiscard]] TesterReply reply_of(const Entry& entry);
/// {source, code, detail} of metadata.error (D47a).
[[nodiscard]] json::Text error_json(std::string_view source, std::string_view code, std::string_view detail);

}  // namespace parley::actors
