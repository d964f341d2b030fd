#include "convert/promptfoo/tool_checks.hpp"

#include <algorithm>

#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

constexpr const char* needs_entries = "tool calls as tool entries";
constexpr const char* pattern_lost = "the names of tools are compared whole, not with a pattern";

std::string tool_name(const Node& value) {
  if (value.is_scalar()) return value.text;
  for (const std::string_view key : {"name", "tool", "pattern"}) {
    if (std::string name = value.text_of(key); !name.empty()) return name;
  }
  return {};
}

bool is_pattern(std::string_view name) {
  return name.find_first_of("*?") != std::string_view::npos;
}

Mapped mapped_calls(Check check) {
  return {std::move(check), Outcome::exact, {}, needs_entries};
}

Check finished(std::string_view type, json::Writer&& out) {
  Check check;
  check.type = type;
  check.config = std::move(out.end_object()).text();
  return check;
}

/// A check for the call that a name, or a map with `name`, `args`, `mode`, `min` and `max`, describes.
Check called_check(const Node& value) {
  json::Writer out;
  out.begin_object().member("name", tool_name(value));
  for (const std::string_view bound : {"min", "max"}) {
    const Node* number = value.find(bound);
    if (number != nullptr && number->number()) write_json(out.key(bound), *number);
  }
  const Node* arguments = value.first_of({"args", "arguments"});
  if (arguments != nullptr && arguments->is_map()) write_json(out.key("arguments"), *arguments);
  if (value.text_of("mode") == "exact") out.member("mode", "exact");
  return finished("tool-called", std::move(out));
}

std::vector<std::string> tool_names(const Node& value) {
  const std::vector<Node>& steps = value.is_list()                   ? value.items
                                   : !value.list_of("steps").empty() ? value.list_of("steps")
                                                                     : value.list_of("tools");
  std::vector<std::string> names;
  for (const Node& each : steps) names.push_back(tool_name(each));
  return names;
}

Check names_check(std::string_view type, const std::vector<std::string>& names, const std::string& more) {
  json::Writer out;
  out.begin_object().key("names").begin_array();
  for (const std::string& name : names) out.string(name);
  out.end_array();
  Check check;
  check.type = type;
  check.config = std::move(out).text() + more + "}";
  return check;
}

/// Why a check of these names is lost; empty if it is not lost.
std::string why_lost(const std::vector<std::string>& names) {
  if (names.empty() || names.front().empty()) return "it names no tool";
  return std::any_of(names.begin(), names.end(), is_pattern) ? pattern_lost : "";
}

/// A check that the arguments of every call of the tool match the schema.
Check fitting_check(const ToolDefinition& tool) {
  json::Writer absent;
  absent.begin_object().member("name", tool.name);
  json::Writer fits;
  fits.begin_object().member("pointer", "/arguments").member("entries", "tools").member("name", tool.name);
  write_json(fits.member("which", "all").key("schema"), tool.parameters);
  const std::vector<Check> either{finished("tool-not-called", std::move(absent)),
                                  finished("json-schema", std::move(fits))};
  return set_check("any", either);
}

}  // namespace

Mapped tool_used(const Question& question) {
  if (!question.value.is_list()) {
    if (std::string why = why_lost({tool_name(question.value)}); !why.empty()) return lost(std::move(why));
    return mapped_calls(called_check(question.value));
  }
  if (std::string why = why_lost(tool_names(question.value)); !why.empty()) return lost(std::move(why));
  std::vector<Check> checks;
  for (const Node& each : question.value.items) checks.push_back(called_check(each));
  // A negated list means that none of the tools was called.
  const bool is_negated = question.node.text_of("type").starts_with("not-");
  return mapped_calls(checks.size() == 1 ? checks.front() : set_check(is_negated ? "any" : "all", checks));
}

Mapped step_count(const Question& question) {
  const std::string type = question.value.text_of("type");
  if (type != "tool") return lost("agents report no steps but tool calls");
  if (std::string why = why_lost({tool_name(question.value)}); !why.empty()) return lost(std::move(why));
  return mapped_calls(called_check(question.value));
}

Mapped tool_sequence(const Question& question) {
  const std::vector<std::string> names = tool_names(question.value);
  if (std::string why = why_lost(names); !why.empty()) return lost(std::move(why));
  const bool is_exact = question.value.text_of("mode") == "exact";
  return mapped_calls(names_check("tool-order", names, is_exact ? R"(,"mode":"strict")" : ""));
}

Mapped tool_f1(const Question& question) {
  const std::vector<std::string> names =
      question.value.is_text() ? texts_of(question.value) : tool_names(question.value);
  if (std::string why = why_lost(names); !why.empty()) return lost(std::move(why));
  return mapped_calls(
      names_check("tool-f1", names, ",\"threshold\":" + json::number_text(question.threshold.value_or(1))));
}

Mapped valid_calls(const Question& question) {
  if (question.place.tools.empty()) return lost("the file does not define the agent's tools");
  std::vector<std::string> names;
  for (const ToolDefinition& tool : question.place.tools) names.push_back(tool.name);
  std::vector<Check> checks{json_check({"", "tools", {}, "exists", "true"}),
                            names_check("tools-allowed", names, "")};
  for (const ToolDefinition& tool : question.place.tools) {
    if (tool.parameters.is_map()) checks.push_back(fitting_check(tool));
  }
  return mapped_calls(set_check("all", checks));
}

}  // namespace parley::convert
