#pragma once
/// Evals exported from the CX Agent Studio console.

#include <optional>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The export converted to the format of cxas-scrapi, `{"conversations": [...]}`. nullopt: not the export of a golden.
[[nodiscard]] std::optional<Node> from_console(const Node& file);

}  // namespace parley::convert
