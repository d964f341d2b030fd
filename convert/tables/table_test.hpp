#pragma once
/// Converts table rows to a test: the user's texts, the expected values, and all other columns as fields. One thread.

#include <string_view>
#include <vector>

#include "convert/records/conversion.hpp"
#include "convert/tables/columns.hpp"

namespace parley::convert {

/// Adds the rows of one conversation, in order. Needs: at least one row, and a column that is the user's text.
void add_table_test(Conversion& conversion, const Source& source, const Columns& columns,
                    const std::vector<const Node*>& rows);

/// Whether the cell marks a missing value: empty, `-` or `n/a`.
[[nodiscard]] bool is_absent(std::string_view cell);

}  // namespace parley::convert
