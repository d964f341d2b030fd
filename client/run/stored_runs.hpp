#pragma once
/// Runs and results on a server: names of them (`last`, `last~1`, a prefix of an id), and reports of them.

#include <string>
#include <vector>

#include "client/remote/api.hpp"
#include "client/report/report.hpp"
#include "client/run/result_reader.hpp"

namespace parley::client {

/// The id of the run that a person names: `last`, `last~2`, `baseline` (of the scenario and agent of the newest run), an id, or
/// a prefix of one (four characters or more). `last` and `last~2` count groups of runs, and name the newest run of one.
/// Problem `not_found`: there is no such run; `conflict`: several ids have the prefix.
[[nodiscard]] Expected<std::string> run_id_of(Api& api, const std::string& name);
/// The same as all runs that the name means: `last` and `last~2` are the runs of a group, because a matrix has a run for each agent.
[[nodiscard]] Expected<std::vector<std::string>> runs_named(Api& api, const std::string& name);
/// The same as run_id_of for a result.
[[nodiscard]] Expected<std::string> result_id_of(Api& api, const std::string& name);

/// Adds the keys, names and fields of a scenario's tests.
[[nodiscard]] Expected<Done> read_test_names(Api& api, const std::string& scenario, NameBook& names);
/// The name of one result's test; empty if it has none, or if the test was deleted.
[[nodiscard]] NameBook names_of_result(Api& api, const json::Value& result);

struct StoredOptions {
  bool keeps_transcripts = false;   ///< also for passed results
  const NameBook* names = nullptr;  ///< null: the server's names
};
/// The results of the runs that no retry replaced, in order of creation, as one report without a decision.
[[nodiscard]] Expected<Report> stored_report(Api& api, const std::vector<std::string>& runs,
                                             const StoredOptions& options = {});

/// The runs as one interactive HTML file, which the server makes; every transcript is inside, up to the file's bound.
[[nodiscard]] Expected<std::string> html_of_runs(Api& api, const std::vector<std::string>& runs);

/// The runs of the group of a run, oldest first; only the run itself if the group has no other.
[[nodiscard]] Expected<std::vector<std::string>> runs_of_group(Api& api, const std::string& run);

}  // namespace parley::client
