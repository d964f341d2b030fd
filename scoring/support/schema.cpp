#include "scoring/support/schema.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "model/json/json_number.hpp"
#include "model/pattern/pattern.hpp"
#include "scoring/support/arguments.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

enum class Takes : std::uint8_t {
  annotation,
  type,
  any,
  values,
  schema,
  schemas,
  members,
  names,
  count,
  number,
  pattern
};

struct Keyword {
  std::string_view name;
  Takes takes;
};

constexpr std::array keywords{
    Keyword{"$comment", Takes::annotation},
    Keyword{"$id", Takes::annotation},
    Keyword{"$schema", Takes::annotation},
    Keyword{"additionalProperties", Takes::schema},
    Keyword{"allOf", Takes::schemas},
    Keyword{"anyOf", Takes::schemas},
    Keyword{"const", Takes::any},
    Keyword{"default", Takes::annotation},
    Keyword{"deprecated", Takes::annotation},
    Keyword{"description", Takes::annotation},
    Keyword{"enum", Takes::values},
    Keyword{"examples", Takes::annotation},
    Keyword{"exclusiveMaximum", Takes::number},
    Keyword{"exclusiveMinimum", Takes::number},
    Keyword{"format", Takes::annotation},
    Keyword{"items", Takes::schema},
    Keyword{"maxItems", Takes::count},
    Keyword{"maxLength", Takes::count},
    Keyword{"maxProperties", Takes::count},
    Keyword{"maximum", Takes::number},
    Keyword{"minItems", Takes::count},
    Keyword{"minLength", Takes::count},
    Keyword{"minProperties", Takes::count},
    Keyword{"minimum", Takes::number},
    Keyword{"not", Takes::schema},
    Keyword{"oneOf", Takes::schemas},
    Keyword{"pattern", Takes::pattern},
    Keyword{"properties", Takes::members},
    Keyword{"required", Takes::names},
    Keyword{"title", Takes::annotation},
    Keyword{"type", Takes::type},
};

constexpr std::array<std::string_view, 7> type_names{"string", "number", "integer", "boolean",
                                                     "array",  "object", "null"};
constexpr std::string_view types_text = "string, number, integer, boolean, array, object or null";

auto keyword_of(std::string_view name) {
  return std::find_if(keywords.begin(), keywords.end(), [&](const Keyword& row) { return row.name == name; });
}

bool is_type_name(const json::Value& value) {
  return value.is(json::Kind::string) &&
         std::find(type_names.begin(), type_names.end(), value.string()) != type_names.end();
}

std::string member_at(const std::string& pointer, std::string_view name) {
  return pointer + "/" + json::pointer_token(name);
}

void check_each(const json::Value& list, const std::string& pointer, Findings& findings,
                const std::function<void(const json::Value&, const std::string&)>& check) {
  if (!list.is(json::Kind::array) || list.size() == 0)
    return findings.add(pointer, "must be a list with items");
  std::size_t index = 0;
  for (const json::Value& item : list.children()) check(item, pointer + "/" + std::to_string(index++));
}

void check_type_word(const json::Value& value, const std::string& pointer, Findings& findings) {
  if (!is_type_name(value)) findings.add(pointer, "must be one of " + std::string(types_text));
}

void check_keyword(const json::Value& value, Takes takes, const std::string& pointer, Findings& findings) {
  const auto nested = [&](const json::Value& item, const std::string& at) {
    check_schema(item, at, findings);
  };
  switch (takes) {
    case Takes::annotation:
    case Takes::any: return;
    case Takes::type:
      if (!value.is(json::Kind::array)) return check_type_word(value, pointer, findings);
      return check_each(value, pointer, findings, [&](const json::Value& item, const std::string& at) {
        check_type_word(item, at, findings);
      });
    case Takes::values: return check_each(value, pointer, findings, [](const auto&, const auto&) {});
    case Takes::schema: return check_schema(value, pointer, findings);
    case Takes::schemas: return check_each(value, pointer, findings, nested);
    case Takes::members:
      if (!value.is(json::Kind::object)) return findings.add(pointer, "must be an object");
      for (const json::Value& member : value.children()) nested(member, member_at(pointer, member.key()));
      return;
    case Takes::names:
      if (value.is(json::Kind::array) && value.size() == 0) return;
      return check_each(value, pointer, findings, [&](const json::Value& item, const std::string& at) {
        if (!item.is(json::Kind::string)) findings.add(at, "must be a string");
      });
    case Takes::count:
      if (!value.is(json::Kind::number) || value.integer().value_or(-1) < 0)
        findings.add(pointer, "must be a whole number of at least 0");
      return;
    case Takes::number:
      if (!value.is(json::Kind::number)) findings.add(pointer, "must be a number");
      return;
    case Takes::pattern:
      if (!value.is(json::Kind::string)) return findings.add(pointer, "must be a string");
      if (const auto measure = findings.patterns.measure(value.string()); !measure.fault.empty())
        findings.add(pointer, measure.fault);
      return;
  }
}

