#pragma once
/// Merges maps of a configuration, such as defaults and tests. Pure; any thread.

#include <string>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The members of both; those of `over` count. Null: none.
[[nodiscard]] Node merged(const Node* under, const Node* over);
/// Adds the member, or replaces the one with that key.
void set_member(Node& map, const std::string& key, Node value);

}  // namespace parley::convert
