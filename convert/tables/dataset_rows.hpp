#pragma once
/// Items of data sets, as LangSmith and Langfuse export them: an input, an expected output and metadata, each a text or
/// an object. One item becomes one row, whose cells are the members of these objects. Pure.

#include "convert/records/conversion.hpp"
#include "convert/tables/columns.hpp"

namespace parley::convert {

/// Whether the row has an input and an expected output, which may be objects.
[[nodiscard]] bool is_dataset_item(const Node& row);
/// Whether the rows of a table are such items: their inputs are objects, or JSON texts of objects.
[[nodiscard]] bool are_dataset_items(const std::vector<Node>& rows);

/// Adds a test for the item. Needs: an output was started.
void add_dataset_item(Conversion& conversion, const Source& source, const Node& item);

}  // namespace parley::convert
