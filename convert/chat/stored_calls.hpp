#pragma once
/// Stored calls of a model API, as batches and proxies write them: a request with its response, either both in the row
/// (`messages` with `choices`, `input` with `output`) or each in its own member (`request` or `body`, and `response`).
/// Pure.

#include <optional>

#include "convert/chat/row_shapes.hpp"

namespace parley::convert {

/// nullopt: the row is not a stored call.
[[nodiscard]] std::optional<RowConversation> stored_call(const Node& row);

}  // namespace parley::convert
