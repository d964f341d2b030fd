#pragma once
/// Lists and dicts as Python prints them, `{'city': 'Bern', 'is_far': False}`: some frameworks record `str(value)`
/// instead of JSON. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The literal as JSON. nullopt: it contains anything else, such as a class name, and is not JSON either.
[[nodiscard]] std::optional<std::string> json_of_python(std::string_view text);
/// The same for a node: the list or map in its text, whether JSON or Python; other nodes unchanged.
[[nodiscard]] Node opened_literal(const Node& node);

}  // namespace parley::convert
