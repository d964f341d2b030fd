#pragma once
/// Merges maps of a configuration, such as those of defaults and tests. Pure; any thread.

#include <string>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The members of both maps; members of `over` take precedence. A null pointer is an empty map.
[[nodiscard]] Node merged(const Node* under, const Node* over);
/// Adds the member, or replaces the member with that key.
void set_member(Node& map, const std::string& key, Node value);

}  // namespace parley::convert
