#pragma once
/// Writes the JSON Schema (2020-12, as in OpenAPI 3.1) of a described record, for its responses and its bodies. A
/// visitor lives for one record on one thread.

#include <string_view>
#include <type_traits>
#include <vector>

#include "model/description/record.hpp"
#include "model/json/json_writer.hpp"

namespace parley {

enum class SchemaMode : std::uint8_t { answer, create, patch };

class SchemaWriter {
 public:
  /// Needs: an open object in `out`, under the key `properties`.
  SchemaWriter(json::Writer& out, SchemaMode mode) : out_(out), mode_(mode) {}

  void stamp(const Stamp& /*stamp*/) {
    if (mode_ != SchemaMode::answer) return;
    text_property("id", {}, "Names the record.");
    text_property("createdAt", "date-time", "When it was made, UTC.");
    text_property("updatedAt", "date-time", "When it was changed last.");
  }

  template <class T>
  void field(std::string_view name, const T& member, const Rules& rules, std::string_view doc) {
    if (!is_shown(rules.access)) return;
    if (rules.required && mode_ == SchemaMode::create) required_.push_back(name);
    if (mode_ == SchemaMode::answer && rules.shown_if_null && rules.minimal) required_.push_back(name);
    out_.key(name).begin_object();
    if (!doc.empty()) out_.member("description", doc);
    const bool must_be_given = rules.required && mode_ == SchemaMode::create;
    if (mode_ == SchemaMode::answer || must_be_given) {
      type(member, rules);
    } else {
      or_null(member, rules);  // in a body, null equals leaving the field out (D5)
    }
    out_.end_object();
  }
  template <class T>
  void computed(std::string_view name, const T& value, std::string_view doc) {
    if (mode_ != SchemaMode::answer) return;
    required_.push_back(name);
    out_.key(name).begin_object().member("description", doc);
    type(value, Rules{});
    out_.end_object();
  }

  /// Names of the fields that are always in a response, or required in a body.
  [[nodiscard]] const std::vector<std::string_view>& required() const { return required_; }

 private:
  [[nodiscard]] bool is_shown(Access access) const {
    switch (mode_) {
      case SchemaMode::answer: return access != Access::internal;
      case SchemaMode::create: return access == Access::client || access == Access::create;
      case SchemaMode::patch: return access == Access::client;
    }
    return false;
  }
  void text_property(std::string_view name, std::string_view format, std::string_view doc) {
    required_.push_back(name);
    out_.key(name).begin_object().member("type", "string");
    if (!format.empty()) out_.member("format", format);
    out_.member("description", doc).end_object();
  }

