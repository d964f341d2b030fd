#pragma once
/// Settings of providers and runs, as shown in the report. Pure.

#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// Whether a setting with this name may be a key or password.
[[nodiscard]] bool may_be_secret(std::string_view name);

/// The settings as text, with `***` for texts that may be a key or password: all of `env`, and members with such names.
[[nodiscard]] std::string settings_text(const Node& settings);

}  // namespace parley::convert
