#pragma once
/// Shows the changes of POST /apply in the style of `git diff`. Pure.

#include <string>

#include "client/screen/terminal.hpp"
#include "client/suite/compiled_suite.hpp"
#include "model/json/json.hpp"

namespace parley::client {

/// Writes a heading with the place in the files for each record, then each field with `-` for the server's value and
/// `+` for the files' value. Empty: nothing changes. `answer` is the answer of POST /apply.
[[nodiscard]] std::string plan_text(const CompiledSuite& suite, const json::Value& answer,
                                    const Terminal& terminal);

}  // namespace parley::client