bool is_of_type(const json::Value& value, std::string_view type) {
  switch (value.kind()) {
    case json::Kind::null: return type == "null";
    case json::Kind::boolean: return type == "boolean";
    case json::Kind::number:
      return type == "number" || (type == "integer" && json::is_whole_number(value.raw()));
    case json::Kind::string: return type == "string";
    case json::Kind::array: return type == "array";
    case json::Kind::object: return type == "object";
  }
  return false;
}

}  // namespace

void check_schema(const json::Value& schema, const std::string& pointer, Findings& findings) {
  if (schema.is(json::Kind::boolean)) return;
  if (!schema.is(json::Kind::object))
    return findings.add(pointer, "must be a schema: an object or a boolean");
  for (const json::Value& member : schema.children()) {
    const auto keyword = keyword_of(member.key());
    const std::string at = member_at(pointer, member.key());
    if (keyword == keywords.end()) {
      findings.add(at, "is not a supported schema keyword");
    } else {
      check_keyword(member, keyword->takes, at, findings);
    }
  }
}

struct Schema::Patterns {
  std::map<std::string, Pattern, std::less<>> compiled;
};

namespace {

using Compiled = std::map<std::string, Pattern, std::less<>>;

/// Checks one value against one schema. Each pair of schema and value is checked once, so the work is bounded
/// by the product of their sizes, and the depth by that of JSON texts.
class Walk {
 public:
  Walk(Compiled& patterns, Work& work) : patterns_(patterns), work_(work) {}

