#pragma once
/// The tools of the command line that work on a data directory: backup, restore, doctor. The main thread's work.

#include "app/options/command_line.hpp"

namespace parley::app {

/// What was done or found goes to stdout, what went wrong to stderr. The process's exit code: 0 when all is well, 1 when
/// the tool could not do its work, 4 when something that is stored is damaged.
[[nodiscard]] int use(const ToolCall& call);

}  // namespace parley::app
