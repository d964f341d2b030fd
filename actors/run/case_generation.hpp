#pragma once
/// Creates the case of a test: the tester's instruction and the assertions, composed with the parent (D41)
/// and with the custom fields filled in (D22). Used by the launch of a run and by POST /test-results/. Pure
/// except for reading a snapshot; any thread.

#include "model/records/external_log.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/test.hpp"
#include "model/records/test_result.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// The parts of a case, as far as they exist.
struct CaseParts {
  std::optional<Test> test;
  std::optional<Test> parent;  ///< the parent of a variant
  std::optional<Scenario> scenario;
  std::optional<ScenarioConfiguration> configuration;
  /// Logs to play again: the client's, the test's and its parent's, in this order. The result names the first
  /// one.
  std::vector<ExternalLog> logs;
};

/// A client's replacements for the test's own texts (D32).
struct CaseOverride {
  std::optional<std::string> instruction;
  /// Replaces the assertions of the test, or of a variant's parent; empty: nothing is replaced.
  std::vector<Assertion> assertions;
};

/// Reads the records of the test, or of the scenario alone if there is no test. Problem: internal for a
/// damaged record.
[[nodiscard]] Expected<CaseParts> load_parts(const store::Snapshot& snapshot, std::optional<Test> test,
                                             const std::optional<Id>& scenario);

/// The first log that the agent may not re-run, valid while the parts exist; null if it may re-run all of
/// them. Naming another log grants no access, because the turns of the test's log are played anyway.
[[nodiscard]] const ExternalLog* log_closed_to(const CaseParts& parts, const Id& agent);

/// The error text for an agent that may not re-run the log.
[[nodiscard]] std::string closed_log_detail(const ExternalLog& log);

/// The error text for a test for which compose_case creates no case.
inline constexpr std::string_view too_much_put_in =
    "puts more than 4 MiB of field values into its assertions";

/// The fields are the test's and the scenario's values (a variant's override its parent's), then the
/// configuration's defaults. nullopt if they are larger than the room in the assertions
/// (limits::field_texts_bytes_max). The caller must refuse an instruction beyond
/// limits::instruction_bytes_max; not all of its fields are filled in.
[[nodiscard]] std::optional<TestCase> compose_case(const CaseParts& parts, const CaseOverride& instead);

/// load_parts and compose_case for the stored test.
[[nodiscard]] Expected<std::optional<TestCase>> generate_case(const store::Snapshot& snapshot,
                                                              const Test& test);

}  // namespace parley::actors
