#include "actors/base/case_fields.hpp"

#include "model/records/custom_fields.hpp"
#include "model/values/metadata.hpp"

namespace parley::actors {

json::Text test_values(const FieldSources& parts) {
  if (!parts.test) return {};
  const json::Text none;
  json::Text own = laid_over({parts.test->fields, parts.parent ? parts.parent->fields : none});
  if (!parts.configuration) return own;
  return with_defaults({own, parts.scenario ? parts.scenario->fields : none},
                       parts.configuration->test_fields);
}

json::Text scenario_values(const FieldSources& parts) {
  if (!parts.scenario) return {};
  const json::Text& own = parts.scenario->fields;
  return parts.configuration ? with_defaults({own, {}}, parts.configuration->scenario_fields) : own;
}

Expected<json::Text> load_field_values(const store::Snapshot& snapshot, const Id& test) {
  TRY(found, snapshot.find_listed<Test>(test));
  if (!found) return json::Text{};
  std::optional<Test> parent;
  if (const auto named = found->parent_test ? id_from_text(*found->parent_test) : std::nullopt) {
    TRY(record, snapshot.find_listed<Test>(*named));
    parent = std::move(record);
  }
  TRY(scenario, snapshot.find_listed<Scenario>(found->scenario.id));
  std::optional<ScenarioConfiguration> configuration;
  if (scenario && scenario->configuration) {
    TRY(record, snapshot.find_listed<ScenarioConfiguration>(scenario->configuration->id));
    configuration = std::move(record);
  }
  const std::optional<Test> itself = std::move(found);
  const FieldSources sources{itself, parent, scenario, configuration};
  return merged(scenario_values(sources), test_values(sources));
}

}  // namespace parley::actors
