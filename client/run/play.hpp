#pragma once
/// Plays chosen cells on a server: one run per scenario and agent. Follows the runs until all have ended or a bound
/// is reached. Main thread; exec agents use threads of their own.

#include <functional>
#include <map>
#include <memory>

#include "client/exec/exec_runner.hpp"
#include "client/run/selection.hpp"
#include "client/run/suite_records.hpp"
#include "client/screen/screen.hpp"

namespace parley::client {

/// What earlier suites and rounds of the same command used of its bounds.
struct UsedBounds {
  double usd = 0;
  double seconds = 0;
  std::int64_t failed = 0;

  void add(const Report& report) {
    usd += report.usd.total();
    seconds += report.seconds;
    failed += counts_of(report.results).failed;
  }
};

struct PlayOptions {
  std::int64_t concurrency = 0;  ///< per run; 0: the setting of the suite or the server
  std::optional<std::int64_t> seed;
  bool shuffles = false;
  std::optional<double> max_cost;  ///< USD
  std::optional<std::int64_t> max_time_ms;
  std::optional<std::int64_t> fail_fast;  ///< cancel the rest after this many failed cases
  UsedBounds used;                        ///< counts towards the bounds
  std::string group;                      ///< name of the run group; empty: a new group
  std::string group_title;                ///< name of a new group if `group` is empty; empty: the project
  std::string group_id;                   ///< id of an existing group; empty: find or create a group
  bool has_rounds = false;                ///< later calls add runs to the group
  std::string command;                    ///< command line that repeats the run
  std::optional<Shard> shard;             ///< the shard from which the cells were chosen
  bool shows_stderr = false;              ///< print standard error of exec agents (-v)
  const char* const* environment = nullptr;
};

/// What the metadata of a run says about it.
struct RunNotes {
  std::string project;
  std::string command;  ///< command line that repeats the run
  std::string part;     ///< as in `RunRow`
  std::string places;   ///< places of the tests as a JSON object; empty: too many tests
  std::string rules;    ///< rules of the gate that decided, as a JSON object; empty before the decision
};

struct Played {
  Report report;        ///< without decision and exit
  std::string stopped;  ///< `stopped at $2.01 of 2.00: 37 of 200 left`; empty: not stopped
  std::vector<std::string> runs;
  std::vector<RunNotes> notes;  ///< one per run
  std::string group_id;         ///< group of the runs; empty: there is only one run
  ModelCalls calls;             ///< sum over all results
  std::optional<Problem> failure =
      {};  ///< the error that ended the run early; the report has what was decided before
};

void add(ModelCalls& sum, const ModelCalls& calls);
/// Returns the metadata of a run as JSON. `gate` is the decision of the run's gate, or `open` before it decides.
[[nodiscard]] std::string metadata_of(const RunNotes& notes, std::string_view gate);

/// Called for each ended result, for reporters that write during the run.
using ResultListener = std::function<void(const ResultRow&)>;

/// Problem: the server refuses a run, or is unreachable for longer than the client keeps retrying. If a case was
/// decided before, returns it with the problem as `failure`.
/// If a bound is already reached, no conversation starts; the runs are recorded as canceled.
[[nodiscard]] Expected<Played> play(Api& api, const CompiledSuite& suite, const SuiteRecords& records,
                                    const std::vector<ChosenCell>& cells, const PlayOptions& options,
                                    Screen& screen, const ResultListener& listener);

}  // namespace parley::client
