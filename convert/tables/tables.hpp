#pragma once
/// Tables of questions and answers in CSV, TSV and JSON Lines: which column is what comes from flags or from known headers.

#include <optional>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_table(Conversion& conversion);
[[nodiscard]] int looks_like_table(const std::string& path, std::string_view text, const Node* head);

/// A CSV or TSV file for importers that take one besides their own format. Needs: an output was begun.
void import_csv(Conversion& conversion, const Source& source);
/// The rows of a CSV or TSV file as objects of texts. nullopt: a fault was added.
[[nodiscard]] std::optional<std::vector<Node>> csv_rows(Conversion& conversion, const Source& source);
[[nodiscard]] bool is_csv(const std::string& path);

}  // namespace parley::convert
