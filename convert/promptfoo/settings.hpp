#pragma once
/// Settings of providers and runs as the report shows them. Pure.

#include <string>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The value as text, with `***` for whatever a key or password may be: all of `env`, and members with such names.
[[nodiscard]] std::string settings_text(const Node& settings);

}  // namespace parley::convert
