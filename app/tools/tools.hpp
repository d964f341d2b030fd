#pragma once
/// The command-line tools: backup, restore, doctor and audit work on a data directory; check-models calls the models.
/// Main thread. Results go to stdout, errors to stderr; each function returns the exit code.

#include "app/options/command_line.hpp"
#include "app/options/config.hpp"

namespace parley::app {

/// Runs a tool. Returns 0 for success, 1 if the tool failed, 4 if stored data is damaged.
[[nodiscard]] int use(const ToolCall& call);

/// Prints the problem of a tool. Returns the exit code: 4 if stored data is damaged, otherwise 1.
[[nodiscard]] int failed(const Problem& problem);

/// `parley audit verify` and `parley audit show` read the audit log. They return 0 if the chain is valid, 1 if it
/// could not be read, 4 if it is broken.
[[nodiscard]] int verify_audit(const ToolCall& call);
[[nodiscard]] int show_audit(const ToolCall& call);

/// `parley migrate` and `parley rebase` transfer data between a data directory and the log of several nodes. Exit
/// codes as for use().
[[nodiscard]] int migrate(const ToolCall& call);
[[nodiscard]] int rebase(const ToolCall& call);

/// `parley check-models` calls the tester's and the judge's model once each, as a server with the same options would,
/// and waits for both answers within their timeouts. It prints one line per role: the answer, or the error. Returns 0
/// if each configured model answered, 1 if one did not or none is configured. Touches no data directory.
[[nodiscard]] int check_models(const Config& config);

}  // namespace parley::app
