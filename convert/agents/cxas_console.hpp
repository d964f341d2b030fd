#pragma once
/// Evals as the console of CX Agent Studio exports them.

#include <optional>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The file in the form of cxas-scrapi, `{"conversations": [...]}`. nullopt: not an export of a golden.
[[nodiscard]] std::optional<Node> from_console(const Node& file);

}  // namespace parley::convert
