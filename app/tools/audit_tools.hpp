#pragma once
/// `parley audit verify` and `parley audit show`: the log of who changed what, read. The main thread's work.

#include "app/options/command_line.hpp"

namespace parley::app {

/// Exit codes: 0 when the chain holds, 1 when it could not be looked at, 4 when it does not hold.
[[nodiscard]] int verify_audit(const ToolCall& call);
[[nodiscard]] int show_audit(const ToolCall& call);

}  // namespace parley::app
