#pragma once
/// Plays chosen cells on a server: a run for each scenario and agent, followed until all have ended or a bound is reached.
/// Main thread; exec agents have threads of their own.

#include <functional>
#include <map>
#include <memory>

#include "client/exec/exec_runner.hpp"
#include "client/run/selection.hpp"
#include "client/run/suite_records.hpp"
#include "client/screen/screen.hpp"

namespace parley::client {

struct PlayOptions {
  std::int64_t concurrency = 0;  ///< of a run; 0: the suite's or the server's
  std::optional<std::int64_t> seed;
  bool shuffles = false;
  std::optional<double> max_cost;  ///< USD
  std::optional<std::int64_t> max_time_ms;
  std::optional<std::int64_t> fail_fast;  ///< failed cases after which the rest is canceled
  std::string group;                      ///< name of the run group; empty: a new group
  std::string group_id;                   ///< of a group that exists already
  bool has_rounds = false;                ///< later calls add runs to the group
  std::string command;                    ///< the command line that repeats the run
  std::optional<Shard> shard;             ///< of which the cells were chosen
  bool shows_stderr = false;              ///< of exec agents (-v)
  const char* const* environment = nullptr;
};

/// What a run's metadata contains about it.
struct RunNotes {
  std::string project;
  std::string command;  ///< the command line that repeats the run
  std::string part;     ///< as in `RunRow`
  std::string places;   ///< where its tests are written, as a JSON object; empty: they are too many
  std::string rules;    ///< of the gate that decided, as a JSON object; empty before that
};

struct Played {
  Report report;        ///< without decision and exit
  std::string stopped;  ///< `stopped at $2.01 of 2.00: 37 of 200 left`; empty: it was not stopped
  std::vector<std::string> runs;
  std::vector<RunNotes> notes;  ///< of each run
  std::string group_id;         ///< of the runs; empty: there is one run
  ModelCalls calls;             ///< of all results
};

void add(ModelCalls& sum, const ModelCalls& calls);
/// The metadata of a run as JSON. `gate`: the decision of its gate; `open` before it.
[[nodiscard]] std::string metadata_of(const RunNotes& notes, std::string_view gate);

/// Progress, for reporters that write as results end.
using ResultListener = std::function<void(const ResultRow&)>;

/// Problem: the server refuses a run, or is unreachable for longer than the client's patience.
[[nodiscard]] Expected<Played> play(Api& api, const CompiledSuite& suite, const SuiteRecords& records,
                                    const std::vector<ChosenCell>& cells, const PlayOptions& options,
                                    Screen& screen, const ResultListener& listener);

}  // namespace parley::client
