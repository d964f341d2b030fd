#pragma once
/// Scenario configurations (D20, D22): which custom fields scenarios and their tests have.

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/applied.hpp"

namespace parley {

enum class FieldType : std::uint8_t { string, number, boolean, select };
template <>
struct Words<FieldType> {
  static constexpr std::array<std::string_view, 4> all{"string", "number", "boolean", "select"};
};

/// Keys that a `{{key}}` can name, as checked by can_be_named() in custom_fields.cpp.
inline constexpr std::string_view field_key_pattern = R"(^[^{} \t]([^{}]*[^{} \t])?$)";

struct FieldDef {
  std::string key;
  std::string label;
  FieldType type = FieldType::string;
  std::optional<std::vector<std::string>> options;
  bool is_required = false;
  std::optional<json::Text> default_value;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("key", self.key,
            Rules{.required = true, .chars_max = 64, .never_empty = true, .pattern = field_key_pattern},
            "Name of the field, as in {{key}}; without braces, and without a blank at either end.");
    v.field("label", self.label, Rules{.chars_max = limits::name_chars_max},
            "The display name of the field.");
    v.field("type", self.type, Rules{.required = true}, "string, number, boolean or select.");
    v.field(
        "options", self.options,
        Rules{.chars_max = limits::name_chars_max, .items_max = limits::links_max, .shown_if_null = false},
        "The values of a select.");
    v.field("required", self.is_required, Rules{}, "Whether a value is required if there is no default.");
    v.field("default", self.default_value,
            Rules{.bytes_max = limits::criteria_bytes_max, .shape = Shape::any, .shown_if_null = false},
            "Used if a value is missing.");
  }
  bool operator==(const FieldDef&) const = default;
};

struct ScenarioConfiguration {
  Stamp stamp;
  std::string name;
  std::vector<FieldDef> scenario_fields;
  std::vector<FieldDef> test_fields;
  bool is_archived = false;
  Applied applied;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::scenario_configuration;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max},
            "The display name of the configuration.");
    v.field("scenarioFields", self.scenario_fields, Rules{.items_max = limits::links_max},
            "Fields of the scenarios that use it.");
    v.field("testFields", self.test_fields, Rules{.items_max = limits::links_max}, "Fields of their tests.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    describe_applied(self.applied, v);
  }
};

}  // namespace parley
