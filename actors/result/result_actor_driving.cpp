// How a result actor drives its conversation: after each durable step it derives from the record what must
// happen next (owed), and calls the agent or the tester for it. At most one call is in progress; its answer
// is an event for the machine, which drops it if it no longer matches. A slot is held from the dispatcher's
// message until the conversation has ended and no call is outstanding.

#include <spdlog/spdlog.h>

#include "actors/models/model_answer_cache.hpp"
#include "actors/result/result_actor.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

/// The most times that a turn is written again because a new reply arrived in the meantime or the turn was
/// unreadable.
constexpr int rewrites_max = 2;
/// The pause before a conversation whose next question had no room or was canceled checks again.
constexpr std::chrono::milliseconds recheck_delay{250};

}  // namespace

Owed ResultActor::wanted() const {
  if (services_.settings.driving_paused && (driving_.has_slot || state_->head.has_human_tester)) return {};
  if (driving_.has_slot || state_->head.has_human_tester) return owed(*state_);
  const bool is_over = state_->head.is_ended() || is_terminal(state_->head.status);
  if (!driving_.awaits_turn || is_over || state_->unanswered) return {};
  return OwesTester{state_->tester_turns};
}

/// Each call has its own bound; this bounds the number of calls and their total time. nullopt: no limit
/// applies.
std::optional<std::chrono::milliseconds> ResultActor::time_left() const {
  const std::chrono::milliseconds limit(services_.settings.conversation_ms);
  if (!driving_.has_slot || limit.count() <= 0) return std::nullopt;
  return std::chrono::floor<std::chrono::milliseconds>(limit - (clock().now() - driving_.since));
}

bool ResultActor::ran_too_long() const {
  const auto left = time_left();
  return left && left->count() < 0 && !std::holds_alternative<std::monostate>(driving_.under_way);
}

void ResultActor::carry_on() {
  if (!queue_.is_idle()) return;  // the next decision checks again
  const auto mark = store::mark(services_.marks, id_);
  if (!state_ || is_outdated_) {
    if (is_driven()) queue_.take(Reevaluate{});
    return;
  }
  // A person sets the pace, so no slot is needed.
  if (!state_->head.is_server_driven) driving_.has_slot = false;
  const Owed next = wanted();
  if (next == driving_.under_way && !std::holds_alternative<std::monostate>(next)) return;
  if (driving_.call) {
    // The end of the call is reported and checked, so a slot is never free while its agent is still being
    // called.
    driving_.is_canceling = true;
    services_.outside.cancel(*driving_.call);
    return;
  }
  if (next != driving_.last_asked) {
    driving_.rewritten = 0;
    driving_.spent.reset();
  }
  driving_.last_asked = next;
  driving_.under_way = next;
  if (ran_too_long()) return queue_.take(RanTooLong{});
  if (!std::holds_alternative<std::monostate>(next)) return ask(next);
  driving_.awaits_turn = false;
  give_back_slot();
}

bool ResultActor::has_room() const {
  return state_->bytes <= limits::small_conversation_bytes ||
         services_.outside.held_bytes() < limits::held_bodies_bytes_max;
}

void ResultActor::retry_later() {
  driving_.under_way = {};
  // One message is enough, whatever checks happen in between.
  if (!std::exchange(driving_.retry_is_pending, true)) delayed_send(this, recheck_delay, RetryQuestion{});
}

// A cancel-run bypasses this actor, and a client that has its answer must not see a call of the run begin. So
// nothing is asked for a state that is no longer stored, and every state stored from here on is older than
// the epoch in the call.
void ResultActor::ask(const Owed& next) {
  if (!has_room()) return retry_later();
  driving_.epoch = services_.outside.epoch();
  const store::Snapshot snapshot = services_.store.snapshot();
  const auto is_current = guarded<bool>([&] { return is_stored(snapshot, durable_); });
  if (is_current && !*is_current) {
    driving_.under_way = {};
    is_outdated_ = true;
    return queue_.take(Reevaluate{});
  }
  if (const auto* tester = std::get_if<OwesTester>(&next)) return ask(*tester, snapshot);
  ask(std::get<OwesAgent>(next), snapshot);
}

