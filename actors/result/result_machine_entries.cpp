// Adding entries to the conversation: what all ways of recording share.

#include "actors/result/result_moves.hpp"
#include "model/limits.hpp"

namespace parley::actors::moves {
namespace {

/// Size of an entry's fields other than its texts, in the store and in responses: ids, keys, times.
constexpr std::uint64_t entry_overhead_bytes = 256;

}  // namespace

std::uint64_t entry_bytes(std::size_t text_bytes) {
  return entry_overhead_bytes + text_bytes;
}

std::uint64_t bytes_of(const PostEntry& command) {
  return entry_bytes(command.metadata.text.size() + (command.content ? command.content->size() : 0));
}

std::optional<Problem> full(const ResultState& state, std::size_t more_entries, std::uint64_t more_bytes) {
  if (state.slots.size() + more_entries <= limits::entries_max &&
      state.bytes + more_bytes <= limits::conversation_bytes_max) {
    return std::nullopt;
  }
  return problem(ProblemKind::conversation_full,
                 "the conversation has reached its limit of 10,000 entries or 64 MiB");
}

std::optional<Problem> registered_already(const ResultState& state, const PostEntry& command) {
  if (!command.actions) return std::nullopt;
  for (std::size_t i = 0; i < command.actions->size(); ++i) {
    const std::string& name = (*command.actions)[i].name;
    if (tester::find_action(state.registry, name) != nullptr)
      return tester::duplicate_action(i, "the action '" + name + "' is registered already in this turn");
  }
  if (state.registry.size() + command.actions->size() > limits::actions_max) {
    return body_fault("/metadata/actions", "a turn can register at most 100 actions");
  }
  return std::nullopt;
}

std::optional<std::uint32_t> anchor_of(const ResultState& state, const PostEntry& command) {
  const auto id = id_from_text(command.after ? *command.after : command.before.value_or(""));
  if (!id) return std::nullopt;
  for (std::uint32_t i = 0; i < state.slots.size(); ++i) {
    if (state.slots[i].id == *id) return i;
  }
  return std::nullopt;
}

/// The slot and entry of a new post, in exchange `turn`.
EntryWrite new_entry(ResultState& state, const PostEntry& command, std::uint32_t turn,
                     const DecisionContext& moment) {
  EntryWrite write;
  write.entry.id = moment.ids.next(moment.now);
  write.entry.type = command.type;
  write.entry.role = command.role;
  write.entry.content = command.content;
  write.entry.name = command.name;
  write.entry.metadata = command.metadata;
  write.entry.created_at = moment.now;
  write.entry.turn = turn;
  write.slot.id = write.entry.id;
  write.slot.ordinal = state.next_ordinal++;
  write.slot.turn = turn;
  write.slot.type = command.type;
  write.slot.role = command.role;
  write.slot.registers = command.actions && !command.actions->empty();
  state.bytes += bytes_of(command);
  return write;
}

EntryWrite append(ResultState& state, const PostEntry& command, const DecisionContext& moment,
                  ResultDecision& decision) {
  const bool is_turn = command.role == Role::tester;
  const std::uint32_t turn = is_turn ? state.tester_turns : current_turn(state);
  EntryWrite write = new_entry(state, command, turn, moment);
  start(state, decision);
  state.slots.push_back(write.slot);
  if (is_turn) {
    ++state.tester_turns;
    state.registry.clear();
    state.unanswered = static_cast<std::uint32_t>(state.slots.size() - 1);
    return write;
  }
  if (command.actions) {
    state.registry.insert(state.registry.end(), command.actions->begin(), command.actions->end());
  }
  if (is_reply(write.slot, state.head)) state.unanswered.reset();
  return write;
}

}  // namespace parley::actors::moves
