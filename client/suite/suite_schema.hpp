#pragma once
/// The schema of suite files as text for people and editors. Pure; any thread.

#include <string>
#include <string_view>

#include "client/suite/schema_values.hpp"

namespace parley::client {

/// The JSON text, indented by two blanks per level, with a line end. Needs: valid JSON without white space outside strings.
[[nodiscard]] std::string indented_json(std::string_view json);

}  // namespace parley::client
