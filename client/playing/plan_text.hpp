#pragma once
/// What POST /apply would change, as `git diff` shows it. Pure.

#include <string>

#include "client/screen/terminal.hpp"
#include "client/suite/compiled_suite.hpp"
#include "model/json/json.hpp"

namespace parley::client {

/// Of each record a head with its place in the files, and below it each field with `-` what the server has and `+` what the files
/// say. Empty: nothing changes. `answer` is that of POST /apply.
[[nodiscard]] std::string plan_text(const CompiledSuite& suite, const json::Value& answer,
                                    const Terminal& terminal);

}  // namespace parley::client
