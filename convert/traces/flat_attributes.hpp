#pragma once
/// Attributes that are nested where others have names with dots: the API and the data frames of Phoenix. Pure.

#include "convert/traces/spans.hpp"

namespace parley::convert {

/// Adds an attribute, and each value inside it under a name with dots: `{"model_name": "m"}` of `llm` as `llm.model_name`, and the
/// first of `llm.input_messages` as `llm.input_messages.0`.
void add_flat(Attributes& out, const std::string& name, const Node& value);

/// Whether the node is a row of a data frame, whose columns are `context.trace_id`, `attributes.llm.input_messages` and so on.
[[nodiscard]] bool is_frame_row(const Node& node);
/// The columns `attributes.*` of such a row.
[[nodiscard]] Attributes attributes_of_row(const Node& row);

}  // namespace parley::convert
