#pragma once
/// Writes snapshots of tool calls after a run, from the calls of passing repetitions. Main thread.

#include <string>
#include <vector>

#include "client/remote/api.hpp"
#include "client/run/play.hpp"

namespace parley::client {

/// Which snapshots a run writes.
struct SnapshotChoice {
  bool records_missing = false;    ///< write snapshots that do not exist yet
  bool updates = false;            ///< --update: also overwrite existing snapshots
  std::vector<std::string> tests;  ///< from --update=TEST,...: globs for keys and names; empty: all
};

/// Returns a report for people: the diffs of changed files, and why other files were not changed.
/// Problem: a result cannot be read, or a file cannot be written.
[[nodiscard]] Expected<std::string> write_snapshots(Api& api, const CompiledSuite& suite,
                                                    const Report& report, const SnapshotChoice& wish);

/// Problem: --update lists a test that does not exist.
[[nodiscard]] Expected<Done> check_updated_tests(const SnapshotChoice& wish,
                                                 const std::vector<CompiledSuite>& suites);

/// Lists the tests of the cells whose required snapshot is missing, each as `file:line:column: error: ...`. Empty:
/// none.
[[nodiscard]] std::string missing_snapshots(const std::vector<ChosenCell>& cells);

}  // namespace parley::client
