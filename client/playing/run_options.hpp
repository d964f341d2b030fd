#pragma once
/// The options of `parley run`. Main thread.

#include <set>

#include "client/playing/snapshots.hpp"
#include "client/run/play.hpp"
#include "client/run/selection.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Cells of an earlier run that ended this way.
struct EarlierCells {
  std::string run;  ///< empty: the last
  std::set<CaseState> states;
};

struct RunOptions {
  Selection selection;
  PlayOptions play;
  std::optional<EarlierCells> earlier;
  std::string changed_since;                  ///< a revision of git; empty: not requested
  std::optional<std::int64_t> until_decided;  ///< repetitions of a test at most
  SnapshotChoice snapshots;
  bool uses_gate = true;
  bool lists = false;  ///< --list or --dry-run
};

/// Problem: a malformed value, or options that contradict each other.
[[nodiscard]] Expected<RunOptions> run_options_of(const Invocation& call);
/// Plays suites that are loaded. The exit code.
[[nodiscard]] int play_suites(const Invocation& call, std::vector<CompiledSuite> suites);

}  // namespace parley::client
