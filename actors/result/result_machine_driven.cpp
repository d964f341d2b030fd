// Conversations that the service drives: the agent's answers, and what follows them.

#include <iterator>

#include "actors/result/result_machine.hpp"
#include "actors/result/result_moves.hpp"
#include "model/check.hpp"

namespace parley::actors {
namespace {

bool is_over(const ResultState& state) {
  return is_terminal(state.head.status) || state.head.is_ended();
}

ResultDecision fail(ResultState& state, const AgentFailed& why, EndReason reason,
                    const DecisionContext& moment) {
  ResultDecision decision;
  moves::fail(state, reason, error_json(why.source, why.code, why.detail), moment, decision);
  return decision;
}

/// Records the whole answer in one step, so that a crash never leaves half of it (I3).
ResultDecision take(ResultState& state, const AgentSaid& answer, const DecisionContext& moment) {
  std::uint64_t bytes = 0;
  for (const PostEntry& entry : answer.entries) bytes += moves::bytes_of(entry);
  ResultDecision decision;
  if (moves::full(state, answer.entries.size(), bytes)) {
    moves::end(state, EndReason::conversation_full, moment.now, decision);
    moves::touch(state, moment.now);
    return decision;
  }
  ResultState next = state;
  for (const PostEntry& entry : answer.entries) {
    if (const auto refused = moves::registered_already(next, entry)) {
      return fail(state, {"wrong_shape", refused->detail, "agent"}, EndReason::agent_error, moment);
    }
    decision.entries.push_back(moves::append(next, entry, moment, decision));
  }
  state = std::move(next);
  if (answer.ends) moves::end(state, EndReason::agent_ended, moment.now, decision);
  moves::touch(state, moment.now);
  return decision;
}

}  // namespace

ResultDecision on(ResultState& state, const AgentAnswered& event, const DecisionContext& moment) {
  if (owed(state) != Owed{OwesAgent{event.turn}}) return {};
  if (event.throttled > 0) state.head.throttled = state.head.throttled.value_or(0) + event.throttled;
  if (const auto* why = std::get_if<AgentFailed>(&event.said)) {
    const EndReason reason =
        why->source == "agent" ? EndReason::agent_error : EndReason::infrastructure_error;
    return fail(state, *why, reason, moment);
  }
  ResultDecision decision = take(state, std::get<AgentSaid>(event.said), moment);
  decision.saves_head = decision.saves_head || event.throttled > 0;
  return decision;
}

void add(ResultDecision& first, ResultDecision second) {
  CHECK(!first.clone && !second.clone);
  first.saves_head = first.saves_head || second.saves_head;
  first.saves_order = first.saves_order || second.saves_order;
  std::move(second.entries.begin(), second.entries.end(), std::back_inserter(first.entries));
  std::move(second.effects.begin(), second.effects.end(), std::back_inserter(first.effects));
  if (second.extras) first.extras = std::move(second.extras);
  if (second.verdict) first.verdict = std::move(second.verdict);
}

ResultDecision on(ResultState& state, const StartTimedOut& event, const DecisionContext& moment) {
  if (state.head.status != ResultStatus::pending) return {};
  return fail(state, event.why, event.reason, moment);
}

ResultDecision on(ResultState& state, const RanTooLong&, const DecisionContext& moment) {
  if (!state.head.is_server_driven || is_over(state)) return {};
  const AgentFailed why{"deadline", "The conversation took longer than --conversation-deadline allows.",
                        "infrastructure"};
  return fail(state, why, EndReason::timeout, moment);
}

Owed owed(const ResultState& state) {
  if (!service_calls_agent(state.head) || is_over(state)) return {};
  if (state.unanswered) return OwesAgent{state.slots[*state.unanswered].turn};
  if (state.head.has_human_tester) return {};
  return OwesTester{state.tester_turns};
}

}  // namespace parley::actors