Expected<std::shared_ptr<const Instruction>> ResultActor::instruction(const store::Snapshot& snapshot) {
  if (driving_.instruction) return driving_.instruction;
  TRY(loaded, load_instruction(services_, snapshot, state_->head));
  const auto read = std::make_shared<const Instruction>(std::move(loaded));
  if (driving_.has_slot) driving_.instruction = read;
  return read;
}

Expected<TesterStep> ResultActor::ask_tester(const store::Snapshot& snapshot) {
  TRY(read, instruction(snapshot));
  return actors::ask_tester(services_, snapshot, *state_, *read);
}

std::optional<TesterSpoke> ResultActor::script_after(std::span<const EntryWrite> fresh) {
  const store::Snapshot snapshot = services_.store.snapshot();
  const auto read = instruction(snapshot);
  if (!read || (*read)->is_for_model) return std::nullopt;
  auto spoke = script_turn(snapshot, *state_, (*read)->script, services_.settings.turns_max, fresh);
  return spoke ? std::optional(std::move(spoke).value()) : std::nullopt;
}

void ResultActor::ask(const OwesTester& tester, const store::Snapshot& snapshot) {
  driving_.basis = state_->next_ordinal;
  auto step = guarded<TesterStep>([&] { return ask_tester(snapshot); });
  if (!step) {
    return queue_.take(TesterFailed{tester.turn, "internal", step.problem().detail});
  }
  if (auto* spoke = std::get_if<TesterSpoke>(&*step)) return queue_.take(std::move(*spoke));
  if (auto* failed = std::get_if<TesterFailed>(&*step)) return queue_.take(std::move(*failed));
  auto& request = std::get<outbound::HttpRequest>(*step);
  driving_.kept_as = kept_as(services_, state_->head, ModelRole::tester, request);
  // A discarded answer is not reused.
  if (auto kept = driving_.rewritten == 0 ? find_kept(services_, driving_.kept_as) : std::nullopt) {
    return queue_.take(ModelAnswered{tester, std::move(*kept), true});
  }
  call(std::move(request), tester_retries);
}

void ResultActor::ask(const OwesAgent& agent, const store::Snapshot& snapshot) {
  auto question = guarded<AgentQuestion>([&] { return ask_agent(services_, snapshot, *state_); });
  if (!question) return fail_agent(agent.turn, question.problem());
  if (auto* answered = std::get_if<AgentAnswered>(&*question)) return queue_.take(std::move(*answered));
  auto& asked = std::get<AgentRequest>(*question);
  driving_.called = std::move(asked.to);
  call(std::move(asked.call.request), asked.call.retries);
}

void ResultActor::fail_agent(std::uint32_t turn, const Problem& problem) {
  queue_.take(AgentAnswered{turn, AgentFailed{"internal", problem.detail, "infrastructure"}});
}

void ResultActor::call(outbound::HttpRequest request, outbound::RetryRules rules) {
  const std::uint64_t number = ++driving_.call_number;
  if (const auto left = time_left()) rules.begins_within_ms = left->count();
  driving_.is_canceling = false;
  request.epoch = driving_.epoch;
  if (state_->head.run) request.group = state_->head.run->id;
  driving_.call = services_.outside.start(
      std::move(request), rules, [me = ResultHandle{this}, number](outbound::HttpOutcome outcome, int) {
        caf::anon_send(me, CallEnded{number, std::move(outcome)});
      });
}

void ResultActor::end_call(CallEnded& message) {
  if (message.call != driving_.call_number || !driving_.call) return;
  driving_.call.reset();
  const auto called = std::exchange(driving_.called, std::nullopt);
  const Owed asked = driving_.under_way;
  const auto* failure = std::get_if<outbound::Failure>(&message.outcome);
  if (failure != nullptr && failure->kind == outbound::FailureKind::canceled) {
    driving_.under_way = {};
    if (driving_.is_canceling) return carry_on();
    // This actor did not cancel the call: either the server stops and the next start continues, or the run is
    // canceled, which its record shows by now.
    if (!*services_.is_stopping) retry_later();
    return;
  }
  // The answer waits its turn like a command, so it is neither lost nor requested twice when another change
  // is being saved.
  if (const auto* tester = std::get_if<OwesTester>(&asked))
    return queue_.take(ModelAnswered{*tester, std::move(message.outcome)});
  const std::uint32_t turn = std::get<OwesAgent>(asked).turn;
  auto answer = guarded<AgentAnswered>([&] { return read_agent_answer(turn, *called, message.outcome); });
  if (!answer) return fail_agent(turn, answer.problem());
  queue_.take(std::move(answer).value());
}

