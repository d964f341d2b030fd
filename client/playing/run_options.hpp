#pragma once
/// Reads the options of `parley run`. Main thread.

#include <set>

#include "client/playing/snapshots.hpp"
#include "client/run/play.hpp"
#include "client/run/selection.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Selects the cells of an earlier run that ended in one of these states.
struct EarlierCells {
  std::string run;  ///< empty: the last run
  std::set<CaseState> states;
};

struct RunOptions {
  Selection selection;
  PlayOptions play;
  std::optional<EarlierCells> earlier;
  std::string changed_since;                  ///< a git revision; empty: not requested
  std::optional<std::int64_t> until_decided;  ///< the most repetitions per test
  SnapshotChoice snapshots;
  bool uses_gate = true;
  bool lists = false;  ///< --list or --dry-run
};

/// Problem: a value is malformed, or options contradict each other.
[[nodiscard]] Expected<RunOptions> run_options_of(const Invocation& call);
/// Plays loaded suites and returns the exit code.
[[nodiscard]] int play_suites(const Invocation& call, std::vector<CompiledSuite> suites);

}  // namespace parley::client