  void type(const std::string& /*member*/, const Rules& rules) {
    if (mode_ != SchemaMode::answer && !rules.body_schema.empty()) return reference(rules.body_schema);
    out_.member("type", "string");
    if (mode_ != SchemaMode::answer && !rules.pattern.empty()) out_.member("pattern", rules.pattern);
    if (rules.never_empty) out_.key("minLength").integer(1);
    if (rules.chars_max != 0) out_.key("maxLength").integer(static_cast<std::int64_t>(rules.chars_max));
  }
  void type(const bool& /*member*/, const Rules& /*rules*/) { out_.member("type", "boolean"); }
  void type(const double& /*member*/, const Rules& /*rules*/) { out_.member("type", "number"); }
  void type(const std::int64_t& /*member*/, const Rules& rules) {
    out_.member("type", "integer");
    if (rules.least != INT64_MIN) out_.key("minimum").integer(rules.least);
    if (rules.most != INT64_MAX) out_.key("maximum").integer(rules.most);
  }
  void type(const Time& /*member*/, const Rules& /*rules*/) {
    out_.member("type", "string").member("format", "date-time");
  }
  void type(const json::Text& /*member*/, const Rules& rules) {
    const std::string_view named = mode_ == SchemaMode::answer ? rules.schema : rules.body_schema;
    if (rules.shape == Shape::array) {
      out_.member("type", "array");
      out_.key("items").begin_object();
      named.empty() ? object() : reference(named);
      out_.end_object();
    } else if (rules.shape == Shape::object) {
      named.empty() ? object() : reference(named);
    }
  }
  /// A JSON object with any content.
  void object() {
    out_.member("type", "object");
    out_.key("additionalProperties").boolean(true);
  }
  void reference(std::string_view schema) {
    out_.member("$ref", "#/components/schemas/" + std::string(schema));
  }
  void link() {
    if (mode_ != SchemaMode::answer) {
      out_.member("type", "string");
    } else {
      reference("Link");
    }
  }
  template <Worded E>
  void type(const E& /*member*/, const Rules& /*rules*/) {
    out_.member("type", "string");
    out_.key("enum").begin_array();
    for (const std::string_view word : Words<E>::all) out_.string(word);
    out_.end_array();
  }
  template <RecordKind K>
  void type(const Ref<K>& /*member*/, const Rules& /*rules*/) {
    link();
  }
  template <class T>
  void or_null(const T& member, const Rules& rules) {
    // A schema for any value already includes null.
    if (std::is_same_v<T, json::Text> && rules.shape == Shape::any) return;
    out_.key("anyOf").begin_array();
    out_.begin_object();
    type(member, rules);
    preset(member);
    out_.end_object();
    write_null();
    out_.end_array();
  }
  template <class T>
  void or_null(const std::optional<T>& /*member*/, const Rules& rules) {
    if (std::is_same_v<T, json::Text> && rules.shape == Shape::any) return;
    out_.key("anyOf").begin_array();
    out_.begin_object();
    type(T{}, rules);
    out_.end_object();
    write_null();
    out_.end_array();
  }
  void write_null() { out_.begin_object().member("type", "null").end_object(); }
  /// The value of the field in a new record if a body leaves it out: the default of the struct. It is written
  /// inside the alternative that is not null, because client generators treat a property with a default as
  /// required.
  template <class T>
  void preset(const T& member) {
    if (mode_ != SchemaMode::create) return;
    if constexpr (std::is_same_v<T, bool>) {
      out_.key("default").boolean(member);
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      out_.key("default").integer(member);
    } else if constexpr (Worded<T>) {
      out_.member("default", word_of(member));
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!member.empty()) out_.member("default", member);
    }
  }
  template <class T>
  void type(const std::optional<T>& member, const Rules& rules) {
    or_null(member, rules);
  }
  /// A body may contain one id instead of a list of one id (D8).
  template <RecordKind K>
  void type(const std::vector<Ref<K>>& /*member*/, const Rules& rules) {
    if (mode_ == SchemaMode::answer) return list(Ref<K>{}, rules);
    out_.key("anyOf").begin_array();
    out_.begin_object();
    list(Ref<K>{}, rules);
    out_.end_object();
    out_.begin_object();
    link();
    out_.end_object();
    out_.end_array();
  }
  template <class T>
  void type(const std::vector<T>& /*member*/, const Rules& rules) {
    list(T{}, rules);
  }
  template <class T>
  void list(const T& item, const Rules& rules) {
    out_.member("type", "array");
    if (rules.never_empty) out_.key("minItems").integer(1);
    if (rules.items_max != 0) out_.key("maxItems").integer(static_cast<std::int64_t>(rules.items_max));
    out_.key("items").begin_object();
    type(item, rules);
    out_.end_object();
  }
  template <Described T>
  void type(const T& member, const Rules& /*rules*/) {
    if constexpr (requires { T::body_schema; }) {
      if (mode_ != SchemaMode::answer) return reference(T::body_schema);
    }
    // A nested object in a PATCH replaces the old one as a whole, so it needs the same fields as in a POST.
    write(out_, member, mode_ == SchemaMode::patch ? SchemaMode::create : mode_);
  }

 public:
  /// The members of a schema object for `record`. Needs: an open object in `out`.
  template <Described T>
  static void write(json::Writer& out, const T& record, SchemaMode mode) {
    out.member("type", "object");
    out.key("properties").begin_object();
    SchemaWriter writer(out, mode);
    T::describe(record, writer);
    out.end_object();
    if (writer.required().empty()) return;
    out.key("required").begin_array();
    for (const std::string_view name : writer.required()) out.string(name);
    out.end_array();
  }

 private:
  json::Writer& out_;
  SchemaMode mode_;
  std::vector<std::string_view> required_;
};

}  // namespace parley
