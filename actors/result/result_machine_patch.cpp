// PATCH /test-results/{id} and retry.

#include <algorithm>

#include "actors/result/result_machine.hpp"
#include "actors/result/result_moves.hpp"
#include "model/check.hpp"
#include "model/records/service_metadata.hpp"
#include "model/records/status_moves.hpp"

namespace parley::actors {
namespace {

using moves::refuse;

Problem no_such_move(const ResultHead& head, std::string_view wanted) {
  return problem(ProblemKind::conflict, "a result that is " + std::string(word_of(head.status)) +
                                            " cannot become " + std::string(wanted));
}

/// 409 unless D46 allows the change of status.
std::optional<Problem> status_fault(const ResultHead& head, ResultStatus to) {
  using enum ResultStatus;
  if (to == head.status) return std::nullopt;
  if (to == canceled && head.status != failed) return std::nullopt;
  if (to == running && head.status == pending) return std::nullopt;
  if (to == failed && !is_terminal(head.status)) {
    if (!head.is_claimed()) return std::nullopt;
    return problem(ProblemKind::conflict, "the result is being scored; it can only be canceled");
  }
  return no_such_move(head, word_of(to));
}

/// 409 unless the completion mode may become `to` (I24).
std::optional<Problem> mode_fault(const ResultHead& head, CompletionMode to) {
  if (to == head.completion_mode) return std::nullopt;
  if (is_terminal(head.status)) {
    return problem(ProblemKind::conflict, "the result is " + std::string(word_of(head.status)) + " already");
  }
  if (head.is_claimed() || (head.is_ended() && to == CompletionMode::manual)) {
    return problem(ProblemKind::conflict,
                   "completionMode must be set to manual before the conversation ends");
  }
  return std::nullopt;
}

/// 400 for each service-owned key that is sent with another value (D46).
std::optional<Problem> metadata_fault(const ResultHead& head, const json::Text& metadata) {
  ServiceKeys found = without_service_keys(metadata, head);
  if (found.faults.empty()) return std::nullopt;
  return body_faults(std::move(found.faults));
}

EndReason reason_of(FaultSource source) {
  if (source == FaultSource::agent) return EndReason::agent_error;
  return source == FaultSource::infrastructure ? EndReason::infrastructure_error : EndReason::client_error;
}

void change_status(ResultState& state, const PatchResult& command, ResultDecision& decision) {
  const ResultStatus to = *command.status;
  if (to == ResultStatus::running) moves::start(state, decision);
  if (to == ResultStatus::canceled) moves::close(state, to, EndReason::canceled, decision);
  if (to != ResultStatus::failed) return;
  const ReportedFailure error = command.error.value_or(ReportedFailure{});
  state.head.error = error_json(word_of(error.source), error.code, error.detail);
  state.head.end_reason.reset();  // also if the conversation had ended and was waiting for finish (D46)
  moves::close(state, to, reason_of(error.source), decision);
}

std::optional<Problem> patch_fault(const ResultState& state, const PatchResult& command) {
  if (command.metadata) {
    if (auto fault = metadata_fault(state.head, *command.metadata)) return fault;
  }
  if (command.status) {
    if (auto fault = status_fault(state.head, *command.status)) return fault;
  }
  if (command.completion_mode) return mode_fault(state.head, *command.completion_mode);
  return std::nullopt;
}

bool is_stuck(const ResultState& state, const RetryFacts& facts, Time now) {
  const ResultHead& head = state.head;
  // A claimed result has a scoring job, and a manual result waits indefinitely for its finish: neither is
  // stuck (D50).
  if (head.is_claimed() || head.is_ended() || facts.has_driver) return false;
  if (head.status == ResultStatus::pending && now < facts.leased_until) return false;
  // Several changes within one millisecond put `touched` ahead of the clock.
  return std::max<std::int64_t>(now.ms - state.touched.ms, 0) >= facts.stuck_after_ms;
}

std::optional<std::string> retry_fault(const ResultState& state, const RetryFacts& facts, Time now) {
  if (facts.run && facts.run->status == RunStatus::canceled &&
      facts.run->canceled_by == CanceledBy::operation) {
    return "the run of this result was canceled; its results cannot be retried";
  }
  if (facts.newest && !is_terminal(facts.newest->status))
    return "a retry of this result is in flight already";
  if (!is_terminal(state.head.status) && !is_stuck(state, facts, now)) {
    return "the result is not finished; only a finished or stuck one can be retried";
  }
  return std::nullopt;
}

ResultHead clone_of(const ResultHead& original, const RetryFacts& facts, const Id& lineage,
                    const DecisionContext& moment) {
  ResultHead clone;
  clone.stamp.id = moment.ids.next(moment.now);
  clone.stamp.updated_at = time_of(clone.stamp.id);
  clone.test = original.test;
  clone.run = original.run;
  clone.agent = original.agent;
  clone.personality = original.personality;
  clone.source_conversation_log = original.source_conversation_log;
  clone.completion_mode = original.completion_mode;
  clone.is_manual = original.is_manual;
  set_driving(clone, facts.driving.value_or(driving_as_of(original)));
  clone.test_created_at = original.test_created_at;
  clone.warned = original.warned_of_case();
  clone.seed = original.seed;
  clone.previous = to_text(original.stamp.id);
  clone.lineage = to_text(lineage);
  return clone;
}

/// The head, canceled and replaced by the clone.
ResultHead retired(ResultHead head, const Id& clone, Time now) {
  if (!head.retired_by) head.retired_from = head.status;
  if (head.status != ResultStatus::canceled) move_status(head, ResultStatus::canceled);
  if (!head.is_ended()) head.end_reason = EndReason::canceled;
  head.retired_by = to_text(clone);
  head.stamp.updated_at = std::max(now, Time{head.stamp.updated_at.ms + 1});
  return head;
}

/// The run after the retry: a finished run is re-opened. It keeps the status that clients saw because of the
/// replaced results, even if its own record had not followed them yet.
std::pair<Run, Run> reopened(const Run& run, bool has_started, Time now) {
  Run after = run;
  if (is_terminal(run.status) || (has_started && run.status != RunStatus::running)) {
    after.status = RunStatus::running;
    after.canceled_by = CanceledBy::nobody;
    after.stamp.updated_at = std::max(now, Time{run.stamp.updated_at.ms + 1});
  }
  return {run, after};
}

}  // namespace

ResultDecision on(ResultState& state, const PatchResult& command, const ResultExtras& extras,
                  const DecisionContext& moment) {
  if (command.if_updated_at && *command.if_updated_at != state.touched) return refuse(changed_meanwhile());
  if (auto fault = patch_fault(state, command)) return refuse(*fault);
  ResultDecision decision;
  ResultHead& head = state.head;
  const bool moves_mode = command.completion_mode && *command.completion_mode != head.completion_mode;
  if (moves_mode) {
    head.completion_mode = *command.completion_mode;
    decision.saves_head = true;
  }
  if (command.status && *command.status != head.status) change_status(state, command, decision);
  if (moves_mode && head.completion_mode == CompletionMode::automatic && head.is_ended() &&
      !is_terminal(head.status)) {
    moves::claim(state, moment.now,
                 decision);  // changing manual to auto after the end dispatches scoring immediately (D46)
  }
  ResultExtras after = extras;
  if (command.metadata) after.metadata = *command.metadata;
  if (command.external_links) after.external_links = *command.external_links;
  const bool changes_extras =
      after.metadata != extras.metadata || after.external_links != extras.external_links;
  if (changes_extras) {
    decision.extras = after;
    head.has_extras = true;
    decision.saves_head = true;  // the head carries updatedAt and guards the change
  }
  if (decision.saves()) moves::touch(state, moment.now);
  ResultReply reply = moves::view(state);
  reply.extras = std::move(after);
  decision.reply = std::move(reply);
  return decision;
}

ResultDecision on(ResultState& state, const Retry&, const RetryFacts& facts, const DecisionContext& moment) {
  if (const auto fault = retry_fault(state, facts, moment.now)) {
    return refuse(problem(ProblemKind::invalid_state_for_request, *fault));
  }
  const Id lineage = state.head.lineage ? id_from_text(*state.head.lineage).value_or(state.head.stamp.id)
                                        : state.head.stamp.id;
  CloneWrite write;
  write.lineage = lineage;
  write.clone = clone_of(state.head, facts, lineage, moment);
  ResultDecision decision;
  if (facts.newest) {
    write.older = {*facts.newest, retired(*facts.newest, write.clone.stamp.id, moment.now)};
    decision.effects.emplace_back(NotifyResult{facts.newest->stamp.id});
  }
  if (facts.run) {
    const bool has_run =
        state.head.has_run.value_or(false) || (facts.newest && facts.newest->has_run.value_or(false));
    write.run = reopened(*facts.run, facts.run_is_over || has_run, moment.now);
  }
  state.head = retired(std::move(state.head), write.clone.stamp.id, moment.now);
  state.unanswered.reset();
  state.registry.clear();
  moves::touch(state, moment.now);
  decision.saves_head = true;
  if (state.head.run) decision.effects.emplace_back(NotifyRun{});
  ResultReply reply;
  reply.head = write.clone;
  if (is_dispatched(write.clone)) {
    const auto run = write.clone.run ? std::optional<Id>(write.clone.run->id) : std::nullopt;
    decision.effects.emplace_back(DriveClone{run, write.clone.stamp.id, write.clone.awaits_workflow});
  }
  decision.clone = std::move(write);
  decision.reply = std::move(reply);
  return decision;
}

}  // namespace parley::actors
