#pragma once
/// Tool calls and checks of single turns in CX Agent Studio's evals. One thread.

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Adds checks for a tool call, `{action, args}`, whose arguments may have a `$matchType`.
void add_tool_call(Conversion& conversion, TestDraft& draft, const Source& source, const Node& call,
                   std::size_t turn);
/// The turn that a check applies to, and the number of turns in the conversation. With one turn, a check that no tool is
/// called applies to the whole conversation.
struct TurnOf {
  std::size_t index = 0;
  std::size_t turns = 1;
};
/// Adds a check of one turn: `{type: contains, value: x}` or `contains: x`.
void add_turn_check(Conversion& conversion, TestDraft& draft, const Source& source, const Node& check,
                    TurnOf turn);

}  // namespace parley::convert
