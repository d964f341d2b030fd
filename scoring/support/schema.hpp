#pragma once
/// A subset of JSON Schema (2020-12): the usual checks of bodies and arguments. Keywords that could make a
/// check slow or that refer to other places ($ref, dynamic anchors, uniqueItems) are not supported and are
/// rejected. Several threads may use a Schema at once.
///
///   type (one or a list), enum, const; properties, required, additionalProperties, minProperties, maxProperties;
///   items, minItems, maxItems; minLength, maxLength, pattern (RE2); minimum, maximum, exclusiveMinimum,
///   exclusiveMaximum; allOf, anyOf, oneOf, not. Annotations (title, description, default, examples, deprecated,
///   $schema, $id, $comment, format) have no effect.

#include <memory>
#include <optional>
#include <string>

#include "model/description/record_parse.hpp"
#include "scoring/support/work.hpp"

namespace parley::scoring {

/// Adds a fault for each keyword that is unknown, not supported or has an invalid value. `schema` may be any
/// value, but only objects and booleans are valid schemas.
void check_schema(const json::Value& schema, const std::string& pointer, Findings& findings);

/// Where and why a value violates the schema.
struct Violation {
  std::string pointer;  ///< position in the value
  std::string detail;   ///< as in `must be a string`
};

class Schema {
 public:
  /// Needs: a schema without faults that outlives this object.
  explicit Schema(const json::Value& schema);
  ~Schema();
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;

  /// The first violation; nullopt if the value satisfies the schema. If the work runs out, a pattern counts as
  /// satisfied: an assertion that exhausts its work has no verdict.
  [[nodiscard]] std::optional<Violation> violation_of(const json::Value& value, Work& work) const;

 private:
  struct Patterns;
  json::Value root_;
  std::unique_ptr<Patterns> patterns_;  ///< compiled once, by text
};

}  // namespace parley::scoring
