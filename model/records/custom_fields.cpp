#include "model/records/custom_fields.hpp"

#include <algorithm>
#include <set>

#include "model/json/json_writer.hpp"
#include "model/values/metadata.hpp"

namespace parley {
namespace {

using json::Kind;

bool is_option(const FieldDef& def, std::string_view text) {
  return def.options && std::find(def.options->begin(), def.options->end(), text) != def.options->end();
}

/// The requirement that the value does not meet; empty if the value has the type of the field.
std::string fault_of(const FieldDef& def, const json::Value& value) {
  switch (def.type) {
    case FieldType::string: return value.is(Kind::string) ? "" : "must be a string";
    case FieldType::number: return value.is(Kind::number) ? "" : "must be a number";
    case FieldType::boolean: return value.is(Kind::boolean) ? "" : "must be true or false";
    case FieldType::select:
      return value.is(Kind::string) && is_option(def, value.string())
                 ? ""
                 : "must be one of the options of the field";
  }
  return "";
}

/// The value of a key; nullopt if it is absent or null.
std::optional<json::Value> value_at(const json::Value& values, std::string_view key) {
  auto value = values.find(key);
  if (value && value->is(Kind::null)) value.reset();
  return value;
}

bool can_be_named(std::string_view key) {
  constexpr std::string_view blanks = " \t";
  return key.find_first_of("{}") == std::string_view::npos &&
         blanks.find(key.front()) == std::string_view::npos &&
         blanks.find(key.back()) == std::string_view::npos;
}

void check_default(const FieldDef& def, const std::string& pointer, Findings& findings) {
  if (!def.default_value) return;
  const auto value = json::parse(def.default_value->text);
  if (!value.ok()) return;
  if (std::string fault = fault_of(def, value->root()); !fault.empty())
    findings.add(pointer, std::move(fault));
}

}  // namespace

void check_field_defs(const std::vector<FieldDef>& defs, const std::string& prefix, Findings& findings) {
  std::set<std::string_view> keys;
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const FieldDef& def = defs[i];
    const std::string pointer = prefix + "/" + std::to_string(i);
    if (!def.key.empty() && !can_be_named(def.key)) {
      findings.add(pointer + "/key", "must hold no braces and neither begin nor end with a blank");
    }
    if (!def.key.empty() && !keys.insert(def.key).second)
      findings.add(pointer + "/key", "is a duplicate in this list");
    if (def.type == FieldType::select && (!def.options || def.options->empty())) {
      findings.add(pointer + "/options", "is required for a select");
    } else {
      check_default(def, pointer + "/default", findings);
    }
  }
}

void check_fields(const FieldValues& values, const std::vector<FieldDef>& defs, const std::string& prefix,
                  Findings& findings) {
  const auto own = json::parse(values.own.text);
  const auto beneath = json::parse(values.beneath.text);
  if (!own.ok() || !beneath.ok() || !own->root().is(Kind::object)) return;
  std::set<std::string_view> keys;
  for (const FieldDef& def : defs) {
    keys.insert(def.key);
    const std::string pointer = prefix + "/" + json::pointer_token(def.key);
    if (const auto value = value_at(own->root(), def.key)) {
      if (std::string fault = fault_of(def, *value); !fault.empty()) findings.add(pointer, std::move(fault));
    } else if (def.is_required && !def.default_value && !value_at(beneath->root(), def.key)) {
      findings.add(pointer, "is required by the scenario's configuration");
    }
  }
  for (const json::Value& member : own->root().children()) {
    if (keys.contains(member.key())) continue;
    findings.add(prefix + "/" + json::pointer_token(member.key()),
                 "is not a field of the scenario's configuration");
  }
}

json::Text laid_over(const FieldValues& values) {
  const auto own = json::parse(values.own.text);
  const auto beneath = json::parse(values.beneath.text);
  if (!own.ok() || !beneath.ok()) return values.own;
  json::Writer out;
  out.begin_object();
  for (const json::Value& member : own->root().children()) {
    if (!member.is(Kind::null)) out.key(member.key()).raw(member.raw());
  }
  for (const json::Value& member : beneath->root().children()) {
    if (!member.is(Kind::null) && !value_at(own->root(), member.key()))
      out.key(member.key()).raw(member.raw());
  }
  out.end_object();
  return {std::move(out).text()};
}

json::Text with_defaults(const FieldValues& values, const std::vector<FieldDef>& defs) {
  const auto own = json::parse(values.own.text);
  const auto beneath = json::parse(values.beneath.text);
  if (!own.ok() || !beneath.ok()) return values.own;
  json::Writer out;
  out.begin_object();
  for (const FieldDef& def : defs) {
    const bool is_given = value_at(own->root(), def.key) || value_at(beneath->root(), def.key);
    if (def.default_value && !is_given) out.key(def.key).raw(def.default_value->text);
  }
  out.end_object();
  return merged(values.own, json::Text{std::move(out).text()});
}

}  // namespace parley
