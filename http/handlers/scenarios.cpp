// Scenarios: who created them, and which users see them in lists (D21).

#include "http/handlers/record_operations.hpp"
#include "model/records/custom_fields.hpp"
#include "model/records/run.hpp"

namespace parley::http {
namespace {

/// Each key must be the id of an agent, and its value a run of that agent in this scenario.
void check_baselines(const Scenario& scenario, const store::Snapshot& snapshot, Findings& findings) {
  const auto document = json::parse(scenario.baselines.text);
  if (!document || !document->root().is(json::Kind::object))
    return findings.add("/baselines", "must be an object");
  for (const json::Value& member : document->root().children()) {
    const std::string pointer = "/baselines/" + json::pointer_token(member.key());
    const auto agent = id_from_text(member.key());
    const auto id = member.is(json::Kind::string) ? id_from_text(member.string()) : std::nullopt;
    const auto run = id ? snapshot.find<Run>(*id) : Expected<std::optional<Run>>(std::nullopt);
    const bool fits =
        run.ok() && *run && agent && (*run)->agent.id == *agent && (*run)->scenario.id == scenario.stamp.id;
    if (!fits) findings.add(pointer, "must name a run of this agent and scenario, under the agent's id");
  }
}

}  // namespace

template <>
struct Specials<Scenario> : NoSpecials<Scenario> {
  static void complete(Scenario& scenario, const Draft& draft) {
    scenario.created_by = Ref<RecordKind::user>{draft.call.principal.user};
  }
  /// Checked even if values and configuration are sent unchanged: the values may match only an older configuration.
  static void check(const Scenario& scenario, const Scenario* before, const Draft& draft,
                    Findings& findings) {
    if (gives(draft.body, "baselines")) check_baselines(scenario, draft.snapshot, findings);
    const bool is_asked =
        before == nullptr || gives(draft.body, "fields") || gives(draft.body, "configuration");
    if (!is_asked || !scenario.configuration) return;
    const auto found = draft.snapshot.find<ScenarioConfiguration>(scenario.configuration->id);
    if (found.ok() && *found)
      check_fields({scenario.fields, {}}, (*found)->scenario_fields, "/fields", findings);
  }
  static void filter(QueryReader& reader, const RequestContext& call, store::ListQuery& query) {
    const auto creator = reader.id("createdBy", RecordKind::user);
    if (creator) add_filter(query, store::Facet::created_by, {store::value_of(*creator)});
    const bool has_project = filter_by_project(reader, query);
    // A project's scenarios belong to its files, so every user who names the project sees them (D110). An admin who
    // filters by a user sees all of that user's scenarios, including unfiled ones (D102).
    if (!has_project && (!creator || !call.principal.is_admin()))
      add_filter(query, store::Facet::visible, {store::nil_value, store::value_of(call.principal.user)});
    filter_by_id(reader, query, "folder", RecordKind::folder, store::Facet::folder);
  }
};

template struct RecordOperations<Scenario>;

}  // namespace parley::http
