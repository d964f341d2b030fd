#pragma once
/// Finds runs and results on a server by name (`last`, `last~1`, the beginning of an id), and reads reports of them.

#include <string>
#include <vector>

#include "client/remote/api.hpp"
#include "client/report/report.hpp"
#include "client/run/result_reader.hpp"

namespace parley::client {

/// Returns the id of a run by name: `last`, `last~2`, `baseline` (for the scenario and agent of the newest run), an
/// id, or the beginning of an id (four characters or more). `last` and `last~2` count run groups, and name the newest
/// run of a group. Problem `not_found`: no such run exists; `conflict`: several ids begin with the prefix.
[[nodiscard]] Expected<std::string> run_id_of(Api& api, const std::string& name);
/// Returns all runs that the name refers to. `last` and `last~2` are all runs of a group, because a matrix has a run
/// per agent.
[[nodiscard]] Expected<std::vector<std::string>> runs_named(Api& api, const std::string& name);
/// Returns the id of a result by its id or the beginning of its id.
[[nodiscard]] Expected<std::string> result_id_of(Api& api, const std::string& name);

/// Adds the keys, names and fields of the tests of a scenario.
[[nodiscard]] Expected<Done> read_test_names(Api& api, const std::string& scenario, NameBook& names);
/// Returns the names for the test of one result; empty if the result has no test or the test was deleted.
[[nodiscard]] NameBook names_of_result(Api& api, const json::Value& result);

struct StoredOptions {
  bool keeps_transcripts = false;   ///< keep transcripts of passed results too
  const NameBook* names = nullptr;  ///< null: the server's names
};
/// Returns the results of the runs as one report without a decision, in order of creation. Results that a retry
/// replaced are omitted.
[[nodiscard]] Expected<Report> stored_report(Api& api, const std::vector<std::string>& runs,
                                             const StoredOptions& options = {});

/// Returns the runs as one interactive HTML file that the server makes. It contains every transcript, up to the size
/// limit of the file.
[[nodiscard]] Expected<std::string> html_of_runs(Api& api, const std::vector<std::string>& runs);

/// The runs of one suite. The project is empty if they were not played from a suite.
struct RunsOfProject {
  std::string project;
  std::vector<std::string> runs;
};
/// Divides runs by the project of their suite, in the order of their first runs. One command may play several suites.
[[nodiscard]] Expected<std::vector<RunsOfProject>> by_project(Api& api, const std::vector<std::string>& runs);

/// Returns the runs in the group of a run, oldest first; only the run itself if it has no group.
[[nodiscard]] Expected<std::vector<std::string>> runs_of_group(Api& api, const std::string& run);

}  // namespace parley::client
