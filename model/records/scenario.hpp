#pragma once
/// Scenarios: a group of tests with the agents that may be used and the values of custom fields.

#include <algorithm>

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/applied.hpp"

namespace parley {

struct Scenario {
  Stamp stamp;
  std::string name;
  std::string description;
  bool is_archived = false;
  Links<RecordKind::agent> agents;
  Links<RecordKind::folder> folders;
  std::optional<Ref<RecordKind::scenario_configuration>> configuration;
  json::Text fields;
  json::Text baselines;  ///< maps agent ids to run ids
  std::optional<Ref<RecordKind::user>> created_by;
  Applied applied;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::scenario;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max},
            "The display name of the scenario.");
    v.field("description", self.description, Rules{.bytes_max = limits::description_bytes_max},
            "What it is about.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("agents", self.agents, Rules{.items_max = limits::links_max},
            "If set, only these agents can be used.");
    v.field("folders", self.folders, Rules{.items_max = limits::links_max},
            "Folders the scenario belongs to.");
    v.field("configuration", self.configuration, Rules{}, "Defines the custom fields.");
    v.field("fields", self.fields, Rules{.bytes_max = limits::record_json_bytes_max},
            "Values of the scenario's custom fields.");
    v.field("baselines", self.baselines, Rules{.bytes_max = limits::record_json_bytes_max},
            "For each agent, by id, the id of the run that later runs are compared with.");
    v.field("createdBy", self.created_by, Rules{.access = Access::service}, "Who created it.");
    describe_applied(self.applied, v);
  }
};

/// Whether the scenario names no agents, or names this one.
[[nodiscard]] inline bool allows_agent(const Scenario& scenario, const Id& agent) {
  return scenario.agents.empty() || std::any_of(scenario.agents.begin(), scenario.agents.end(),
                                                [&](const auto& each) { return each.id == agent; });
}

}  // namespace parley
