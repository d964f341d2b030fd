#pragma once
/// Tables of questions and answers in CSV, TSV and JSON Lines: which column is what comes from flags or from known headers.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_table(Conversion& conversion);
[[nodiscard]] int looks_like_table(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
