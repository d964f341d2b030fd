#pragma once
/// Custom fields of scenarios and tests (D20, D22): definitions and values checked against each other, defaults laid
/// under values. Pure functions; any thread.

#include "model/description/record_parse.hpp"
#include "model/records/scenario_configuration.hpp"

namespace parley {

/// Adds the faults of definitions beyond their description: a key twice, a key that no `{{key}}` can name, a select
/// without options, a default of another type. `prefix` points at the list.
void check_field_defs(const std::vector<FieldDef>& defs, const std::string& prefix, Findings& findings);

/// Values of one record, and those that apply if it has none (a variant's parent's, a test's scenario's).
struct FieldValues {
  const json::Text& own;
  const json::Text& beneath;
};
/// Adds a fault for each unknown key, each value of another type, and each required value that neither is given nor has
/// a default. A null counts as missing. `prefix` points at the values.
void check_fields(const FieldValues& values, const std::vector<FieldDef>& defs, const std::string& prefix,
                  Findings& findings);

/// A record's own values override those beneath. A null does not count as a value.
[[nodiscard]] json::Text laid_over(const FieldValues& values);
/// The own values with the defaults for what neither they nor those beneath give.
[[nodiscard]] json::Text with_defaults(const FieldValues& values, const std::vector<FieldDef>& defs);

}  // namespace parley
