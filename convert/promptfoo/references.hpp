#pragma once
/// References within a configuration: `$ref: "#/assertionTemplates/polite"`. Pure; any thread.

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The configuration with references replaced by the values that they name. A reference is kept if it names another
/// file or a missing value, if it is inside a value that was filled in, or if it is in a tool definition.
[[nodiscard]] Node with_references(const Node& config);

}  // namespace parley::convert
