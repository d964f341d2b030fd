#pragma once
/// The values of a case's custom fields: a variant's values override its parent's, and the configuration's
/// defaults fill the rest (D22). Pure except for reading a snapshot; any thread.

#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/test.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// The records that provide values, as far as they exist.
struct FieldSources {
  const std::optional<Test>& test;
  const std::optional<Test>& parent;  ///< the parent of a variant
  const std::optional<Scenario>& scenario;
  const std::optional<ScenarioConfiguration>& configuration;
};

/// A test's default applies if neither the test nor the scenario gives a value.
[[nodiscard]] json::Text test_values(const FieldSources& parts);
[[nodiscard]] json::Text scenario_values(const FieldSources& parts);

/// The test's values merged over its scenario's, as currently stored; {} if the test does not exist.
[[nodiscard]] Expected<json::Text> load_field_values(const store::Snapshot& snapshot, const Id& test);

}  // namespace parley::actors
