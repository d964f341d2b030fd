#pragma once
/// Readers for the parts of a suite file, which fill the compiled suite step by step. Each function adds its faults
/// to the sources and continues with the rest. One thread.

#include <map>

#include "client/files/suite_sources.hpp"
#include "client/suite/compiled_suite.hpp"
#include "client/suite/suite_assertions.hpp"
#include "model/records/scenario_configuration.hpp"

namespace parley::client {

/// A named part of a suite file, such as an agent.
struct Named {
  std::string name;
  View value;
  source::Place place;  ///< place of the name
};
/// Reads the named parts of the root file and of included files, in order. A duplicate name is a fault with both places.
[[nodiscard]] std::vector<Named> named_in(SuiteSources& sources, const std::vector<View>& files,
                                          std::string_view key);

/// Reads `tester` or `judge`.
[[nodiscard]] ModelSettings read_model(SuiteSources& sources, const View& value,
                                       std::vector<std::string>& secrets);
[[nodiscard]] GateSettings read_gate(const View& value);
[[nodiscard]] CompiledAgent read_agent(SuiteSources& sources, const Named& named,
                                       std::vector<std::string>& secrets);
/// Adds the faults that the service would report for the agent. Checks nothing if the agent already has an error.
void check_agent(SuiteSources& sources, const View& value, const CompiledAgent& agent,
                 const AgentCheck& check);
[[nodiscard]] CompiledPersona read_persona(SuiteSources& sources, const Named& named);

/// Reads the definitions of `fields`.
[[nodiscard]] std::vector<FieldDef> read_fields(SuiteSources& sources, const View& value);
/// Field values as a JSON object, and where they were written.
struct GivenFields {
  const std::string& json;
  View given;           ///< the mapping in the file; absent: the values are elsewhere
  source::Place place;  ///< for faults that do not concern a member
};
void check_field_values(SuiteSources& sources, const std::vector<FieldDef>& fields,
                        const GivenFields& values);

/// The text of a test before defaults, variants and data are applied.
struct TestText {
  std::string instruction;
  bool is_script = false;
  bool is_given = false;
};
/// Reads `script` or `goal`, checks it as the tester would, and puts `max turns:` before it.
[[nodiscard]] TestText read_text(SuiteSources& sources, const View& test,
                                 std::optional<std::int64_t> max_turns);

/// A row of `data`.
struct DataRow {
  std::string key;     ///< value of the key column, or the row number
  std::string fields;  ///< a JSON object
  source::Place place;
};
[[nodiscard]] std::vector<DataRow> read_data(SuiteSources& sources, const View& data);

/// A record of the apply document, before it is written.
struct TestRecord {
  CompiledTest compiled;
  SuiteAssertions assertions;  ///< composed
  SuiteAssertions own;         ///< the content of the record; for a variant the overlay
  std::string own_instruction;
  std::string description;
  std::string metadata = "{}";
  std::string history;            ///< a JSON list; empty: none
  std::size_t parent = SIZE_MAX;  ///< index of the parent record; SIZE_MAX: no parent
  bool is_played = true;          ///< false: combinations of fields are played instead
  bool is_only_included = false;  ///< true: made by `matrix.include`, and played only with its `fields`
};

/// A scenario that is being read.
struct ScenarioPart {
  CompiledScenario compiled;
  std::string description;
  std::vector<FieldDef> fields;
  std::vector<View> tests;
};

/// What all tests of a suite share.
struct TestContext {
  View defaults;
  View matrix;
  std::int64_t repeat = 1;
  const std::vector<CompiledPersona>& personas;
  std::filesystem::path folder;
  const std::function<bool(const CompiledTest&)>& ignores_snapshot;  ///< as in LoadOptions
};
/// Returns all records of the scenario's tests in file order: each test, its variants and its rows.
[[nodiscard]] std::vector<TestRecord> read_tests(SuiteSources& sources, ScenarioPart& scenario,
                                                 const TestContext& context);

/// Values of fields that make a variant of a test.
struct FieldCombination {
  std::string name;
  std::string values;   ///< a JSON object
  View given;           ///< as in GivenFields
  source::Place place;  ///< for faults
};
/// Returns the combinations of `matrix.fields`; nullopt: more than 1000.
[[nodiscard]] std::optional<std::vector<FieldCombination>> field_combinations(const View& matrix);
/// Needs: a mapping, the `fields` in an entry of `matrix.include`.
[[nodiscard]] FieldCombination included_combination(const View& fields);
/// Whether the test has the values in `fields`, a mapping in the file; absent: true.
[[nodiscard]] bool has_fields(const CompiledTest& test, const View& fields);
/// Fills the cells of the suite, and adds faults of `matrix`.
void read_cells(SuiteSources& sources, const View& root, const std::vector<TestRecord>& records,
                CompiledSuite& suite);

/// Warns about constructs that are allowed but probably a mistake.
void add_warnings(SuiteSources& sources, const View& root, const std::vector<Named>& agents,
                  const std::vector<Named>& personas, const std::vector<ScenarioPart>& scenarios,
                  const std::vector<TestRecord>& records, const CompiledSuite& suite);

/// Writes the body of POST /apply, and records the places of its parts.
void write_apply_document(const View& root, const std::vector<ScenarioPart>& scenarios,
                          const std::vector<TestRecord>& records, CompiledSuite& suite);

/// Returns a hash of the text as 16 hex digits.
[[nodiscard]] std::string digest_of(std::string_view text);

/// Writes an assertion in the form of the API.
void write_assertion(json::Writer& out, const Assertion& assertion);

[[nodiscard]] FilePlace file_place(const source::Place& place);

}  // namespace parley::client
