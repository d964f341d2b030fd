#pragma once
/// Formats the schema of suite files for people and editors. Pure; any thread.

#include <string>
#include <string_view>

#include "client/suite/schema_values.hpp"

namespace parley::client {

/// Indents the JSON by two blanks per level and ends it with a line end. Needs: valid JSON without whitespace outside
/// strings.
[[nodiscard]] std::string indented_json(std::string_view json);

}  // namespace parley::client
