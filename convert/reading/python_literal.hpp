#pragma once
/// Lists and dicts as Python prints them, `{'city': 'Bern', 'is_far': False}`: frameworks record `str(value)` where JSON is
/// meant. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The literal as JSON. nullopt: it has something else, such as the name of a class, and is not JSON either.
[[nodiscard]] std::optional<std::string> json_of_python(std::string_view text);
/// The same for a node: the list or map in its text, be it JSON or Python; itself for other nodes.
[[nodiscard]] Node opened_literal(const Node& node);

}  // namespace parley::convert
