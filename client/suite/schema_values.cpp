#include "client/suite/schema_values.hpp"

#include "client/suite/suite_assertions.hpp"

namespace parley::client {
namespace {

constexpr std::string_view variable = R"({"type":"string","pattern":"\\$\\{"})";

void write_bounds(json::Writer& out, const FileKey& key) {
  out.key("minimum").integer(key.least);
  if (key.most != INT64_MAX) out.key("maximum").integer(key.most);
}

void write_words(json::Writer& out, const FileKey& key) {
  out.key("enum").begin_array();
  for (const std::string_view word : key.words) out.string(word);
  out.end_array();
}

std::string reference(const FileSection& section) {
  return "#/definitions/" + std::string(section.name);
}

/// Writes `anyOf` with the schema from `write` and a text with a variable, because a variable may expand to any type.
template <class Write>
void or_variable(json::Writer& out, Write write) {
  out.key("anyOf").begin_array().begin_object();
  write();
  out.end_object().raw(variable).end_array();
}

void write_texts(json::Writer& out) {
  out.member("type", "array").key("items").raw(R"({"type":["string","number","boolean"]})");
}

constexpr std::string_view scalar = R"({"type":["string","number","boolean"]})";

void write_pattern(json::Writer& out, std::string_view types, std::string_view pattern) {
  out.key("type").raw(types).member("pattern", pattern);
}

void write_typed(json::Writer& out, const FileKey& key, std::string_view type) {
  or_variable(out, [&] {
    out.member("type", type);
    if (key.shape != Shape::flag) write_bounds(out, key);
  });
}

void write_by_name(json::Writer& out, std::string_view value) {
  out.member("type", "object").key("additionalProperties").raw(value);
}

std::string reference_to(const FileSection& section) {
  return R"({"$ref":")" + reference(section) + "\"}";
}

void write_section_or_word(json::Writer& out, const FileKey& key) {
  out.key("anyOf").begin_array().raw(reference_to(*key.nested)).begin_object();
  write_words(out, key);
  out.end_object().end_array();
}

void write_shape(json::Writer& out, const FileKey& key) {
  constexpr std::string_view text_or_number = R"(["string","number"])";
  switch (key.shape) {
    case Shape::any: return;
    case Shape::text:
      out.key("type").raw(R"(["string","number","boolean"])").key("minLength").integer(1);
      return;
    case Shape::file_text: out.key("type").raw(R"(["string","number","boolean"])"); return;
    case Shape::slug: write_pattern(out, text_or_number, R"(^[a-z0-9][a-z0-9._-]{0,99}$|\$\{)"); return;
    case Shape::duration: write_pattern(out, text_or_number, R"(^[0-9]+(ms|s|m|h|d)?$|\$\{)"); return;
    case Shape::ratio: write_pattern(out, R"("string")", R"(^[0-9]{1,4}/[0-9]{1,4}$|\$\{)"); return;
    case Shape::secret: write_pattern(out, R"("string")", R"(\$\{|^file:)"); return;
    case Shape::word: or_variable(out, [&] { write_words(out, key); }); return;
    case Shape::flag: write_typed(out, key, "boolean"); return;
    case Shape::whole: write_typed(out, key, "integer"); return;
    case Shape::number: write_typed(out, key, "number"); return;
    case Shape::names: write_texts(out); return;
    case Shape::name_or_names:
      out.key("anyOf").begin_array().raw(scalar).begin_object();
      write_texts(out);
      out.end_object().end_array();
      return;
    case Shape::texts_by_name: write_by_name(out, scalar); return;
    case Shape::secrets_by_name: write_by_name(out, R"({"type":"string","pattern":"\\$\\{|^file:"})"); return;
    case Shape::mapping: out.member("type", "object"); return;
    case Shape::section: out.member("$ref", reference(*key.nested)); return;
    case Shape::section_or_word: write_section_or_word(out, key); return;
    case Shape::sections: out.member("type", "array").key("items").raw(reference_to(*key.nested)); return;
    case Shape::sections_by_name: write_by_name(out, reference_to(*key.nested)); return;
    case Shape::assertions:
      out.member("type", "array").key("items").raw(reference_to(sections::assertion));
      return;
  }
}

void write_section(json::Writer& out, const FileSection& section) {
  out.member("type", "object").key("additionalProperties").boolean(false);
  out.key("properties").begin_object();
  for (const FileKey& key : section.keys) write_key_schema(out, key);
  out.end_object();
  bool has_required = false;
  for (const FileKey& key : section.keys) {
    if (!key.is_required) continue;
    if (!has_required) out.key("required").begin_array();
    has_required = true;
    out.string(key.name);
  }
  if (has_required) out.end_array();
  if (&section != &sections::agent) return;
  out.key("oneOf").begin_array();
  for (const std::string_view kind : agent_kinds()) {
    out.begin_object().key("required").begin_array().string(kind).end_array().end_object();
  }
  out.end_array();
}

std::string_view shape_word(const FileKey& key) {
  switch (key.shape) {
    case Shape::text: return "text";
    case Shape::file_text: return "text, or `file:PATH`";
    case Shape::slug: return "slug";
    case Shape::word: return "word";
    case Shape::flag: return "true or false";
    case Shape::whole: return "whole number";
    case Shape::number: return "number";
    case Shape::duration: return "duration";
    case Shape::ratio: return "k/n";
    case Shape::names: return "list of texts";
    case Shape::name_or_names: return "text or list of texts";
    case Shape::texts_by_name: return "mapping of texts";
    case Shape::secrets_by_name: return "mapping of secrets";
    case Shape::secret: return "secret";
    case Shape::mapping: return "mapping";
    case Shape::any: return "any value";
    case Shape::section: return "mapping";
    case Shape::section_or_word: return "mapping or word";
    case Shape::sections: return "list of mappings";
    case Shape::sections_by_name: return "mapping by name";
    case Shape::assertions: return "list of assertions";
  }
  return "";
}

std::string bounds_text(const FileKey& key) {
  std::string text;
  for (const std::string_view word : key.words)
    text += (text.empty() ? ": `" : ", `") + std::string(word) + "`";
  const bool is_counted = key.shape == Shape::whole || key.shape == Shape::number;
  if (is_counted && key.most != INT64_MAX)
    text += ", " + std::to_string(key.least) + " to " + std::to_string(key.most);
  else if (is_counted && key.least > 0)
    text += " from " + std::to_string(key.least);
  return text;
}

}  // namespace

void write_key_schema(json::Writer& out, const FileKey& key) {
  out.key(key.name).begin_object();
  // Draft-07 validators ignore members next to a "$ref".
  if (key.shape != Shape::section) out.member("description", key.sentence);
  write_shape(out, key);
  out.end_object();
}

std::string suite_schema() {
  json::Writer out;
  out.begin_object()
      .member("$schema", "http://json-schema.org/draft-07/schema#")
      .member("title", "A suite of parley")
      .member("$comment", "Made by `parley schema` from the table that the reader uses.");
  out.key("anyOf").begin_array();
  for (const FileSection* section : {&sections::suite, &sections::included}) {
    out.begin_object().member("$ref", reference(*section)).end_object();
  }
  out.end_array().key("definitions").begin_object();
  for (const FileSection* section : file_sections()) {
    out.key(section->name);
    if (section == &sections::assertion) {
      write_assertion_schema(out);
      continue;
    }
    out.begin_object();
    write_section(out, *section);
    out.end_object();
  }
  out.end_object().end_object();
  return std::move(out).text();
}

std::string value_words(const FileKey& key) {
  return std::string(shape_word(key)) + bounds_text(key);
}

std::string suite_key_tables() {
  std::string text;
  for (const FileSection* section : file_sections()) {
    text += "### " + std::string(section->path) + "\n\n| key | value | meaning |\n|---|---|---|\n";
    for (const FileKey& key : section->keys) {
      text += "| `" + std::string(key.name) + "`" + (key.is_required ? " (required)" : "") + " | " +
              value_words(key) + " | " + std::string(key.sentence);
      if (!key.only_for.empty()) text += " For " + std::string(key.only_for) + ".";
      text += " |\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace parley::client
