// Scenarios: who created them, and who sees them in lists (D21).

#include "http/handlers/record_operations.hpp"
#include "model/records/custom_fields.hpp"

namespace parley::http {

template <>
struct Specials<Scenario> : NoSpecials<Scenario> {
  static void complete(Scenario& scenario, const Draft& draft) {
    scenario.created_by = Ref<RecordKind::user>{draft.call.principal.user};
  }
  /// If neither values nor configuration change, the values may still follow an older configuration.
  static void check(const Scenario& scenario, const Scenario* before, const Draft& draft,
                    Findings& findings) {
    const bool is_asked =
        before == nullptr || gives(draft.body, "fields") || gives(draft.body, "configuration");
    if (!is_asked || !scenario.configuration) return;
    const auto found = draft.snapshot.find<ScenarioConfiguration>(scenario.configuration->id);
    if (found.ok() && *found)
      check_fields({scenario.fields, {}}, (*found)->scenario_fields, "/fields", findings);
  }
  static void filter(QueryReader& reader, const RequestContext& call, store::ListQuery& query) {
    add_filter(query, store::Facet::visible, {store::nil_value, store::value_of(call.principal.user)});
    filter_by_id(reader, query, "folder", RecordKind::folder, store::Facet::folder);
    filter_by_id(reader, query, "createdBy", RecordKind::user, store::Facet::created_by);
  }
};

template struct RecordOperations<Scenario>;

}  // namespace parley::http
