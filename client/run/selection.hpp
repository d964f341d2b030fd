#pragma once
/// Which cells of a suite are played: a cell is a test with an agent and a persona. Pure; any thread.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/suite/compiled_suite.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// `--shard 2/5`
struct Shard {
  std::int64_t index = 1;
  std::int64_t count = 1;
};
[[nodiscard]] Expected<Shard> shard_of(std::string_view text);

struct Selection {
  std::vector<std::string> filters;   ///< --filter; all must hold
  std::vector<std::string> tags;      ///< --tag; one of them
  std::vector<std::string> agents;    ///< --agent; globs on names
  std::vector<std::string> personas;  ///< --persona
  std::string pattern;                ///< -g; RE2 on `scenario/test`
  std::optional<Shard> shard;
  std::optional<std::int64_t> repeat;
  /// `--failed`, `--errors`, `--not-passed`, `--changed-since`: names of cells as cell_name() makes them.
  std::optional<std::set<std::string>> only;
};

/// A cell with the objects it refers to. The suite must outlive it.
struct ChosenCell {
  const CompiledTest* test = nullptr;
  const CompiledAgent* agent = nullptr;
  const CompiledPersona* persona = nullptr;  ///< null: none
  const CompiledScenario* scenario = nullptr;
  std::int64_t repeat = 1;
};

/// The same in every run of the suite: `record key`, agent and persona.
[[nodiscard]] std::string cell_name(std::string_view test, std::string_view agent, std::string_view persona);

/// In the order of the suite. Problem: a bad filter, pattern or name; nothing selected is an empty list.
[[nodiscard]] Expected<std::vector<ChosenCell>> chosen_cells(const CompiledSuite& suite,
                                                             const Selection& selection);
/// Problem: no test of the suites has one of the tags.
[[nodiscard]] Expected<Done> check_tags(const Selection& selection, const std::vector<CompiledSuite>& suites);
[[nodiscard]] std::int64_t cases_of(const std::vector<ChosenCell>& cells);
/// The part that the cells, all of one scenario and agent, are of the suite's cells for both: empty: all; `shard 2/5`: all of that
/// shard; `selection`: another subset.
[[nodiscard]] std::string part_of(const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
                                  const std::optional<Shard>& shard);

}  // namespace parley::client
