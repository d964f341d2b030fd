#pragma once
/// Reads the rules of the gate from options and files, and loads baselines. Main thread.

#include "client/gate/gate_rules.hpp"
#include "client/remote/api.hpp"
#include "client/run/result_reader.hpp"
#include "client/suite/compiled_suite.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Returns the rules that a suite file declares.
[[nodiscard]] GateRules rules_of(const GateSettings& settings);
/// Applies the options on top of `rules`. Problem: a value is out of range.
[[nodiscard]] Expected<GateRules> gate_rules_of(const Invocation& call, GateRules rules = {});

/// Returns the rules that decided the run when it was played.
[[nodiscard]] Expected<GateRules> rules_of_stored(Api& api, const std::string& run);

/// Compares a report with a baseline: a run of the server (by name, or `last-green`), or a report file. `runs` are
/// the ids of the report's runs on the server; empty if the report was read from files. `names` are the names of
/// the report's tests; null: ask the server. Returns no comparison if `last-green` finds no green run. Problem:
/// the baseline is unusable.
[[nodiscard]] Expected<std::vector<ComparedRun>> compared_with(Api* api, const Report& report,
                                                               const std::vector<std::string>& runs,
                                                               const std::string& baseline,
                                                               const NameBook* names = nullptr);

/// Resolves a baseline before the run is played, because `last` would name the new run afterwards. Returns an id,
/// `last-green` or a file name. Problem: no such run or file exists.
[[nodiscard]] Expected<std::string> resolved_baseline(Api& api, const std::string& name);

/// Whether the name has the form `@FILE`, `FILE.jsonl` or `FILE.json`.
[[nodiscard]] bool is_report_file(const std::string& name);
/// Reads a report and adds it to `joined`. Problem: the file is unreadable, malformed or empty.
[[nodiscard]] Expected<Report> report_in_file(const std::string& name, Report joined = {});

}  // namespace parley::client
