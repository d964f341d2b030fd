// The tester's turns, the end of the conversation, finish, and the verdict.

#include <algorithm>

#include "actors/result/result_machine.hpp"
#include "actors/result/result_moves.hpp"
#include "model/check.hpp"
#include "model/json/json_writer.hpp"

namespace parley::actors {
namespace {

using moves::refuse;

ResultDecision answer(const ResultState& state, TesterReply turn) {
  ResultDecision decision;
  ResultReply reply = moves::view(state);
  reply.turn = std::move(turn);
  decision.reply = std::move(reply);
  return decision;
}

/// Records the tester's entry and replies with it.
ResultDecision speak(ResultState& state, Entry entry, std::uint32_t origin, const DecisionContext& moment) {
  ResultDecision decision;
  moves::start(state, decision);
  entry.id = moment.ids.next(moment.now);
  entry.role = Role::tester;
  entry.created_at = moment.now;
  entry.turn = state.tester_turns++;
  EntryWrite write;
  write.slot.id = entry.id;
  write.slot.ordinal = state.next_ordinal++;
  write.slot.turn = static_cast<std::uint32_t>(entry.turn);
  write.slot.origin = origin;
  write.slot.type = entry.type;
  write.slot.role = Role::tester;
  write.entry = std::move(entry);
  state.slots.push_back(write.slot);
  state.unanswered = static_cast<std::uint32_t>(state.slots.size() - 1);
  state.registry.clear();  // every tester turn clears it (I33)
  state.bytes += moves::entry_bytes(write.entry.metadata.text.size() +
                                    (write.entry.content ? write.entry.content->size() : 0));
  moves::touch(state, moment.now);
  ResultReply reply = moves::view(state);
  reply.turn = reply_of(write.entry);
  decision.entries.push_back(std::move(write));
  decision.reply = std::move(reply);
  return decision;
}

/// Ends without a verdict because `source` is at fault (D47a). The result ran, because its turn was requested
/// (D40).
ResultDecision fail(ResultState& state, EndReason reason, json::Text error, const DecisionContext& moment) {
  ResultDecision decision;
  moves::start(state, decision);
  moves::fail(state, reason, std::move(error), moment, decision);
  ResultReply reply = moves::view(state);
  reply.turn = end_of_chat();
  decision.reply = std::move(reply);
  return decision;
}

/// True if anything was added: then the head must be saved.
bool add_use(ResultState& state, const ModelUse& use) {
  if (!use.is_any()) return false;
  if (!state.head.tester_use) state.head.tester_use.emplace();
  state.head.tester_use->add(use);
  return true;
}

ResultDecision said(ResultState& state, const tester::Say& say, const DecisionContext& moment) {
  Entry entry;
  entry.content = say.text;
  return speak(state, std::move(entry), say.line, moment);
}

ResultDecision said(ResultState& state, const tester::Invoke& invoke, const DecisionContext& moment) {
  const auto arguments = json::parse(invoke.arguments.text);
  if (const auto fault = tester::fault_of_invocation(state.registry, invoke.name, arguments->root())) {
    std::string detail = *fault;
    if (detail.ends_with('.')) detail.pop_back();
    detail += ": ";
    json::append_quoted(detail, invoke.name);
    detail += " with " + invoke.arguments.text;
    return fail(state, EndReason::action_error, error_json("tester", "action_error", detail), moment);
  }
  Entry entry;
  entry.type = EntryType::action;
  entry.name = invoke.name;
  entry.metadata.text = R"({"arguments":)" + invoke.arguments.text + "}";
  return speak(state, std::move(entry), invoke.line, moment);
}

ResultDecision said(ResultState& state, const tester::End& end, const DecisionContext& moment) {
  ResultDecision decision;
  moves::end(state, end.reason, moment.now, decision);
  moves::touch(state, moment.now);
  ResultReply reply = moves::view(state);
  reply.turn = end_of_chat();
  decision.reply = std::move(reply);
  return decision;
}

ResultDecision said(ResultState& state, const tester::BrokenScript& broken, const DecisionContext& moment) {
  return fail(state, EndReason::tester_error, error_json("test", broken.code, broken.detail), moment);
}

/// Whether there is room for the turn that the tester wants to record (D55); an end needs none.
bool has_room_for(const ResultState& state, const tester::Turn& said) {
  const auto takes = [&](std::string_view text) {
    return !moves::full(state, 1, moves::entry_bytes(text.size()));
  };
  if (const auto* say = std::get_if<tester::Say>(&said)) return takes(say->text);
  if (const auto* invoke = std::get_if<tester::Invoke>(&said)) return takes(invoke->arguments.text);
  return true;
}

}  // namespace

TesterReply end_of_chat() {
  TesterReply reply;
  reply.end_chat = true;
  return reply;
}

TesterReply reply_of(const Entry& entry) {
  TesterReply reply;
  reply.message_id = entry.id;
  if (entry.type != EntryType::action) {
    reply.message = entry.content.value_or("");
    return reply;
  }
  TesterReply::Action action;
  action.name = entry.name.value_or("");
  const auto metadata = json::parse(entry.metadata.text);
  const auto arguments = metadata ? metadata->root().find("arguments") : std::nullopt;
  if (arguments) action.arguments = arguments->compact();
  reply.action = std::move(action);
  return reply;
}

json::Text error_json(std::string_view source, std::string_view code, std::string_view detail) {
  json::Writer out;
  out.begin_object();
  out.member("source", source);
  out.member("code", code);
  out.member("detail", detail);
  out.end_object();
  return {std::move(out).text()};
}

ResultDecision on(ResultState& state, const NextMessage&, const DecisionContext&) {
  const ResultHead& head = state.head;
  if (is_terminal(head.status) || head.is_ended()) return answer(state, end_of_chat());
  if (head.is_manual) {
    return refuse(
        problem(ProblemKind::conflict, "a person plays the tester of this result; post the turn instead"));
  }
  if (head.is_server_driven) {
    return refuse(problem(ProblemKind::conflict, "the service drives this conversation by itself"));
  }
  ResultDecision decision;
  if (state.unanswered) {
    decision.effects.emplace_back(RepeatTurn{state.slots[*state.unanswered].ordinal});
    return decision;
  }
  decision.effects.emplace_back(AskTester{state.tester_turns});
  return decision;
}

ResultDecision on(ResultState& state, const TesterSpoke& event, const DecisionContext& moment) {
  // A late turn must not match: the number increases with each recorded turn, and an ended conversation
  // accepts none.
  const bool fits = event.turn == state.tester_turns && !state.unanswered && !state.head.is_ended() &&
                    !is_terminal(state.head.status);
  if (!fits) return {};
  const bool has_room = has_room_for(state, event.said);
  // Asking a script is free, so its client gets an error and can ask again. But no client waits for
  // server-driven turns, and a model would charge for every discarded turn.
  if (!has_room && !state.head.is_server_driven && event.tester == played_by_script) {
    return refuse(problem(ProblemKind::conversation_full,
                          "the tester has another turn, and the conversation holds 10,000 entries or 64 MiB; "
                          "PATCH its status to failed or canceled to end it"));
  }
  const bool has_used = add_use(state, event.use);
  const bool names_tester = state.head.tester != event.tester;
  state.head.tester = event.tester;
  const auto speaks = [&](const auto& what) { return said(state, what, moment); };
  ResultDecision decision =
      has_room ? std::visit(speaks, event.said) : speaks(tester::End{EndReason::conversation_full});
  if (has_used) decision.saves_head = true;
  if (names_tester) {
    decision.saves_head = true;
    if (decision.reply && decision.reply->ok()) decision.reply->value().head.tester = event.tester;
  }
  return decision;
}

ResultDecision on(ResultState& state, const TesterFailed& event, const DecisionContext& moment) {
  const bool fits = event.turn == state.tester_turns && !state.unanswered && !state.head.is_ended() &&
                    !is_terminal(state.head.status);
  if (!fits) return {};
  static_cast<void>(add_use(state, event.use));
  return fail(state, EndReason::tester_error, error_json("tester", event.code, event.detail), moment);
}

ResultDecision on(ResultState& state, const Finish&, const DecisionContext& moment) {
  const ResultHead& head = state.head;
  // The order of these checks matters (I25).
  if (is_terminal(head.status)) {
    return refuse(problem(ProblemKind::invalid_state_for_request,
                          "the result is " + std::string(word_of(head.status)) + " already"));
  }
  if (head.is_claimed())
    return refuse(problem(ProblemKind::conflict, "the result is being processed already"));
  if (!head.is_ended() && !head.is_manual) {
    return refuse(problem(ProblemKind::invalid_state_for_request,
                          "the conversation has not ended; call next-message until end_chat is true"));
  }
  ResultDecision decision;
  if (!head.is_ended()) moves::end(state, EndReason::tester_ended, moment.now, decision);
  if (!head.is_claimed()) moves::claim(state, moment.now, decision);
  moves::touch(state, moment.now);
  decision.reply = moves::view(state);
  return decision;
}

ResultDecision on(ResultState& state, const Scored& event, const DecisionContext& moment) {
  ResultHead& head = state.head;
  const bool fits =
      head.status == ResultStatus::running && head.is_claimed() && head.attempt == event.attempt;
  if (!fits) return {};
  ResultDecision decision;
  head.score = event.score;
  head.overall_passed = event.overall_passed;
  head.is_decided = event.is_decided;
  head.sums = event.sums;
  head.fault = event.fault;
  head.has_missed = event.has_missed;
  if (event.warned) head.warned = event.warned;
  head.group = event.group;
  head.judge_use = event.judge_use;
  moves::move_to(state, ResultStatus::completed, decision);
  moves::touch(state, moment.now);
  decision.verdict = event.verdict;
  return decision;
}

}  // namespace parley::actors
