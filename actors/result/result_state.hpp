#pragma once
/// The state of a result in its actor's memory: the head, one small slot per entry, and the actions registered in
/// the current turn. Texts stay in the store. Owned by one result actor; the machine changes it in place.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/records/entry.hpp"
#include "model/records/test_result.hpp"
#include "tester/actions.hpp"

namespace parley::actors {

/// An entry without its text.
struct EntrySlot {
  Id id;
  std::uint32_t ordinal = 0;  ///< place in the order of creation; the key in the store
  std::uint32_t turn = 0;
  std::uint32_t origin = 0;  ///< script line of a tester turn
  EntryType type = EntryType::message;
  Role role = Role::chatbot;
  bool is_inserted = false;  ///< placed with after/before; never a reply (D47)
  bool is_history = false;   ///< recorded before the first turn; neither a turn nor a reply (D108)
  bool registers = false;    ///< an event that registered actions
  bool operator==(const EntrySlot&) const = default;
};

/// The actions that a chatbot turn registered.
using Registry = std::vector<tester::ActionDefinition>;

struct ResultState {
  ResultHead head;
  std::vector<EntrySlot> slots;  ///< in conversation order
  std::uint32_t next_ordinal = 0;
  std::uint64_t bytes = 0;  ///< size of all entries as stored
  bool has_inserts = false;
  Registry registry;  ///< actions of the current chatbot turn
  /// Index into slots of the tester turn that has no reply yet.
  std::optional<std::uint32_t> unanswered;
  std::uint32_t tester_turns = 0;
  Time touched;  ///< the newest change: updatedAt of the whole result
};

/// Sets `unanswered` and `tester_turns` after `slots` was loaded. The registry is loaded separately.
void derive_turns(ResultState& state);

/// The exchange that an appended chatbot entry belongs to (D53).
[[nodiscard]] inline std::uint32_t current_turn(const ResultState& state) {
  return state.tester_turns == 0 ? 0 : state.tester_turns - 1;
}

/// True for an entry that forms a tester turn. An entry that a person inserts later shares its anchor's
/// exchange (D53).
[[nodiscard]] inline bool is_tester_turn(const EntrySlot& slot) {
  return slot.role == Role::tester && !slot.is_inserted && !slot.is_history;
}
/// True if the service itself calls the agent: it drives the conversation, or a person plays the tester in it (D52).
[[nodiscard]] inline bool service_calls_agent(const ResultHead& head) {
  return head.is_server_driven || head.has_human_tester;
}
/// True for an appended entry that answers a tester turn (D47). If the service itself calls the agent, each
/// answer has a message, and entries that a client adds (D71) are not replies.
[[nodiscard]] inline bool is_reply(const EntrySlot& slot, const ResultHead& head) {
  if (slot.is_inserted || slot.is_history || slot.role != Role::chatbot) return false;
  if (slot.type == EntryType::message) return true;
  return !service_calls_agent(head) && (slot.type == EntryType::public_event || slot.registers);
}

/// A result to create: its head and its parts.
struct NewResult {
  ResultHead head;
  TestCase test_case;
  ResultExtras extras;
};

}  // namespace parley::actors
