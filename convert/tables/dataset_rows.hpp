#pragma once
/// Items of data sets, as LangSmith and Langfuse export them: an input, what is expected, and metadata, each a text or an object.
/// One item becomes one row whose cells are the members of these objects. Pure.

#include "convert/records/conversion.hpp"
#include "convert/tables/columns.hpp"

namespace parley::convert {

/// Whether the row has an input and an expected output that may be objects.
[[nodiscard]] bool is_dataset_item(const Node& row);
/// Whether the rows of a table are such items: their inputs are objects, or the JSON texts of objects.
[[nodiscard]] bool are_dataset_items(const std::vector<Node>& rows);

/// A test of each item. Needs: an output was begun.
void add_dataset_item(Conversion& conversion, const Source& source, const Node& item);

}  // namespace parley::convert