  std::optional<Violation> violation(const json::Value& schema, const json::Value& value,
                                     const std::string& at) {
    if (schema.is(json::Kind::boolean))
      return schema.boolean() ? std::nullopt : std::optional(Violation{at, "must not be there"});
    for (const json::Value& keyword : schema.children()) {
      auto found = by_keyword(schema, keyword, value, at);
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Violation> by_keyword(const json::Value& schema, const json::Value& keyword,
                                      const json::Value& value, const std::string& at) {
    const std::string_view name = keyword.key();
    if (auto found = of_any(name, keyword, value, at)) return found;
    if (auto found = of_several(name, keyword, value, at)) return found;
    switch (value.kind()) {
      case json::Kind::number: return of_number(name, keyword, value, at);
      case json::Kind::string: return of_string(name, keyword, value, at);
      case json::Kind::array: return of_array(name, keyword, value, at);
      case json::Kind::object: return of_object(schema, keyword, value, at);
      case json::Kind::null:
      case json::Kind::boolean: return std::nullopt;
    }
    return std::nullopt;
  }

  static std::optional<Violation> of_any(std::string_view name, const json::Value& keyword,
                                         const json::Value& value, const std::string& at) {
    if (name == "type") {
      const auto is_it = [&](const json::Value& type) { return is_of_type(value, type.string()); };
      const auto types = keyword.is(json::Kind::array) ? keyword.children() : std::vector{keyword};
      if (std::none_of(types.begin(), types.end(), is_it))
        return Violation{at, "must be of type " + shown(keyword)};
    }
    if (name == "const" && !json::equal(keyword, value)) return Violation{at, "must be " + shown(keyword)};
    if (name == "enum") {
      const auto values = keyword.children();
      const auto is_it = [&](const json::Value& one) { return json::equal(one, value); };
      if (std::none_of(values.begin(), values.end(), is_it))
        return Violation{at, "must be one of " + shown(keyword)};
    }
    return std::nullopt;
  }

  std::optional<Violation> of_several(std::string_view name, const json::Value& keyword,
                                      const json::Value& value, const std::string& at) {
    if (name == "not" && !violation(keyword, value, at))
      return Violation{at, "must not match the schema in `not`"};
    if (name != "allOf" && name != "anyOf" && name != "oneOf") return std::nullopt;
    std::size_t satisfied = 0;
    std::optional<Violation> last;
    for (const json::Value& schema : keyword.children()) {
      auto found = violation(schema, value, at);
      if (!found) ++satisfied;
      if (found) last = std::move(found);
    }
    if (name == "allOf") return last;
    if (name == "anyOf" && satisfied == 0) return Violation{at, "matches none of the schemas in `anyOf`"};
    if (name == "oneOf" && satisfied != 1)
      return Violation{
          at, "matches " + std::to_string(satisfied) + " of the schemas in `oneOf`, not exactly one"};
    return std::nullopt;
  }

  static std::optional<Violation> of_number(std::string_view name, const json::Value& keyword,
                                            const json::Value& value, const std::string& at) {
    const auto below = [](const json::Value& a, const json::Value& b) { return is_less(a, b); };
    if (name == "minimum" && below(value, keyword))
      return Violation{at, "must be at least " + shown(keyword)};
    if (name == "maximum" && below(keyword, value)) return Violation{at, "must be at most " + shown(keyword)};
    if (name == "exclusiveMinimum" && !below(keyword, value))
      return Violation{at, "must be above " + shown(keyword)};
    if (name == "exclusiveMaximum" && !below(value, keyword))
      return Violation{at, "must be below " + shown(keyword)};
    return std::nullopt;
  }

  std::optional<Violation> of_string(std::string_view name, const json::Value& keyword,
                                     const json::Value& value, const std::string& at) const {
    if (name == "minLength" || name == "maxLength")
      return of_size(name, keyword, chars_in(value.string()), at, "character");
    if (name != "pattern") return std::nullopt;
    if (work_.matches(patterns_.find(keyword.string())->second, value.string())) return std::nullopt;
    return Violation{at, "must match " + shown(keyword)};
  }

  std::optional<Violation> of_array(std::string_view name, const json::Value& keyword,
                                    const json::Value& value, const std::string& at) {
    if (name == "minItems" || name == "maxItems") return of_size(name, keyword, value.size(), at, "item");
    if (name != "items") return std::nullopt;
    std::size_t index = 0;
    for (const json::Value& item : value.children()) {
      auto found = violation(keyword, item, at + "/" + std::to_string(index++));
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Violation> of_object(const json::Value& schema, const json::Value& keyword,
                                     const json::Value& value, const std::string& at) {
    const std::string_view name = keyword.key();
    if (name == "minProperties" || name == "maxProperties")
      return of_size(name, keyword, value.size(), at, "member");
    if (name == "required") {
      for (const json::Value& needed : keyword.children()) {
        if (!value.find(needed.string())) return Violation{member_at(at, needed.string()), "is required"};
      }
    }
    if (name == "properties") {
      for (const json::Value& property : keyword.children()) {
        const auto member = value.find(property.key());
        auto found = member ? violation(property, *member, member_at(at, property.key())) : std::nullopt;
        if (found) return found;
      }
    }
    if (name != "additionalProperties") return std::nullopt;
    const auto properties = schema.find("properties");
    for (const json::Value& member : value.children()) {
      if (properties && properties->find(member.key())) continue;
      auto found = violation(keyword, member, member_at(at, member.key()));
      if (found) return found;
    }
    return std::nullopt;
  }

  static std::optional<Violation> of_size(std::string_view name, const json::Value& keyword, std::size_t size,
                                          const std::string& at, std::string_view noun) {
    const auto bound = static_cast<std::size_t>(keyword.integer().value_or(0));
    if (name.starts_with("min") && size < bound)
      return Violation{at, "must have at least " + counted(bound, noun)};
    if (name.starts_with("max") && size > bound)
      return Violation{at, "must have at most " + counted(bound, noun)};
    return std::nullopt;
  }

  static std::string shown(const json::Value& value) { return shortened(value.raw()); }

  Compiled& patterns_;
  Work& work_;
};

/// Compiles only the patterns that check_schema treats as patterns.
void compile_patterns(const json::Value& schema, Compiled& patterns) {
  if (!schema.is(json::Kind::object)) return;
  for (const json::Value& member : schema.children()) {
    const auto keyword = keyword_of(member.key());
    if (keyword == keywords.end()) continue;
    if (keyword->takes == Takes::schema) compile_patterns(member, patterns);
    if (keyword->takes == Takes::schemas || keyword->takes == Takes::members) {
      for (const json::Value& child : member.children()) compile_patterns(child, patterns);
    }
    if (keyword->takes != Takes::pattern || patterns.contains(member.string())) continue;
    auto pattern = Pattern::compile(member.string());
    if (pattern.ok()) patterns.emplace(member.string(), std::move(pattern).value());
  }
}

}  // namespace

Schema::Schema(const json::Value& schema) : root_(schema), patterns_(std::make_unique<Patterns>()) {
  compile_patterns(schema, patterns_->compiled);
}
Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

std::optional<Violation> Schema::violation_of(const json::Value& value, Work& work) const {
  return Walk(patterns_->compiled, work).violation(root_, value, "");
}

}  // namespace parley::scoring
