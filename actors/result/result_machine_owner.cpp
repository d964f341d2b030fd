// Requests from other actors to a result's owner: the next scoring attempt of a claim, and the mark of its
// workflow.

#include "actors/result/crash_counts.hpp"
#include "actors/result/result_moves.hpp"

namespace parley::actors {
namespace {

ResultDecision answered(const ResultState& state, ResultDecision decision) {
  decision.reply = moves::view(state);
  return decision;
}

}  // namespace

ResultDecision on(ResultState& state, const RaiseAttempt& command, std::uint32_t entries,
                  const DecisionContext& moment) {
  ResultHead& head = state.head;
  ResultDecision decision;
  const bool waits =
      head.status == ResultStatus::running && head.is_claimed() && head.attempt == command.attempt;
  if (!waits) return answered(state, std::move(decision));
  const ResultHead next =
      command.has_failed ? after_failed_try(head, entries, moment.now) : with_next_attempt(head, moment.now);
  head.crashes = next.crashes;
  head.attempt = next.attempt;
  if (is_terminal(next.status)) {  // set aside, so that its run ends
    head.error = next.error;
    moves::move_to(state, next.status, decision);
  }
  decision.saves_head = true;
  moves::touch(state, moment.now);
  return answered(state, std::move(decision));
}

ResultDecision on(ResultState& state, const MarkWorkflow& command, const DecisionContext& moment) {
  ResultHead& head = state.head;
  if (head.status != ResultStatus::pending) {
    return moves::refuse(problem(ProblemKind::conflict, "the result no longer waits for its workflow"));
  }
  ResultDecision decision;
  if (head.workflow_asked_at.has_value() != command.is_requested) {
    head.workflow_asked_at.reset();
    if (command.is_requested) head.workflow_asked_at = moment.now;
    decision.saves_head = true;
    moves::touch(state, moment.now);
  }
  return answered(state, std::move(decision));
}

}  // namespace parley::actors
