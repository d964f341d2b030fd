#include "tester/template_fields.hpp"

#include <cstdint>
#include <optional>

#include "model/limits.hpp"
#include "model/values/placeholder.hpp"

namespace parley::tester {
namespace {

/// The config if it has a placeholder; nullopt for a config that stays unchanged.
std::optional<json::Document> config_to_fill(const Assertion& assertion) {
  if (!assertion.config || !has_placeholder(json::plain(*assertion.config))) return std::nullopt;
  auto config = json::parse(assertion.config->text);
  if (!config.ok()) return std::nullopt;
  return std::move(config).value();
}

std::size_t bytes_in_json(const json::Value& string) {
  const std::size_t quotes = 2;
  const std::size_t plain = string.string().size();
  return string.raw().size() == plain + quotes ? plain : json::measured_bytes(string.raw()) - quotes;
}

}  // namespace

TemplateFields::TemplateFields(const json::Value& test_fields, const json::Value& scenario_fields) {
  add_scalars_of(test_fields);
  add_scalars_of(scenario_fields);
}

void TemplateFields::add_scalars_of(const json::Value& fields) {
  if (!fields.is(json::Kind::object)) return;
  for (const json::Value& member : fields.children()) {
    switch (member.kind()) {
      case json::Kind::string:
        scalars_.try_emplace(member.key(), Scalar{member.string(), bytes_in_json(member)});
        break;
      case json::Kind::number:
      case json::Kind::boolean:
        scalars_.try_emplace(member.key(), Scalar{member.raw(), member.raw().size()});
        break;
      case json::Kind::null:
      case json::Kind::array:
      case json::Kind::object: break;
    }
  }
}

const TemplateFields::Scalar* TemplateFields::find(std::string_view key) const {
  const auto found = scalars_.find(key);
  return found == scalars_.end() ? nullptr : &found->second;
}

std::string TemplateFields::put_in(std::string_view text, std::size_t bytes_max) const {
  std::string out;
  std::size_t at = 0;
  while (out.size() <= bytes_max) {
    const auto placeholder = next_placeholder(text, at);
    if (!placeholder) break;
    out += text.substr(at, placeholder->begin - at);
    at = placeholder->end;
    const Scalar* scalar = find(placeholder->key);
    out += scalar != nullptr ? scalar->text : text.substr(placeholder->begin, at - placeholder->begin);
  }
  out += text.substr(at);
  return out;
}

std::string TemplateFields::filled(std::string_view text) const {
  return put_in(text, SIZE_MAX);
}

void TemplateFields::write_filled(json::Writer& out, const json::Value& value) const {
  switch (value.kind()) {
    case json::Kind::string: out.string(filled(value.string())); return;
    case json::Kind::array:
      out.begin_array();
      for (const json::Value& item : value.children()) write_filled(out, item);
      out.end_array();
      return;
    case json::Kind::object:
      out.begin_object();
      for (const json::Value& member : value.children()) {
        out.key(member.key());
        write_filled(out, member);
      }
      out.end_object();
      return;
    case json::Kind::null:
    case json::Kind::boolean:
    case json::Kind::number: out.raw(value.raw()); return;
  }
}

void TemplateFields::put_in(Assertion& assertion) const {
  if (assertion.name) assertion.name = filled(*assertion.name);
  if (assertion.criteria) assertion.criteria = filled(*assertion.criteria);
  const auto config = config_to_fill(assertion);
  if (!config) return;
  json::Writer out;
  write_filled(out, config->root());
  assertion.config = json::Text{std::move(out).text()};
}

bool TemplateFields::put_in(std::vector<Assertion>& assertions) const {
  std::size_t bytes = 0;
  for (const Assertion& each : assertions) bytes += bytes_for(each);
  if (bytes > limits::field_texts_bytes_max) return false;
  for (Assertion& each : assertions) put_in(each);
  return true;
}

std::size_t TemplateFields::bytes_for(std::string_view text) const {
  std::size_t bytes = 0;
  for (auto placeholder = next_placeholder(text); placeholder;
       placeholder = next_placeholder(text, placeholder->end)) {
    if (const Scalar* scalar = find(placeholder->key)) bytes += scalar->bytes;
  }
  return bytes;
}

std::size_t TemplateFields::bytes_for(const json::Value& value) const {
  if (value.is(json::Kind::string)) return bytes_for(value.string());
  if (!value.is(json::Kind::array) && !value.is(json::Kind::object)) return 0;
  std::size_t bytes = 0;
  for (const json::Value& child : value.children()) bytes += bytes_for(child);
  return bytes;
}

std::size_t TemplateFields::bytes_for(const Assertion& assertion) const {
  std::size_t bytes = 0;
  if (assertion.name) bytes += bytes_for(*assertion.name);
  if (assertion.criteria) bytes += bytes_for(*assertion.criteria);
  if (const auto config = config_to_fill(assertion)) bytes += bytes_for(config->root());
  return bytes;
}

}  // namespace parley::tester
