#pragma once
/// The actions that the events of one agent reply register (D53). Pure; any thread.

#include <span>
#include <variant>

#include "tester/actions.hpp"

namespace parley::tester {

/// What one event registers; absent for an event without the key `actions`.
using EventActions = std::optional<std::vector<ActionDefinition>>;

/// One item per event in the given order, or a sentence that says why they cannot be registered: a fault in a
/// definition, or a name that is duplicated in the turn. Needs: each text is an object.
[[nodiscard]] std::variant<std::vector<EventActions>, std::string> actions_of_events(
    std::span<const json::Text> metadata);

}  // namespace parley::tester
