#include "scoring/kind_schema.hpp"

#include <algorithm>

#include "model/values/placeholder.hpp"

namespace parley::scoring {
namespace {

/// One of the key's words, or a text that becomes one when its `{{key}}` is replaced (D22). Each alternative
/// states the type; otherwise client generators would accept any value.
void write_text(json::Writer& out, const ConfigKey& key) {
  out.member("type", "string");
  if (key.words.empty()) return;
  out.key("anyOf").begin_array();
  out.begin_object().member("type", "string").key("enum").begin_array();
  for (const std::string_view word : key.words) out.string(word);
  out.end_array().end_object();
  out.begin_object().member("type", "string").member("pattern", placeholder_pattern).end_object();
  out.end_array();
}

void write_texts(json::Writer& out, const ConfigKey& key, std::int64_t least) {
  out.member("type", "array");
  if (least > 0) out.key("minItems").integer(least);
  out.key("maxItems").integer(static_cast<std::int64_t>(key.items_max));
  out.key("items").begin_object();
  write_text(out, key);
  out.end_object();
}

void write_list(json::Writer& out, const ConfigKey& key, std::int64_t least, std::string_view item) {
  out.member("type", "array");
  if (least > 0) out.key("minItems").integer(least);
  out.key("maxItems").integer(static_cast<std::int64_t>(key.items_max));
  out.key("items").begin_object();
  if (!item.empty()) out.member("type", item);
  out.end_object();
}

void write_number(json::Writer& out, std::string_view type, bool from_zero) {
  out.member("type", type);
  if (from_zero) out.key("minimum").integer(0);
}

/// The values that check_keys() accepts for the key, except null.
void write_type(json::Writer& out, const ConfigKey& key) {
  switch (key.type) {
    case ConfigType::text: return write_text(out, key);
    case ConfigType::texts: return write_texts(out, key, 1);
    case ConfigType::names: return write_texts(out, key, 0);
    case ConfigType::flag: out.member("type", "boolean"); return;
    case ConfigType::count: return write_number(out, "integer", true);
    case ConfigType::amount: return write_number(out, "number", true);
    case ConfigType::number: return write_number(out, "number", false);
    case ConfigType::share:
      write_number(out, "number", true);
      out.key("maximum").integer(1);
      return;
    case ConfigType::list: return write_list(out, key, 1, "");
    case ConfigType::objects: return write_list(out, key, 1, "object");
    case ConfigType::object: out.member("type", "object"); return;
    case ConfigType::any: return;
  }
}

void write_key(json::Writer& out, const ConfigKey& key) {
  out.key(key.name).begin_object().member("description", key.sentence);
  if (key.needed || key.type == ConfigType::any) {
    write_type(out, key);
  } else {
    out.key("anyOf").begin_array();
    out.begin_object();
    write_type(out, key);
    out.end_object();
    out.begin_object().member("type", "null").end_object();
    out.end_array();
  }
  out.end_object();
}

}  // namespace

bool needs_config(const Kind& kind) {
  return std::any_of(kind.keys.begin(), kind.keys.end(), [](const ConfigKey& key) { return key.needed; });
}

void write_config_schema(json::Writer& out, const Kind& kind) {
  const auto keys = config_keys(kind);
  out.member("type", "object");
  out.key("properties").begin_object();
  for (const ConfigKey& key : keys) write_key(out, key);
  out.end_object();
  out.key("additionalProperties").boolean(false);
  if (!needs_config(kind)) return;
  out.key("required").begin_array();
  for (const ConfigKey& key : keys) {
    if (key.needed) out.string(key.name);
  }
  out.end_array();
}

}  // namespace parley::scoring
