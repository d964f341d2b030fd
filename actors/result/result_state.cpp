#include "actors/result/result_state.hpp"

#include <algorithm>

namespace parley::actors {

void derive_turns(ResultState& state) {
  state.tester_turns = 0;
  std::optional<std::uint32_t> last_turn;
  std::uint32_t last_turn_ordinal = 0;
  for (std::uint32_t i = 0; i < state.slots.size(); ++i) {
    const EntrySlot& slot = state.slots[i];
    if (!is_tester_turn(slot)) continue;
    ++state.tester_turns;
    if (!last_turn || slot.ordinal > last_turn_ordinal) {
      last_turn = i;
      last_turn_ordinal = slot.ordinal;
    }
  }
  const bool answered = std::any_of(state.slots.begin(), state.slots.end(), [&](const EntrySlot& slot) {
    return is_reply(slot, state.head) && slot.ordinal > last_turn_ordinal;
  });
  state.unanswered = last_turn && !answered ? last_turn : std::nullopt;
}

}  // namespace parley::actors
