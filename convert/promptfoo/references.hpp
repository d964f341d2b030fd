#pragma once
/// References within a configuration: `$ref: "#/assertionTemplates/polite"`. Pure; any thread.

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The configuration with the values that its references name. A reference to another file, or to a value that is not there,
/// stays, and so do references inside what is filled in, and those in definitions of tools.
[[nodiscard]] Node with_references(const Node& config);

}  // namespace parley::convert
