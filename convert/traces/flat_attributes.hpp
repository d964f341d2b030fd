#pragma once
/// Flattens attributes that are nested, as in the API and the data frames of Phoenix, to dotted names. Pure.

#include "convert/traces/spans.hpp"

namespace parley::convert {

/// Adds an attribute, and each value inside it under a dotted name: `{"model_name": "m"}` of `llm` as `llm.model_name`,
/// and the first item of `llm.input_messages` as `llm.input_messages.0`.
void add_flat(Attributes& out, const std::string& name, const Node& value);

/// Whether the node is a row of a data frame, with columns such as `context.trace_id` and
/// `attributes.llm.input_messages`.
[[nodiscard]] bool is_frame_row(const Node& node);
/// The attributes in the columns `attributes.*` of such a row.
[[nodiscard]] Attributes attributes_of_row(const Node& row);

}  // namespace parley::convert
