#pragma once
/// The rules of the gate from options and files, and the content of a baseline. Main thread.

#include "client/gate/gate_rules.hpp"
#include "client/remote/api.hpp"
#include "client/run/result_reader.hpp"
#include "client/suite/compiled_suite.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// The rules of a file.
[[nodiscard]] GateRules rules_of(const GateSettings& settings);
/// The rules, overridden by those of the options. Problem: a value out of its range.
[[nodiscard]] Expected<GateRules> gate_rules_of(const Invocation& call, GateRules rules = {});

/// The rules by which the run was decided when it was played.
[[nodiscard]] Expected<GateRules> rules_of_stored(Api& api, const std::string& run);

/// Compares a report with a baseline: a run of the server (by name, or `last-green`), or a file of another run. `runs` are the
/// report's on the server; empty: it comes from files. `names`: those of the report's tests; null: the server's. Problem: an unusable
/// baseline. Without a green run, `last-green` is not a comparison.
[[nodiscard]] Expected<std::vector<ComparedRun>> compared_with(Api* api, const Report& report,
                                                               const std::vector<std::string>& runs,
                                                               const std::string& baseline,
                                                               const NameBook* names = nullptr);

/// The baseline before a run is played, after which `last` names another run: an id, `last-green` or a file. Problem: there is
/// no such run or file.
[[nodiscard]] Expected<std::string> resolved_baseline(Api& api, const std::string& name);

/// `@FILE`, `FILE.jsonl` or `FILE.json`
[[nodiscard]] bool is_report_file(const std::string& name);
/// Reads a report, or joins it to another. Problem: the file is unreadable, malformed or empty.
[[nodiscard]] Expected<Report> report_in_file(const std::string& name, Report joined = {});

}  // namespace parley::client
