#include "http/openapi/type_schemas.hpp"

#include <functional>
#include <vector>

#include "model/description/record_schema.hpp"
#include "model/records/agent.hpp"
#include "model/records/assertion.hpp"
#include "model/records/entry.hpp"
#include "model/records/external_log.hpp"
#include "outbound/agents/agent_config.hpp"
#include "scoring/kind_schema.hpp"
#include "scoring/kinds.hpp"

namespace parley::http {
namespace {

using Write = std::function<void(json::Writer&)>;

template <class T>
void write_body(json::Writer& out, SchemaMode mode) {
  SchemaWriter::write(out, T{}, mode);
}

/// A JSON Schema condition: bodies with one of these types must also satisfy `members`. With `may_be_absent`, the
/// type may be missing from the body.
struct Case {
  std::vector<std::string_view> types;
  bool may_be_absent = false;
};
void write_case(json::Writer& out, const Case& when, const Write& members) {
  out.begin_object();
  out.key("if").begin_object();
  out.key("properties").begin_object().key("type").begin_object().key("enum").begin_array();
  for (const std::string_view type : when.types) out.string(type);
  if (when.may_be_absent) out.null();  // null counts as absent (D5)
  out.end_array().end_object().end_object();
  if (!when.may_be_absent) out.key("required").begin_array().string("type").end_array();
  out.end_object();
  out.key("then").begin_object();
  members(out);
  out.end_object();
  out.end_object();
}

/// Writes a property that may be null unless it is required.
void write_property(json::Writer& out, std::string_view name, bool is_needed, const Write& members) {
  out.key(name).begin_object();
  if (is_needed) {
    members(out);
  } else {
    out.key("anyOf").begin_array();
    out.begin_object();
    members(out);
    out.end_object();
    out.begin_object().member("type", "null").end_object();
    out.end_array();
  }
  out.end_object();
}

void write_names(json::Writer& out, std::span<const std::string_view> names) {
  if (names.empty()) return;
  out.key("required").begin_array();
  for (const std::string_view name : names) out.string(name);
  out.end_array();
}

/// Writes the additional constraints on an assertion of this type.
void write_kind(json::Writer& out, const scoring::Kind& kind) {
  const bool is_criteria = kind.name == Assertion{}.type;
  const bool needs_config = scoring::needs_config(kind);
  out.member("description", kind.summary);
  out.key("properties").begin_object();
  if (is_criteria) out.key("criteria").raw(R"({"type":"string","minLength":1})");
  write_property(out, "config", needs_config,
                 [&](json::Writer& config) { scoring::write_config_schema(config, kind); });
  out.end_object();
  std::vector<std::string_view> needed;
  if (is_criteria) needed.emplace_back("criteria");
  if (needs_config) needed.emplace_back("config");
  write_names(out, needed);
}

void write_agent(json::Writer& out, SchemaMode mode) {
  write_body<Agent>(out, mode);
  out.key("allOf").begin_array();
  for (const std::string_view type : agent_types) {
    outbound::with_config_of(type, [&]<class Config>(const Config&) {
      write_case(out, {{type}}, [&](json::Writer& then) {
        const bool is_needed = mode == SchemaMode::create;  // a PATCH may leave the config unchanged
        then.key("properties").begin_object();
        write_property(then, "config", is_needed,
                       [](json::Writer& config) { write_body<Config>(config, SchemaMode::create); });
        then.end_object();
        if (is_needed) write_names(then, std::vector<std::string_view>{"config"});
      });
    });
  }
  out.end_array();
}

/// Writes `Body` with the constraints of each entry type.
template <class Body>
void write_entry(json::Writer& out) {
  write_body<Body>(out, SchemaMode::create);
  Case messages{{}, true}, others;
  for (std::size_t i = 0; i < Words<EntryType>::all.size(); ++i) {
    const auto type = static_cast<EntryType>(i);
    const bool is_message = needed_field(type) == needed_field(EntryType::message);
    (is_message ? messages : others).types.push_back(word_of(type));
  }
  out.key("allOf").begin_array();
  for (const Case& each : {messages, others}) {
    const std::string_view needed = needed_field(*from_word<EntryType>(each.types.front()));
    write_case(out, each, [&](json::Writer& then) {
      then.key("properties").begin_object().key(needed).raw(R"({"type":"string"})").end_object();
      write_names(then, std::vector{needed});
    });
  }
  out.end_array();
}

}  // namespace

void write_assertion_type(json::Writer& out) {
  out.member("type", "string").key("enum").begin_array();
  for (const scoring::Kind* kind : scoring::kinds()) out.string(kind->name);
  out.end_array();
}

void write_assertion(json::Writer& out) {
  write_body<Assertion>(out, SchemaMode::create);
  out.key("allOf").begin_array();
  for (const scoring::Kind* kind : scoring::kinds()) {
    write_case(out, {{kind->name}, kind->name == Assertion{}.type},
               [&](json::Writer& then) { write_kind(then, *kind); });
  }
  out.end_array();
}

void write_agent_type(json::Writer& out) {
  out.member("type", "string").key("enum").begin_array();
  for (const std::string_view type : agent_types) out.string(type);
  out.end_array();
  // Client generators derive a name from each value, which is impossible for an empty value.
  out.key("x-enum-varnames").begin_array();
  for (const std::string_view type : agent_types) out.string(type.empty() ? "UNTYPED" : type);
  out.end_array();
}

void write_agent_body(json::Writer& out) {
  write_agent(out, SchemaMode::create);
}

void write_agent_patch(json::Writer& out) {
  write_agent(out, SchemaMode::patch);
}

void write_secrets(json::Writer& out) {
  out.member("type", "object");
  out.key("maxProperties").integer(limits::secrets_max);
  out.key("propertyNames")
      .begin_object()
      .key("maxLength")
      .integer(limits::secret_name_bytes_max)
      .end_object();
  out.key("additionalProperties").raw(R"({"type":["string","null"]})");
}

void write_entry_body(json::Writer& out) {
  write_entry<EntryBody>(out);
}

void write_log_message(json::Writer& out) {
  write_entry<LogMessage>(out);
}

}  // namespace parley::http
