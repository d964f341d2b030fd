#pragma once
/// `parley audit verify` and `parley audit show`: reads the log of changes. Main thread.

#include "app/options/command_line.hpp"

namespace parley::app {

/// Exit codes: 0 if the chain holds, 1 if it could not be read, 4 if it does not hold.
[[nodiscard]] int verify_audit(const ToolCall& call);
[[nodiscard]] int show_audit(const ToolCall& call);

}  // namespace parley::app
