// Commands that write to the conversation: append, insert, merge metadata.

#include "actors/result/result_machine.hpp"

#include <algorithm>

#include "actors/result/result_moves.hpp"
#include "model/check.hpp"
#include "model/limits.hpp"
#include "model/values/metadata.hpp"

namespace parley::actors {
namespace {

using moves::closed_to_writes;
using moves::refuse;

std::optional<Problem> driven_by_service(const ResultState& state, const PostEntry& command) {
  const bool speaks = command.type == EntryType::message || command.type == EntryType::action;
  if (!state.head.is_server_driven || state.head.is_manual || !speaks) return std::nullopt;
  return problem(ProblemKind::conflict,
                 "the service drives this conversation; a client may add tools and events only");
}

/// D52: a person's invocation is input. If it does not match the registered actions, the person gets an error
/// and the conversation continues.
std::optional<Problem> wrong_manual_action(const Registry& registry, const PostEntry& command) {
  if (command.type != EntryType::action || !command.name) return std::nullopt;
  const auto metadata = json::parse(command.metadata.text);
  const auto given = metadata->root().find("arguments");
  const auto none = json::parse("{}");
  const auto fault = tester::fault_of_invocation(registry, *command.name, given ? *given : none->root());
  if (!fault) return std::nullopt;
  const bool is_known = tester::find_action(registry, *command.name) != nullptr;
  return body_fault(is_known ? "/metadata/arguments" : "/name", *fault);
}

ResultDecision finished(ResultState& state, EntryWrite write, ResultDecision decision,
                        const DecisionContext& moment) {
  moves::touch(state, moment.now);
  ResultReply reply = moves::view(state);
  reply.entry = write.entry;
  decision.entries.push_back(std::move(write));
  decision.reply = std::move(reply);
  return decision;
}

ResultDecision append(ResultState& state, const PostEntry& command, const DecisionContext& moment) {
  if (auto refused = moves::registered_already(state, command)) return refuse(*refused);
  if (auto refused = wrong_manual_action(state.registry, command)) return refuse(*refused);
  ResultDecision decision;
  EntryWrite write = moves::append(state, command, moment, decision);
  if (command.ends && !state.head.is_ended()) moves::end(state, EndReason::agent_ended, moment.now, decision);
  return finished(state, std::move(write), std::move(decision), moment);
}

ResultDecision insert(ResultState& state, const PostEntry& command, const Registry& registered,
                      const DecisionContext& moment) {
  const bool is_after = command.after.has_value();
  const auto anchor = moves::anchor_of(state, command);
  if (!anchor) {
    return refuse(body_fault(is_after ? "/after" : "/before", "this conversation has no entry with this id"));
  }
  if (auto refused = wrong_manual_action(registered, command)) return refuse(*refused);
  ResultDecision decision;
  EntryWrite write = moves::new_entry(state, command, state.slots[*anchor].turn, moment);
  write.slot.is_inserted = true;
  const std::uint32_t place = is_after ? *anchor + 1 : *anchor;
  if (state.unanswered && *state.unanswered >= place) ++*state.unanswered;
  state.slots.insert(state.slots.begin() + place, write.slot);
  state.has_inserts = true;
  decision.saves_order = true;
  return finished(state, std::move(write), std::move(decision), moment);
}

}  // namespace

ResultDecision on(ResultState& state, const PostEntry& command, const DecisionContext& moment,
                  const Registry& registered) {
  if (auto refused = closed_to_writes(state)) return refuse(*refused);
  if (auto refused = driven_by_service(state, command)) return refuse(*refused);
  if (auto refused = moves::full(state, 1, moves::bytes_of(command))) return refuse(*refused);
  if (command.after || command.before) return insert(state, command, registered, moment);
  return append(state, command, moment);
}

ResultDecision on(ResultState& state, const PatchEntry& command, const std::optional<Entry>& stored,
                  const DecisionContext& moment) {
  const auto slot = std::find_if(state.slots.begin(), state.slots.end(),
                                 [&](const EntrySlot& known) { return known.id == command.entry; });
  if (slot == state.slots.end() || !stored) return refuse(unknown_record("entry", to_text(command.entry)));
  if (command.if_updated_at && *command.if_updated_at != state.touched) return refuse(changed_meanwhile());
  if (auto refused = closed_to_writes(state)) return refuse(*refused);
  EntryWrite write{*slot, *stored, false};
  write.entry.metadata = merged(stored->metadata, command.patch);
  if (json::is_beyond(write.entry.metadata, limits::metadata_bytes_max)) {
    return refuse(body_fault("/metadata", "the merged metadata would exceed 102,400 bytes of compact JSON"));
  }
  ResultDecision decision;
  if (write.entry.metadata == stored->metadata) {  // nothing changes, not even updatedAt (D7)
    ResultReply reply = moves::view(state);
    reply.entry = std::move(write.entry);
    decision.reply = std::move(reply);
    return decision;
  }
  decision.saves_head = true;  // an entry in the middle does not carry the result's updatedAt
  state.bytes += write.entry.metadata.text.size();
  state.bytes -= std::min<std::uint64_t>(state.bytes, stored->metadata.text.size());
  return finished(state, std::move(write), std::move(decision), moment);
}

}  // namespace parley::actors
