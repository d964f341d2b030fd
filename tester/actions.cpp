#include "tester/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/json/json_number.hpp"
#include "model/limits.hpp"
#include "model/text/ascii.hpp"

namespace parley::tester {
namespace {

constexpr std::size_t name_chars_max = limits::entry_name_chars_max;

/// Adds a fault for each key that is not among `known`.
void refuse_other_keys(const json::Value& object, std::initializer_list<std::string_view> known,
                       const std::string& pointer, Findings& findings) {
  for (const json::Value& member : object.children()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    findings.add(pointer + "/" + json::pointer_token(member.key()), "is not a key of an action definition");
  }
}

/// The string at `key`, or a fault.
std::string text_at(const json::Value& object, std::string_view key, bool needed, const std::string& pointer,
                    Findings& findings) {
  const auto value = given(object, key);
  const std::string at = pointer + "/" + std::string(key);
  if (!value) {
    if (needed) findings.add(at, "is required");
    return {};
  }
  if (!value->is(json::Kind::string)) {
    findings.add(at, "must be a string");
    return {};
  }
  return std::string(value->string());
}

Property parse_property(const json::Value& member, const std::string& pointer, Findings& findings) {
  Property property{std::string(member.key()), PropertyType::string, {}};
  if (property.name.empty() || chars_in(property.name) > name_chars_max) {
    findings.add(pointer, "must have a name of 1 to 256 characters");
  }
  if (!member.is(json::Kind::object)) {
    findings.add(pointer, "must be an object with a type");
    return property;
  }
  refuse_other_keys(member, {"type", "description"}, pointer, findings);
  const auto type = given(member, "type");
  const auto known =
      type && type->is(json::Kind::string) ? from_word<PropertyType>(type->string()) : std::nullopt;
  if (known) {
    property.type = *known;
  } else {
    findings.add(pointer + "/type", "must be one of string, number, integer, boolean");
  }
  property.description = text_at(member, "description", false, pointer, findings);
  return property;
}

void parse_properties(const json::Value& action, ActionDefinition& definition, const std::string& pointer,
                      Findings& findings) {
  const auto properties = given(action, "properties");
  if (!properties) return;
  const std::string at = pointer + "/properties";
  if (!properties->is(json::Kind::object)) return findings.add(at, "must be an object");
  for (const json::Value& member : properties->children()) {
    definition.properties.push_back(
        parse_property(member, at + "/" + json::pointer_token(member.key()), findings));
  }
}

void parse_required(const json::Value& action, ActionDefinition& definition, const std::string& pointer,
                    Findings& findings) {
  const auto required = given(action, "required");
  if (!required) return;
  const std::string at = pointer + "/required";
  if (!required->is(json::Kind::array)) return findings.add(at, "must be an array of strings");
  std::set<std::string_view> names;
  for (const Property& property : definition.properties) names.insert(property.name);
  std::size_t index = 0;
  for (const json::Value& item : required->children()) {
    const std::string item_at = at + "/" + std::to_string(index++);
    if (!item.is(json::Kind::string)) {
      findings.add(item_at, "must be a string");
    } else if (!names.contains(item.string())) {
      findings.add(item_at, "must be one of the properties");
    } else {
      definition.required.emplace_back(item.string());
    }
  }
}

ActionDefinition parse_action(const json::Value& action, const std::string& pointer, Findings& findings) {
  ActionDefinition definition;
  if (!action.is(json::Kind::object)) {
    findings.add(pointer, "must be an object");
    return definition;
  }
  refuse_other_keys(action, {"name", "description", "properties", "required"}, pointer, findings);
  const std::size_t faults = findings.faults.size();
  definition.name = text_at(action, "name", true, pointer, findings);
  if (findings.faults.size() == faults && !is_action_name(definition.name)) {
    findings.add(pointer + "/name",
                 "must be 1 to 256 letters, digits and underscores and not begin with a digit");
  }
  definition.description = text_at(action, "description", true, pointer, findings);
  parse_properties(action, definition, pointer, findings);
  parse_required(action, definition, pointer, findings);
  return definition;
}

bool has_type(const json::Value& value, PropertyType type) {
  switch (type) {
    case PropertyType::string: return value.is(json::Kind::string);
    case PropertyType::number: return value.is(json::Kind::number);
    case PropertyType::integer: return value.is(json::Kind::number) && json::is_whole_number(value.raw());
    case PropertyType::boolean: return value.is(json::Kind::boolean);
  }
  return false;
}

template <class Named>
const Named* find_named(std::span<const Named> all, std::string_view name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

bool is_action_name(std::string_view name) {
  if (name.empty() || name.size() > name_chars_max || ascii::is_digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return ascii::is_letter(c) || ascii::is_digit(c) || c == '_'; });
}

ParsedActions parse_actions(const json::Value& actions, const std::string& pointer, Findings& findings) {
  ParsedActions parsed;
  if (!actions.is(json::Kind::array)) {
    findings.add(pointer, "must be an array of action definitions");
    return parsed;
  }
  if (actions.size() > limits::actions_max) {
    findings.add(pointer, "must hold at most " + std::to_string(limits::actions_max) + " action definitions");
    return parsed;
  }
  std::set<std::string, std::less<>> seen;
  std::size_t index = 0;
  for (const json::Value& action : actions.children()) {
    ActionDefinition definition = parse_action(action, pointer + "/" + std::to_string(index++), findings);
    const bool is_new = definition.name.empty() || seen.insert(definition.name).second;
    if (!is_new && std::find(parsed.duplicates.begin(), parsed.duplicates.end(), definition.name) ==
                       parsed.duplicates.end()) {
      parsed.duplicates.push_back(definition.name);
    }
    parsed.actions.push_back(std::move(definition));
  }
  return parsed;
}

Problem duplicate_action(std::size_t index, std::string detail) {
  Problem made = problem(ProblemKind::duplicate_action, detail);
  made.faults.push_back({"/metadata/actions/" + std::to_string(index) + "/name", {}, std::move(detail)});
  return made;
}

const ActionDefinition* find_action(std::span<const ActionDefinition> all, std::string_view name) {
  return find_named(all, name);
}

std::optional<std::string> fault_of_invocation(std::span<const ActionDefinition> registered,
                                               std::string_view name, const json::Value& arguments) {
  const std::string subject = "The invocation of '" + std::string(name) + "'";
  const ActionDefinition* action = find_action(registered, name);
  if (action == nullptr) return subject + " matches no action that the chatbot's last turn registered.";
  if (!arguments.is(json::Kind::object)) return subject + " has arguments that are not an object.";
  for (const std::string& required : action->required) {
    if (!arguments.find(required))
      return fmt::format("{} lacks the required argument '{}'.", subject, required);
  }
  for (const json::Value& argument : arguments.children()) {
    const std::string key(argument.key());
    const Property* property = find_named(std::span<const Property>(action->properties), key);
    if (property == nullptr)
      return fmt::format("{} has the argument '{}', which the action does not declare.", subject, key);
    if (!has_type(argument, property->type)) {
      return fmt::format("{} gives '{}' a value that is not of type {}.", subject, key,
                         word_of(property->type));
    }
  }
  return std::nullopt;
}

std::variant<std::vector<EventActions>, std::string> actions_of_events(std::span<const json::Text> metadata) {
  std::vector<EventActions> all;
  std::set<std::string, std::less<>> names;
  for (const json::Text& text : metadata) {
    const std::string event = "event " + std::to_string(all.size());
    EventActions& registered = all.emplace_back();
    const auto document = json::parse(text.text);
    const auto actions = document.ok() ? document->root().find("actions") : std::nullopt;
    if (!actions || actions->is(json::Kind::null)) continue;  // null equals leaving it out (D5)
    Findings findings;
    ParsedActions parsed = parse_actions(*actions, "/metadata/actions", findings);
    if (!findings.faults.empty()) {
      const Fault& fault = findings.faults.front();
      return "The actions of " + event + " are at fault: " + fault.pointer + " " + fault.detail + ".";
    }
    for (const ActionDefinition& action : parsed.actions) {
      if (!names.insert(action.name).second)
        return "The action '" + action.name + "' is registered twice in one turn.";
    }
    registered = std::move(parsed.actions);
  }
  return all;
}

}  // namespace parley::tester
