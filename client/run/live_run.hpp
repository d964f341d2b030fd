#pragma once
/// One run in progress: launches it, and reads the results that have ended since the last check.

#include <map>
#include <memory>
#include <set>

#include "client/exec/exec_runner.hpp"
#include "client/run/play.hpp"

namespace parley::client {

class LiveRun {
 public:
  LiveRun(const CompiledAgent& agent, const CompiledScenario& scenario)
      : agent_(agent), scenario_(scenario) {}

  void add(const ChosenCell& cell) { cells_.push_back(cell); }
  [[nodiscard]] const CompiledAgent& agent() const { return agent_; }
  [[nodiscard]] const CompiledScenario& scenario() const { return scenario_; }
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::int64_t cases() const { return cases_of(cells_); }
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] std::int64_t live() const { return live_; }
  [[nodiscard]] const RunNotes& notes() const { return notes_; }

  struct Beginning {
    std::string group;   ///< id of the run group; empty: the server makes one
    std::string status;  ///< `pending`: the server starts the run; `canceled`: it only records the run
  };
  /// Creates the run. Problem: from the server.
  [[nodiscard]] Expected<Done> launch(Api& api, const CompiledSuite& suite, const SuiteRecords& records,
                                      const PlayOptions& options, const Beginning& beginning);
  /// Starts the runner of an exec agent after all results were created.
  [[nodiscard]] Expected<Done> start_runner(Api& api, const CompiledSuite& suite, const PlayOptions& options);
  /// Drives a run that another call created, if its agent is a command.
  [[nodiscard]] Expected<Done> drive_started(Api& api, const std::string& run, const CompiledSuite& suite,
                                             const PlayOptions& options);
  /// Returns the results that have ended since the last call, in the order in which they ended.
  [[nodiscard]] Expected<std::vector<ReadResult>> poll(Api& api, const NameBook& names);
  /// Cancels the unfinished results. Ended results keep their outcome.
  [[nodiscard]] Expected<Done> cancel(Api& api);
  /// Names the agent if its command printed answers that no turn had asked for; empty if it did not.
  [[nodiscard]] std::string surplus_answers() const;
  /// Reads the current state of the run.
  [[nodiscard]] Expected<RunRow> row(Api& api);
  /// Returns what is known about the run without asking the server.
  [[nodiscard]] RunRow row_of_launch() const;
  /// Returns the position of a result in the run, in order of creation.
  [[nodiscard]] std::size_t place_of(const std::string& result) const;
  /// Describes the conversation that has been live longest in `progress`, if a conversation is live.
  void describe_oldest(Api& api, Progress& progress);

 private:
  [[nodiscard]] Expected<Done> read_plan(Api& api);
  /// Reads the plan until it has this many results, or the time is up.
  [[nodiscard]] Expected<Done> await_plan(Api& api, std::int64_t cases);
  void drive(Api& api, const CompiledSuite& suite, const PlayOptions& options);

  const CompiledAgent& agent_;
  const CompiledScenario& scenario_;
  std::vector<ChosenCell> cells_;
  std::string id_;
  RunNotes notes_;
  bool has_ended_ = false;
  std::int64_t live_ = 0;
  std::int64_t planned_ = 0;  ///< number of results that the server created
  struct Case {
    std::size_t place;
    std::int64_t repetition;
  };
  std::map<std::string, Case> plan_;  ///< by result id
  std::set<std::string> seen_;
  std::unique_ptr<ExecRunner> runner_;
};

}  // namespace parley::client
