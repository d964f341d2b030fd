#pragma once
/// Loads the suites that a verb names, and shows the faults of their files. Main thread.

#include "client/suite/compiled_suite.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Reads the files that the arguments name. Uses the options --project and --env-file. Snapshots that --update
/// accepts are not part of the assertions.
[[nodiscard]] LoadedSuites loaded_suites(const Invocation& call, const std::vector<std::string>& paths);
/// Reads the files with all snapshots, even if --update is given.
[[nodiscard]] LoadedSuites loaded_with_snapshots(const Invocation& call,
                                                 const std::vector<std::string>& paths);
/// Whether `--update` accepts the calls that the test makes: it names the test, or it names no tests.
[[nodiscard]] bool is_updated(const Invocation& call, const CompiledTest& test);
/// Returns the globs of `--update=TEST,...`; empty: all tests.
[[nodiscard]] std::vector<std::string> updated_tests(const Invocation& call);
/// Prints errors and warnings to standard error, and `closing` after their count. With -qq, warnings alone are not
/// printed. Returns whether there are errors.
[[nodiscard]] bool show_faults(const Invocation& call, const LoadedSuites& loaded, std::string_view closing);
/// Shows why the server refused the suite: at the places in the files if they are known, otherwise as a problem of
/// the verb. Returns the exit code.
[[nodiscard]] int show_refusal(const Invocation& call, const CompiledSuite& suite, const Problem& problem,
                               std::string_view closing);

/// Returns the project's suites: `parley.yaml`, or else the `*.parley.yaml` files of the folder. Empty if the project
/// has no suite. Problem: a suite has errors.
[[nodiscard]] Expected<std::vector<CompiledSuite>> suites_of_project(const Invocation& call);
/// Opens a session for verbs that replay or judge stored results. Chooses the server as open_session(call) does, but
/// a local server is not at rest and uses the models of the project's suites. Problem: a suite has errors.
[[nodiscard]] Expected<OpenSession> open_with_models(const Invocation& call);
/// Returns the models that the files name, for the server in this process, which has one tester and one judge.
/// Problem: two suites name different models.
[[nodiscard]] Expected<EmbeddedOptions> embedded_options(const std::vector<CompiledSuite>& suites,
                                                         bool keeps_answers);

}  // namespace parley::client
