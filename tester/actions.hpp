#pragma once
/// Actions that a chatbot's turn offers to the tester (D53, D62). Plain values and pure functions; any
/// thread.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/description/record_parse.hpp"

namespace parley::tester {

enum class PropertyType : std::uint8_t { string, number, integer, boolean };

/// An argument of an action.
struct Property {
  std::string name;
  PropertyType type = PropertyType::string;
  std::string description;
  bool operator==(const Property&) const = default;
};

struct ActionDefinition {
  std::string name;
  std::string description;
  std::vector<Property> properties;
  std::vector<std::string> required;  ///< names of properties
  bool operator==(const ActionDefinition&) const = default;
};

struct ParsedActions {
  std::vector<ActionDefinition> actions;
  /// Names that are duplicated in the list; for them the caller answers ProblemKind::duplicate_action.
  std::vector<std::string> duplicates;
};

/// Reads `metadata.actions` strictly (D53). Adds every fault to `findings`, with a pointer below `pointer`.
/// If there are faults, the returned actions are incomplete.
[[nodiscard]] ParsedActions parse_actions(const json::Value& actions, const std::string& pointer,
                                          Findings& findings);

/// The problem for the action at this index of `metadata.actions`, whose name is already in use (D3).
[[nodiscard]] Problem duplicate_action(std::size_t index, std::string detail);

/// The action of this name; null if the turn offers no such action.
[[nodiscard]] const ActionDefinition* find_action(std::span<const ActionDefinition> all,
                                                  std::string_view name);

/// Why the invocation does not match the registered actions (D62), as a sentence; nullopt if it matches.
[[nodiscard]] std::optional<std::string> fault_of_invocation(std::span<const ActionDefinition> registered,
                                                             std::string_view name,
                                                             const json::Value& arguments);

/// True for 1 to 256 letters, digits and underscores that do not begin with a digit.
[[nodiscard]] bool is_action_name(std::string_view name);

/// What one event registers; absent for an event without the key `actions`.
using EventActions = std::optional<std::vector<ActionDefinition>>;

/// One item per event in the given order, or a sentence with the reason why they cannot be registered: a
/// fault in a definition, or a name that is duplicated in the turn. Needs: each text is an object.
[[nodiscard]] std::variant<std::vector<EventActions>, std::string> actions_of_events(
    std::span<const json::Text> metadata);

}  // namespace parley::tester

namespace parley {
template <>
struct Words<tester::PropertyType> {
  static constexpr std::array<std::string_view, 4> all{"string", "number", "integer", "boolean"};
};
}  // namespace parley
