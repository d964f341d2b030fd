#pragma once
/// The command-line tools that work on a data directory: backup, restore, doctor. Main thread.

#include "app/options/command_line.hpp"

namespace parley::app {

/// Results go to stdout, errors to stderr. Returns the exit code: 0 for success, 1 if the tool failed, 4 if
/// stored data is damaged.
[[nodiscard]] int use(const ToolCall& call);

}  // namespace parley::app
