#pragma once
/// The parts of a suite file, read one by one into the compiled suite. Every function adds its faults to the sources and reads the
/// rest. One thread.

#include <map>

#include "client/suite/compiled_suite.hpp"
#include "client/suite/suite_assertions.hpp"
#include "client/suite/suite_sources.hpp"
#include "model/records/scenario_configuration.hpp"

namespace parley::client {

/// Named parts of the root file and of included files, in their order. A duplicate name is a fault with both places.
struct Named {
  std::string name;
  View value;
  source::Place place;  ///< of the name
};
[[nodiscard]] std::vector<Named> named_in(SuiteSources& sources, const std::vector<View>& files,
                                          std::string_view key);

/// `tester` and `judge`.
[[nodiscard]] ModelSettings read_model(SuiteSources& sources, const View& value,
                                       std::vector<std::string>& secrets);
[[nodiscard]] GateSettings read_gate(const View& value);
[[nodiscard]] CompiledAgent read_agent(SuiteSources& sources, const Named& named,
                                       std::vector<std::string>& secrets);
[[nodiscard]] CompiledPersona read_persona(SuiteSources& sources, const Named& named);

/// The definitions of `fields`.
[[nodiscard]] std::vector<FieldDef> read_fields(SuiteSources& sources, const View& value);
/// Values of fields as a JSON object, and where they were written.
struct GivenFields {
  const std::string& json;
  View given;           ///< the mapping in the file; empty: the values are elsewhere
  source::Place place;  ///< of faults that are not about a member of it
};
void check_field_values(SuiteSources& sources, const std::vector<FieldDef>& fields,
                        const GivenFields& values);

/// A test before defaults, variants and data are applied.
struct TestText {
  std::string instruction;
  bool is_script = false;
  bool is_given = false;
};
/// `script` or `goal`, checked as the tester would, with `max turns:` before it.
[[nodiscard]] TestText read_text(SuiteSources& sources, const View& test,
                                 std::optional<std::int64_t> max_turns);

/// A row of `data`.
struct DataRow {
  std::string key;     ///< of the column, or the number
  std::string fields;  ///< a JSON object
  source::Place place;
};
[[nodiscard]] std::vector<DataRow> read_data(SuiteSources& sources, const View& data);

/// One record of the apply document before it is written.
struct TestRecord {
  CompiledTest compiled;
  SuiteAssertions assertions;  ///< composed
  SuiteAssertions own;         ///< what the record holds: of a variant the overlay
  std::string own_instruction;
  std::string description;
  std::string metadata = "{}";
  std::string history;            ///< a JSON list; empty: none
  std::size_t parent = SIZE_MAX;  ///< index of the parent's record; SIZE_MAX: none
  bool is_played = true;          ///< false: combinations of fields are played in its place
};

/// A scenario while it is read.
struct ScenarioPart {
  CompiledScenario compiled;
  std::string description;
  std::vector<FieldDef> fields;
  std::vector<View> tests;
};

/// The data that the tests of a suite share.
struct TestContext {
  View defaults;
  View matrix;
  std::int64_t repeat = 1;
  const std::vector<CompiledPersona>& personas;
  std::filesystem::path folder;
  bool ignores_snapshots = false;
};
/// All records of the scenario's tests, in file order: a test, its variants, its rows.
[[nodiscard]] std::vector<TestRecord> read_tests(SuiteSources& sources, ScenarioPart& scenario,
                                                 const TestContext& context);

/// The cells of the suite; faults of `matrix`.
void read_cells(SuiteSources& sources, const View& root, const std::vector<TestRecord>& records,
                CompiledSuite& suite);

/// Constructs that are allowed but probably a mistake.
void add_warnings(SuiteSources& sources, const View& root, const std::vector<Named>& agents,
                  const std::vector<Named>& personas, const std::vector<ScenarioPart>& scenarios,
                  const std::vector<TestRecord>& records, const CompiledSuite& suite);

/// The body of POST /apply, and the places of its parts.
void write_apply_document(const View& root, const std::vector<ScenarioPart>& scenarios,
                          const std::vector<TestRecord>& records, CompiledSuite& suite);

/// A hash of the text: 16 hex digits.
[[nodiscard]] std::string digest_of(std::string_view text);

/// An assertion as the API takes it.
void write_assertion(json::Writer& out, const Assertion& assertion);

[[nodiscard]] FilePlace file_place(const source::Place& place);

}  // namespace parley::client
