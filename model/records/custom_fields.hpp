#pragma once
/// Custom fields of scenarios and tests (D20, D22): definitions and values are checked against each other, and defaults
/// fill in missing values. Pure functions; any thread.

#include "model/description/record_parse.hpp"
#include "model/records/scenario_configuration.hpp"

namespace parley {

/// Adds the faults of definitions that their description does not cover: a duplicate key, a key that no
/// `{{key}}` can name, a select without options, a default of the wrong type. `prefix` is the pointer of the
/// list.
void check_field_defs(const std::vector<FieldDef>& defs, const std::string& prefix, Findings& findings);

/// The values of one record and those that it inherits (a variant from its parent, a test from its scenario).
struct FieldValues {
  const json::Text& own;
  const json::Text& beneath;
};
/// Adds a fault for each unknown key, each value of the wrong type, and each required value that is neither
/// given nor has a default. A null counts as missing. `prefix` is the pointer of the values.
void check_fields(const FieldValues& values, const std::vector<FieldDef>& defs, const std::string& prefix,
                  Findings& findings);

/// A record's own values merged over inherited ones. A null does not count as a value.
[[nodiscard]] json::Text laid_over(const FieldValues& values);
/// The record's own values, with defaults for fields that neither they nor inherited values set.
[[nodiscard]] json::Text with_defaults(const FieldValues& values, const std::vector<FieldDef>& defs);

}  // namespace parley
