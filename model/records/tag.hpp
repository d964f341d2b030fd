#pragma once
/// Tags (D20). A smart tag has a rule and is added to external conversation logs automatically when they are
/// created.

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley {

enum class TagMatch : std::uint8_t { any, all };
template <>
struct Words<TagMatch> {
  static constexpr std::array<std::string_view, 2> all{"any", "all"};
};

enum class TagField : std::uint8_t { content, description, external_source, metadata };
template <>
struct Words<TagField> {
  static constexpr std::array<std::string_view, 4> all{"content", "description", "externalSource",
                                                       "metadata"};
};

enum class TagOp : std::uint8_t { contains, equals, regex, exists };
template <>
struct Words<TagOp> {
  static constexpr std::array<std::string_view, 4> all{"contains", "equals", "regex", "exists"};
};

/// One condition on a log. `pointer` (RFC 6901) refers into metadata.
struct TagCondition {
  TagField field = TagField::content;
  std::optional<std::string> pointer;
  TagOp op = TagOp::contains;
  std::optional<json::Text> value;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("field", self.field, Rules{.required = true},
            "content, description, externalSource or metadata.");
    v.field("pointer", self.pointer, Rules{.chars_max = limits::name_chars_max, .shown_if_null = false},
            "Where in the metadata (RFC 6901).");
    v.field("op", self.op, Rules{.required = true}, "contains, equals, regex (RE2) or exists.");
    v.field("value", self.value,
            Rules{.bytes_max = limits::criteria_bytes_max, .shape = Shape::any, .shown_if_null = false},
            "The value to compare with. For exists: no value, or false to test for absence.");
  }
  bool operator==(const TagCondition&) const = default;
};

struct TagRule {
  TagMatch match = TagMatch::any;
  std::vector<TagCondition> conditions;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("match", self.match, Rules{}, "Whether any or all conditions must hold.");
    v.field("conditions", self.conditions, Rules{.required = true, .items_max = 100, .never_empty = true},
            "What to look for.");
  }
  bool operator==(const TagRule&) const = default;
};

struct Tag {
  Stamp stamp;
  std::string name;
  std::string color;
  bool is_smart = false;
  std::optional<TagRule> rule;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::tag;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the tag.");
    v.field("color", self.color, Rules{.chars_max = 64}, "How it is shown.");
    v.field("isSmart", self.is_smart, Rules{}, "Whether the rule adds the tag to new logs automatically.");
    v.field("rule", self.rule, Rules{}, "The rule of a smart tag.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
  }
};

}  // namespace parley
