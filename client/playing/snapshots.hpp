#pragma once
/// Snapshots of tool calls after a run: the calls of passing repetitions are written to files. Main thread.

#include <string>
#include <vector>

#include "client/remote/api.hpp"
#include "client/run/play.hpp"

namespace parley::client {

/// Which snapshots a run writes.
struct SnapshotChoice {
  bool records_missing = false;    ///< files that do not exist yet
  bool updates = false;            ///< --update: also those that do
  std::vector<std::string> tests;  ///< of --update=TEST,...: globs on keys and names; empty: all
};

/// A report for people: diffs of changed files, and why others were not changed.
/// Problem: a result cannot be read, a file cannot be written.
[[nodiscard]] Expected<std::string> write_snapshots(Api& api, const CompiledSuite& suite,
                                                    const Report& report, const SnapshotChoice& wish);

/// Problem: no test has a key or name that --update lists.
[[nodiscard]] Expected<Done> check_updated_tests(const SnapshotChoice& wish,
                                                 const std::vector<CompiledSuite>& suites);

/// Tests of the cells that require a missing snapshot, each as `file:line: error: ...`; empty: none.
[[nodiscard]] std::string missing_snapshots(const std::vector<ChosenCell>& cells);

}  // namespace parley::client
