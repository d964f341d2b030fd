#include "actors/result/result_moves.hpp"

#include <algorithm>

#include "model/check.hpp"
#include "model/records/status_moves.hpp"

namespace parley::actors::moves {

Time touch(ResultState& state, Time now) {
  state.touched = std::max(now, Time{state.touched.ms + 1});
  return state.touched;
}

void move_to(ResultState& state, ResultStatus to, ResultDecision& decision) {
  move_status(state.head, to);
  if (to == ResultStatus::running) state.head.has_run = true;
  decision.saves_head = true;
  if (state.head.run) decision.effects.emplace_back(NotifyRun{to == ResultStatus::running});
}

void start(ResultState& state, ResultDecision& decision) {
  if (state.head.status == ResultStatus::pending) move_to(state, ResultStatus::running, decision);
}

void end(ResultState& state, EndReason reason, Time now, ResultDecision& decision) {
  CHECK(!state.head.is_ended());
  start(state, decision);
  state.head.end_reason = reason;
  state.unanswered.reset();
  decision.saves_head = true;
  if (state.head.completion_mode == CompletionMode::automatic || state.head.is_server_driven) {
    claim(state, now, decision);
  }
}

void claim(ResultState& state, Time now, ResultDecision& decision) {
  CHECK(state.head.is_ended() && !state.head.is_claimed());
  state.head.scoring_enqueued_at = now;
  decision.saves_head = true;
  decision.effects.emplace_back(DispatchScoring{state.head.attempt});
}

void close(ResultState& state, ResultStatus to, EndReason reason, ResultDecision& decision) {
  move_to(state, to, decision);
  if (!state.head.is_ended()) state.head.end_reason = reason;
  state.unanswered.reset();
  state.registry.clear();
}

void fail(ResultState& state, EndReason reason, json::Text error, const DecisionContext& moment,
          ResultDecision& decision) {
  state.head.error = std::move(error);
  close(state, ResultStatus::failed, reason, decision);
  touch(state, moment.now);
}

ResultReply view(const ResultState& state) {
  ResultReply reply;
  reply.head = state.head;
  reply.head.stamp.updated_at = state.touched;
  reply.entries = state.next_ordinal;
  return reply;
}

ResultDecision refuse(Problem problem) {
  ResultDecision decision;
  decision.reply = Expected<ResultReply>(std::move(problem));
  return decision;
}

std::optional<Problem> closed_to_writes(const ResultState& state) {
  const ResultHead& head = state.head;
  if (is_terminal(head.status)) {
    return problem(ProblemKind::conflict, "the result is " + std::string(word_of(head.status)) +
                                              "; its conversation cannot be changed any more");
  }
  if (head.is_claimed()) {
    return problem(ProblemKind::conflict,
                   "the result is being scored; its conversation cannot be changed any more");
  }
  return std::nullopt;
}

}  // namespace parley::actors::moves
