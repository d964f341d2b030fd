#pragma once
/// The suites that a verb names, and the faults of their files. Main thread.

#include "client/suite/compiled_suite.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Reads the files that the arguments name, by the options --project and --env-file.
[[nodiscard]] LoadedSuites loaded_suites(const Invocation& call, const std::vector<std::string>& paths);
/// Prints errors and warnings on standard error. Returns whether there are errors; `closing` follows their count.
[[nodiscard]] bool show_faults(const LoadedSuites& loaded, std::string_view closing);
/// Shows the server's refusal: at its places in the files if it has any, else as the verb's problem. The exit code.
[[nodiscard]] int show_refusal(const Invocation& call, const CompiledSuite& suite, const Problem& problem,
                               std::string_view closing);

/// The project's suites: `parley.yaml`, else the `*.parley.yaml` of the folder. Empty: it has none. Problem: a suite has errors.
[[nodiscard]] Expected<std::vector<CompiledSuite>> suites_of_project(const Invocation& call);
/// A session for verbs that play or judge stored results again: that of open_session(call), but at work. A local
/// server has the models of the project's suites. Problem: a suite has errors.
[[nodiscard]] Expected<OpenSession> open_with_models(const Invocation& call);
/// The models that the files name, for the server in this process, which has one tester and one judge. Problem: two suites name different
/// ones.
[[nodiscard]] Expected<EmbeddedOptions> embedded_options(const std::vector<CompiledSuite>& suites,
                                                         bool keeps_answers);

}  // namespace parley::client
