#pragma once
/// Tables of questions and answers in CSV, TSV and JSON Lines. Flags or known headers determine the role of each
/// column.

#include <optional>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_table(Conversion& conversion);
[[nodiscard]] int looks_like_table(const std::string& path, std::string_view text, const Node* head);

/// Imports a CSV or TSV file for importers that accept one besides their own format. Needs: an output was started.
void import_csv(Conversion& conversion, const Source& source);
/// The rows of a CSV or TSV file as objects whose values are texts. nullopt: a fault was added.
[[nodiscard]] std::optional<std::vector<Node>> csv_rows(Conversion& conversion, const Source& source);
[[nodiscard]] bool is_csv(const std::string& path);

}  // namespace parley::convert
