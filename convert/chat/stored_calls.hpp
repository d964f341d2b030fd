#pragma once
/// Stored calls of the API of a model: a request with its response, in the row (`messages` with `choices`, `input` with `output`)
/// or each in a member of it (`request` or `body`, and `response`), as batches and proxies write them. Pure.

#include <optional>

#include "convert/chat/row_shapes.hpp"

namespace parley::convert {

/// nullopt: the row is something else.
[[nodiscard]] std::optional<RowConversation> stored_call(const Node& row);

}  // namespace parley::convert