Expected<ResultDecision> ResultActor::decide_agent_answer(const AgentAnswered& answer,
                                                          const DecisionContext& moment) {
  if (wanted() != Owed{OwesAgent{answer.turn}}) return ResultDecision{};  // late (F24)
  ResultDecision decision = on(*state_, answer, moment);
  if (!decision.saves() || !std::holds_alternative<OwesTester>(wanted())) return decision;
  // The script's next turn is already known; one commit for both costs half as much as two.
  const auto spoke = script_after(decision.entries);
  if (spoke) add(decision, on(*state_, *spoke, moment));
  return decision;
}

Expected<ResultDecision> ResultActor::decide_model_answer(const ModelAnswered& answered,
                                                          const DecisionContext& moment) {
  if (wanted() != Owed{answered.asked}) return ResultDecision{};  // late (F24)
  auto answer = guarded<TesterAnswer>([&]() -> Expected<TesterAnswer> {
    const store::Snapshot snapshot = services_.store.snapshot();
    TRY(read, instruction(snapshot));
    return read_model_answer(services_, snapshot, *state_, *read, answered.outcome, answered.is_repeated);
  });
  if (!answer) {
    return on(*state_, TesterFailed{state_->tester_turns, "internal", answer.problem().detail, {}}, moment);
  }
  const bool is_outrun = state_->next_ordinal != driving_.basis;
  ModelUse use = driving_.spent ? *driving_.spent : ModelUse{};
  if (use.model.empty()) use.model = services_.settings.tester_model->model;
  use.add(answer->use);
  services_.tester_figures->add(answer->use);
  // If the commit is refused, the event is decided again, but it still counts as one answer.
  const bool is_counted = driving_.rewritten > 0 && driving_.rewritten_for == driving_.call_number;
  if ((is_outrun || answer->is_void) && (driving_.rewritten < rewrites_max || is_counted)) {
    if (!is_counted) {
      ++driving_.rewritten;
      driving_.rewritten_for = driving_.call_number;
      driving_.spent = std::move(use);
    }
    driving_.under_way = {};  // the turn is requested again
    return ResultDecision{};
  }
  const auto decide = [&](auto& said) {
    said.use = std::move(use);
    return on(*state_, said, moment);
  };
  ResultDecision decision = std::visit(decide, answer->said);
  driving_.has_turn = driving_.has_turn || decision.saves();
  const bool is_good = !answer->is_void && !is_outrun && state_->head.status != ResultStatus::failed;
  if (is_good && !answered.is_repeated)
    keep_answer(peers_.writer, driving_.kept_as, answered.outcome, *services_.settings.tester_model);
  return decision;
}

void ResultActor::give_up(const Problem& problem) {
  if (!is_driven()) return;
  spdlog::error("conversation given up result={} detail=\"{}\"", to_text(id_), problem.detail);
  driving_.awaits_turn = false;
  give_back_slot();
}

void ResultActor::break_off() {
  send(peers_.directory, ActorFailed{id_});
  // A slot may be in flight, so it is released in any case. A driven conversation is abandoned; a
  // conversation that only waits keeps waiting.
  send(peers_.dispatcher, Released{{id_}});
  const bool is_over = durable_.is_ended() || is_terminal(durable_.status);
  if (!driving_.has_slot && durable_.is_server_driven && !is_over) {
    const auto run = durable_.run ? std::optional<Id>(durable_.run->id) : std::nullopt;
    send(peers_.dispatcher, DriveThese{run, {id_}, false});
  }
  ask_again();
  queue_.fail(broken_off());
}

void ResultActor::give_back_slot() {
  const bool is_known = driving_.has_slot || (state_ && state_->head.is_server_driven &&
                                              (state_->head.is_ended() || is_terminal(state_->head.status)));
  driving_.has_slot = false;
  driving_.instruction.reset();
  if (is_known) send(peers_.dispatcher, Released{{id_}});
}

}  // namespace parley::actors
