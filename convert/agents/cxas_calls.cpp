#include "convert/agents/cxas_calls.hpp"

#include "convert/records/checks.hpp"
#include "convert/records/escapes.hpp"
#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view calls_recorded = "tool calls as tool entries";

Check call_check(const std::string& name, const std::string& arguments, std::size_t turn) {
  json::Writer out;
  out.begin_object().member("name", name).member("scope", turn_scope(turn));
  if (arguments != "{}") out.key("arguments").raw(arguments);
  out.end_object();
  Check check;
  check.type = "tool-called";
  check.config = std::move(out).text();
  return check;
}

/// The value that a match rule compares with.
const Node* value_of(const Node& argument) {
  return argument.first_of({"$matchValue", "$value", "value", "$originalValue"});
}

/// Adds a check for an argument that has its own match rule. Reports a rule that no assertion type supports.
void add_matched(Conversion& conversion, TestDraft& draft, const Source& source, const Node& argument,
                 const std::string& tool, std::size_t turn) {
  const std::string rule = argument.text_of("$matchType");
  const Node* value = value_of(argument);
  const std::string text = value == nullptr ? std::string() : as_text(*value);
  Item item{.source = "$matchType " + rule,
            .text = argument.key + ": " + text,
            .needs = std::string(calls_recorded)};
  if (rule != "contains" && rule != "regexp") {
    item.why = "only a judge could compare meanings, and it does not see one argument";
    return conversion.lose(draft, {source, argument.place}, std::move(item));
  }
  const std::string condition = rule == "contains" ? "contains" : "matches";
  Check check = json_check({"/arguments/" + json::pointer_token(argument.key), "tools", tool, condition,
                            json_text(text), turn_scope(turn)});
  conversion.check(draft, std::move(check), {source, argument.place}, std::move(item));
}

/// Checks that arguments or results contain `value`: those of any call or, as the source also interprets it, those of
/// the tools named by the keys of `value`.
Check call_data_check(const std::string& pointer, const Node& value, const std::string& scope) {
  const Check of_any = json_check({pointer, "tools", {}, "contains", to_json(value), scope});
  std::vector<Check> of_named;
  for (const Node& each : value.items) {
    if (!value.is_map() || !each.is_map()) return of_any;
    of_named.push_back(json_check({pointer, "tools", each.key, "contains", to_json(each), scope}));
  }
  if (of_named.empty()) return of_any;
  const Check named = of_named.size() == 1 ? of_named.front() : set_check("all", of_named);
  return set_check("any", std::vector{named, of_any});
}

/// Checks that no tool is called in the turn. `tools-allowed` applies to the whole conversation, so with several turns
/// no tool entry of the turn may exist.
Check no_call_check(TurnOf turn) {
  Check check;
  if (turn.turns > 1) {
    check = json_check({"", "tools", {}, "notEquals", "null", turn_scope(turn.index)});
    check.negate = true;
  } else {
    check.type = "tools-allowed";
    check.config = R"({"names":[]})";
  }
  return check;
}

Check simple_check(const std::string& type, const std::string& value, std::size_t turn, const Node* extra) {
  const std::string scope = turn_scope(turn);
  if (type == "contains") return text_check(type, value, scope, Ignoring::nothing);
  if (type == "equals") return text_check(type, ascii::trimmed(value, " \t\r\n"), scope, Ignoring::nothing);
  if (type == "tool_called") return call_check(value, "{}", turn);
  if (type == "agent_transfer") return call_check(value.empty() ? "transfer_to_agent" : value, "{}", turn);
  const std::string pointer = type == "tool_input" ? "/arguments" : "/result";
  if (extra != nullptr && (extra->is_map() || extra->is_list()))
    return call_data_check(pointer, *extra, scope);
  return json_check({pointer, "tools", {}, "contains", json_text(value), scope});
}

}  // namespace

void add_tool_call(Conversion& conversion, TestDraft& draft, const Source& source, const Node& call,
                   std::size_t turn) {
  std::string name = call.text_of("action");
  if (name.empty()) name = call.text_of("name");
  const At at{source, call.place};
  Item item{.source = "tool call", .text = to_json(call), .needs = std::string(calls_recorded)};
  if (name.empty()) {
    item.why = "it names no tool";
    return conversion.lose(draft, at, std::move(item));
  }
  Members plain;
  std::vector<const Node*> matched;
  const Node* arguments = call.first_of({"args", "arguments"});
  if (arguments != nullptr) {
    for (const Node& each : arguments->items) {
      const std::string rule = each.text_of("$matchType");
      const Node* exact = rule == "exact" ? value_of(each) : nullptr;
      if (rule.empty() || exact != nullptr) {
        set_member(plain, each.key, to_json(exact == nullptr ? each : *exact));
      } else if (rule != "ignore") {
        matched.push_back(&each);
      }
    }
  }
  conversion.check(draft, call_check(name, object_of(plain), turn), at, std::move(item));
  for (const Node* each : matched) add_matched(conversion, draft, source, *each, name, turn);
  if (const Node* output = call.find("output")) {
    conversion.note(draft, {source, output->place},
                    {.kind = ItemKind::agent,
                     .outcome = Outcome::not_mapped,
                     .source = "tool output",
                     .text = as_text(*output),
                     .why = "the agent calls its own tools"});
  }
}

void add_turn_check(Conversion& conversion, TestDraft& draft, const Source& source, const Node& check,
                    TurnOf turn) {
  std::string type = check.text_of("type");
  if (type.empty()) type = check.text_of("operator");
  const Node* value = check.find("value");
  if (type.empty() && check.is_map() && check.items.size() == 1) {
    type = check.items.front().key;
    value = &check.items.front();
  }
  const At at{source, check.place};
  const std::string text = value == nullptr || value->is_map()
                               ? (value == nullptr ? "" : value->text_of("name"))
                               : as_text(*value);
  if (check.is_scalar() || type.empty()) {
    return conversion.check(draft, criterion_of(as_text(check)), at,
                            {.source = "expectation", .text = as_text(check)});
  }
  Item item{.source = type, .text = text};
  type = ascii::lower(type);
  for (const std::string_view known : {"contains", "equals", "tool_called", "tool_input", "tool_output",
                                       "no_tools_called", "agent_transfer"}) {
    if (type != known) continue;
    if (type.starts_with("tool") || type == "no_tools_called" || type == "agent_transfer")
      item.needs = calls_recorded;
    Check made =
        type == "no_tools_called" ? no_call_check(turn) : simple_check(type, text, turn.index, value);
    return conversion.check(draft, std::move(made), at, std::move(item));
  }
  item.why = "parley has no such assertion type";
  conversion.lose(draft, at, std::move(item));
}

}  // namespace parley::convert
