#pragma once
/// Settings of providers and runs as the report shows them. Pure.

#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// Whether a key or password may have this name.
[[nodiscard]] bool may_be_secret(std::string_view name);

/// The value as text, with `***` for whatever a key or password may be: all of `env`, and members with such names.
[[nodiscard]] std::string settings_text(const Node& settings);

}  // namespace parley::convert
