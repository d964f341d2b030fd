#pragma once
/// Selects the cells of a suite that are played. A cell is a test with an agent and a persona. Pure; any thread.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/suite/compiled_suite.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// The value of `--shard`, such as `2/5`.
struct Shard {
  std::int64_t index = 1;
  std::int64_t count = 1;
};
[[nodiscard]] Expected<Shard> shard_of(std::string_view text);

struct Selection {
  std::vector<std::string> filters;   ///< --filter; all must match
  std::vector<std::string> tags;      ///< --tag; one must match
  std::vector<std::string> agents;    ///< --agent; globs for names
  std::vector<std::string> personas;  ///< --persona
  std::string pattern;                ///< -g; an RE2 pattern for `scenario/test`
  std::optional<Shard> shard;
  std::optional<std::int64_t> repeat;
  /// `--failed`, `--errors`, `--not-passed`, `--changed-since`: names of cells, as cell_name() returns them.
  std::optional<std::set<std::string>> only;
};

/// A cell with pointers to its parts. The suite must outlive it.
struct ChosenCell {
  const CompiledTest* test = nullptr;
  const CompiledAgent* agent = nullptr;
  const CompiledPersona* persona = nullptr;  ///< null: no persona
  const CompiledScenario* scenario = nullptr;
  std::int64_t repeat = 1;
};

/// Returns a name that is the same in every run of the suite: record key, agent and persona.
[[nodiscard]] std::string cell_name(std::string_view test, std::string_view agent, std::string_view persona);

/// Returns the selected cells in the order of the suite; an empty list if nothing is selected. Problem: a bad filter
/// or pattern.
[[nodiscard]] Expected<std::vector<ChosenCell>> chosen_cells(const CompiledSuite& suite,
                                                             const Selection& selection);
/// Problem: no suite has an agent or persona that an option names.
[[nodiscard]] Expected<Done> check_people(const Selection& selection,
                                          const std::vector<CompiledSuite>& suites);
/// Problem: no test in the suites has one of the tags.
[[nodiscard]] Expected<Done> check_tags(const Selection& selection, const std::vector<CompiledSuite>& suites);
/// Whether the glob names the test by its key, its record key or its name.
[[nodiscard]] bool is_named(const CompiledTest& test, std::string_view glob);
[[nodiscard]] std::int64_t cases_of(const std::vector<ChosenCell>& cells);
/// Describes which part of the suite's cells is played. `cells` all belong to one scenario and agent. Empty: all
/// cells for both; `shard 2/5`: all cells of that shard; `selection`: another subset.
[[nodiscard]] std::string part_of(const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
                                  const std::optional<Shard>& shard);

}  // namespace parley::client
