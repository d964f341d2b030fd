// Scenario configurations (D20): the definitions of custom fields must be consistent.

#include "http/handlers/record_operations.hpp"
#include "model/records/custom_fields.hpp"

namespace parley::http {

template <>
struct Specials<ScenarioConfiguration> : NoSpecials<ScenarioConfiguration> {
  static void check(const ScenarioConfiguration& made, const ScenarioConfiguration* /*before*/,
                    const Draft& /*draft*/, Findings& findings) {
    check_field_defs(made.scenario_fields, "/scenarioFields", findings);
    check_field_defs(made.test_fields, "/testFields", findings);
  }
};

template struct RecordOperations<ScenarioConfiguration>;

}  // namespace parley::http
