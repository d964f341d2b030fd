// The table of assertion types, and the checks of a request body that need all of them.

#include <algorithm>
#include <array>
#include <map>

#include "model/text/uri_text.hpp"
#include "model/values/placeholder.hpp"
#include "scoring/kinds.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array table{
    &rows::action_invoked, &rows::action_offered,  &rows::assert_set, &rows::contains,
    &rows::contains_all,   &rows::contains_any,    &rows::cost,       &rows::criteria,
    &rows::end_reason,     &rows::ends_with,       &rows::equals,     &rows::event_recorded,
    &rows::icontains,      &rows::is_json,         &rows::json_value, &rows::json_schema,
    &rows::levenshtein,    &rows::max_length,      &rows::max_turns,  &rows::min_length,
    &rows::min_turns,      &rows::no_loop,         &rows::regex,      &rows::response_time,
    &rows::rouge,          &rows::starts_with,     &rows::tokens,     &rows::tool_called,
    &rows::tool_f1,        &rows::tool_not_called, &rows::tool_order, &rows::tool_set,
    &rows::tools_allowed,  &rows::tools_denied,    &rows::wildcard,   &rows::word_count,
};

std::string known_types() {
  std::string text;
  for (const Kind* kind : table) {
    if (!text.empty()) text += ", ";
    text += kind->name;
  }
  return text;
}

/// Whether all characters are unreserved (RFC 3986), so that they need no escape in a URL.
bool is_url_safe(std::string_view id) {
  return std::all_of(id.begin(), id.end(), is_unreserved);
}

/// Adds the faults of one config, except those that depend on the value of a placeholder (D22).
void check_config(const Kind& kind, const json::Value& config, const std::string& pointer,
                  Findings& findings) {
  check_keys(kind, config, pointer, findings);
  Findings of_values;
  of_values.patterns = findings.patterns;
  check_values(kind, config, "", of_values);
  findings.patterns = of_values.patterns;
  for (Fault& fault : of_values.faults) {
    const auto value = json::at_pointer(config, fault.pointer);
    if (value && value->is(json::Kind::string) && has_placeholder(*value)) continue;
    findings.add(pointer + fault.pointer, std::move(fault.detail));
  }
}

void check_assertion(const Assertion& assertion, const std::string& pointer, Findings& findings) {
  if (!is_url_safe(assertion.id)) {
    findings.add(pointer + "/id", "may hold only letters, digits, '-', '_', '.' and '~'");
  }
  if (findings.has(pointer + "/type")) return;  // the requirements of an unknown type are unknown
  const Kind* kind = find_kind(assertion.type);
  if (kind == nullptr) {
    return findings.add(pointer + "/type", "is not an assertion type; the types are " + known_types());
  }
  if (kind == &rows::criteria && assertion.criteria.value_or("").empty()) {
    findings.add(pointer + "/criteria",
                 "is required for the type criteria: say what the conversation must satisfy");
  }
  const auto config = json::parse(assertion.config ? assertion.config->text : "{}");
  if (!config.ok() || !config.value().root().is(json::Kind::object)) {
    return findings.add(pointer + "/config", "must be an object");
  }
  check_config(*kind, config.value().root(), pointer + "/config", findings);
}

}  // namespace

std::span<const Kind* const> kinds() {
  return table;
}

const Kind* find_kind(std::string_view name) {
  const auto at =
      std::lower_bound(table.begin(), table.end(), name,
                       [](const Kind* kind, std::string_view wanted) { return kind->name < wanted; });
  return at != table.end() && (*at)->name == name ? *at : nullptr;
}

void check_assertions(std::span<const Assertion> assertions, const std::string& pointer, Findings& findings) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < assertions.size(); ++i) {
    const std::string at = pointer + "/" + std::to_string(i);
    check_assertion(assertions[i], at, findings);
    if (assertions[i].id.empty()) continue;
    const auto [first, is_new] = seen.emplace(assertions[i].id, i);
    if (!is_new)
      findings.add(at + "/id", "is the id of assertion " + std::to_string(first->second) + " already");
  }
}

void complete(std::span<Assertion> assertions, Time now, IdSource& ids) {
  for (Assertion& each : assertions) {
    if (each.id.empty()) each.id = to_text(ids.next(now));
    each.weight = weight_of(each);
  }
}

}  // namespace parley::scoring
