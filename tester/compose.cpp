#include "tester/compose.hpp"

#include <algorithm>
#include <optional>

#include "model/json_writer.hpp"
#include "model/limits.hpp"
#include "model/placeholder.hpp"

namespace parley::tester {
namespace {

/// What stands for the value in a text; nullopt for null, lists and objects.
std::optional<std::string_view> scalar_text(const std::optional<json::Value>& value) {
  if (!value) return std::nullopt;
  switch (value->kind()) {
    case json::Kind::string: return value->string();
    case json::Kind::number:
    case json::Kind::boolean: return value->raw();
    case json::Kind::null:
    case json::Kind::array:
    case json::Kind::object: return std::nullopt;
  }
  return std::nullopt;
}

struct Fields {
  const json::Value& test;
  const json::Value& scenario;
};

/// Writes the value with its strings substituted, up to the bound of the output (see substitute).
void write_substituted(json::Writer& out, const json::Value& value, const Fields& fields) {
  if (out.size() > limits::content_bytes_max) {
    out.raw(value.raw());
    return;
  }
  switch (value.kind()) {
    case json::Kind::string: out.string(substitute(value.string(), fields.test, fields.scenario)); return;
    case json::Kind::array:
      out.begin_array();
      for (const json::Value& item : value.children()) write_substituted(out, item, fields);
      out.end_array();
      return;
    case json::Kind::object:
      out.begin_object();
      for (const json::Value& member : value.children()) {
        out.key(member.key());
        write_substituted(out, member, fields);
      }
      out.end_object();
      return;
    case json::Kind::null:
    case json::Kind::boolean:
    case json::Kind::number: out.raw(value.raw()); return;
  }
}

constexpr std::size_t nowhere = SIZE_MAX;

/// The first parent assertion that `is_meant` and that no overlay assertion has replaced yet.
template <class F>
std::size_t find_free(std::span<const Assertion> parents, const std::vector<bool>& taken, F is_meant) {
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (!taken[i] && is_meant(parents[i])) return i;
  }
  return nowhere;
}

/// For each overlay assertion the parent's it replaces. Ids go before names: an id is the stronger word.
std::vector<std::size_t> places_of(std::span<const Assertion> overlay, std::span<const Assertion> parents) {
  std::vector<bool> taken(parents.size());
  std::vector<std::size_t> places(overlay.size(), nowhere);
  const auto take = [&](std::size_t i, auto is_meant) {
    places[i] = find_free(parents, taken, is_meant);
    if (places[i] != nowhere) taken[places[i]] = true;
  };
  for (std::size_t i = 0; i < overlay.size(); ++i) {
    if (overlay[i].id.empty()) continue;
    take(i, [&](const Assertion& parent) { return parent.id == overlay[i].id; });
  }
  for (std::size_t i = 0; i < overlay.size(); ++i) {
    if (places[i] != nowhere || overlay[i].name.value_or("").empty()) continue;
    take(i, [&](const Assertion& parent) { return parent.name == overlay[i].name; });
  }
  return places;
}

}  // namespace

Composed compose(const CasePart& parent, const CasePart& overlay) {
  Composed composed;
  composed.instruction = parent.instruction;
  if (!parent.instruction.empty() && !overlay.instruction.empty()) composed.instruction += "\n\n";
  composed.instruction += overlay.instruction;

  composed.assertions.assign(parent.assertions.begin(), parent.assertions.end());
  const auto places = places_of(overlay.assertions, parent.assertions);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == nowhere) {
      composed.assertions.push_back(overlay.assertions[i]);
    } else {
      composed.assertions[places[i]] = overlay.assertions[i];
    }
  }
  return composed;
}

std::string substitute(std::string_view text, const json::Value& test_fields,
                       const json::Value& scenario_fields) {
  std::string out;
  std::size_t at = 0;
  while (out.size() <= limits::content_bytes_max) {
    const auto placeholder = next_placeholder(text, at);
    if (!placeholder) break;
    out += text.substr(at, placeholder->begin - at);
    at = placeholder->end;
    auto value = scalar_text(test_fields.find(placeholder->key));
    if (!value) value = scalar_text(scenario_fields.find(placeholder->key));
    out += value.value_or(text.substr(placeholder->begin, placeholder->end - placeholder->begin));
  }
  out += text.substr(at);
  return out;
}

void apply_fields(Assertion& assertion, const json::Value& test_fields, const json::Value& scenario_fields) {
  if (assertion.name) assertion.name = substitute(*assertion.name, test_fields, scenario_fields);
  if (assertion.criteria) assertion.criteria = substitute(*assertion.criteria, test_fields, scenario_fields);
  if (!assertion.config || !has_placeholder(assertion.config->text)) return;
  const auto config = json::parse(assertion.config->text);
  if (!config.ok()) return;
  json::Writer out;
  write_substituted(out, config.value().root(), {test_fields, scenario_fields});
  assertion.config = json::Text{std::move(out).text()};
}

}  // namespace parley::tester
