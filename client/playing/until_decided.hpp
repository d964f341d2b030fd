#pragma once
/// `--until-decided`: plays more repetitions of the tests that a comparison with the baseline leaves open. Main thread.

#include "client/commands/gate_options.hpp"
#include "client/run/play.hpp"

namespace parley::client {

/// What to play again, and how.
struct Rounds {
  Api& api;
  const CompiledSuite& suite;
  const SuiteRecords& records;
  const std::vector<ChosenCell>& cells;
  const PlayOptions& options;
  Screen& screen;
  ResultListener listener;
  std::int64_t repetitions_max = 0;  ///< of a test, with those of `played`
};

/// Adds rounds to `played` until the comparison decides every test, a bound is reached or a round adds nothing.
/// Problem: the baseline cannot be used; the server refuses a run.
[[nodiscard]] Expected<Done> play_until_decided(const Rounds& rounds, const std::string& baseline,
                                                Played& played);

}  // namespace parley::client
