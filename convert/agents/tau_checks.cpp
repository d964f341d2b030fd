#include "convert/agents/tau_checks.hpp"

#include <algorithm>

namespace parley::convert {
namespace {

/// The arguments to compare: all, or those that `compare_args` names.
std::string counted_arguments(const Node& arguments, const Node* names) {
  json::Writer out;
  out.begin_object();
  for (const Node& each : arguments.items) {
    const auto is_it = [&](const Node& name) { return name.text == each.key; };
    const bool counts = names == nullptr || std::any_of(names->items.begin(), names->items.end(), is_it);
    if (counts) write_json(out.key(each.key), each);
  }
  out.end_object();
  return std::move(out).text();
}

/// `type`: tool-called or action-invoked. Only tool-called can compare a subset of the arguments.
Check call_check(std::string type, const Node& action, const Node* arguments, const Node* names) {
  const bool is_tool = type == "tool-called";
  json::Writer out;
  out.begin_object().member("name", action.text_of("name"));
  if (arguments != nullptr && names == nullptr) {
    write_json(out.key("arguments"), *arguments);
    out.member("mode", "within");
  } else if (arguments != nullptr && !names->items.empty()) {
    out.key("arguments").raw(counted_arguments(*arguments, names));
    if (is_tool) {
      write_json(out.key("keys"), *names);
      out.member("mode", "exact");
    }
  }
  out.end_object();
  Check check;
  check.type = std::move(type);
  check.config = std::move(out).text();
  return check;
}

}  // namespace

Check action_check(const Node& action, const Callers& callers) {
  const Node* arguments = action.find("arguments");
  const Node* names = action.find("compare_args");
  if (arguments != nullptr && !arguments->is_map()) arguments = nullptr;
  if (names != nullptr && !names->is_list()) names = nullptr;
  const Check by_user = call_check("action-invoked", action, arguments, names);
  const Check by_agent = call_check("tool-called", action, arguments, names);
  if (callers.user && callers.agent) return set_check("any", std::vector<Check>{by_user, by_agent});
  return callers.user ? by_user : by_agent;
}

Check communicate_check(const std::string& text) {
  Check check = text_check("contains", text);
  check.config.insert(check.config.size() - 1, R"(,"ignore":["case","commas"])");
  return check;
}

bool is_in_basis(const Node* basis, std::string_view part) {
  if (basis == nullptr || !basis->is_list()) return part == "DB" || part == "COMMUNICATE";
  return std::any_of(basis->items.begin(), basis->items.end(),
                     [&](const Node& each) { return each.text == part; });
}

}  // namespace parley::convert
