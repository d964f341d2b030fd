#pragma once
/// Lists of turns whose items are objects: `{"speaker": "customer", "text": "Hello"}`. Pure; any thread.

#include <string>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The text of one turn, which may be an object; empty: unknown.
[[nodiscard]] std::string text_of_turn(const Node& turn);
/// Whether the object names the agent as its speaker.
[[nodiscard]] bool is_turn_of_agent(const Node& turn);

}  // namespace parley::convert
