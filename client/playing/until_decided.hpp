#pragma once
/// `--until-decided`: plays more repetitions of the tests for which the comparison with the baseline is undecided.
/// Main thread.

#include "client/commands/gate_options.hpp"
#include "client/run/play.hpp"

namespace parley::client {

/// The cells to repeat, and how to play them.
struct Rounds {
  Api& api;
  const CompiledSuite& suite;
  const SuiteRecords& records;
  const std::vector<ChosenCell>& cells;
  const PlayOptions& options;
  Screen& screen;
  ResultListener listener;
  std::int64_t repetitions_max = 0;  ///< per test, including the repetitions in `played`
};

/// Adds rounds to `played` until the comparison decides every test, a bound is reached, or a round would add nothing.
/// Problem: the baseline cannot be used, or the server refuses a run.
[[nodiscard]] Expected<Done> play_until_decided(const Rounds& rounds, const std::string& baseline,
                                                Played& played);

}  // namespace parley::client
