#pragma once
/// Converts the assertions of a suite file into the server's records, and checks them as the server does. One thread.

#include "client/files/suite_sources.hpp"
#include "client/suite/compiled_suite.hpp"
#include "model/description/record_parse.hpp"
#include "model/records/assertion.hpp"

namespace parley::client {

/// An assertion, and the place where it is written.
struct SuiteAssertion {
  Assertion record;
  Level level = Level::must;
  source::Place place;
};
using SuiteAssertions = std::vector<SuiteAssertion>;

/// Reads `must`, `should` and `could` of a test, a variant or the defaults, in this order. An assertion without an id
/// gets `prefix`, its level and its number, such as `must-1`. Adds to `sources` the faults of keys and types, and the
/// faults that the table of assertion types finds.
[[nodiscard]] SuiteAssertions read_assertions(SuiteSources& sources, const View& owner,
                                              const std::string& prefix);

/// Adds the faults that the assertions have when the test's fields are filled in, as the server finds them when it
/// scores.
void check_filled_in(SuiteSources& sources, const SuiteAssertions& assertions, const CompiledTest& test);

/// Writes the JSON Schema of an assertion: the types with their configs, and the other keys.
void write_assertion_schema(json::Writer& out);

}  // namespace parley::client
