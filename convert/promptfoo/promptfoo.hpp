#pragma once
/// promptfoo: configurations in YAML and JSON, tests in CSV, JSONL and YAML.

#include "convert/reading/csv.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_promptfoo(Conversion& conversion);
[[nodiscard]] int looks_like_promptfoo(const std::string& path, std::string_view text, const Node* head);

/// Converts table rows to tests of a configuration: `__expected` and similar columns are read, other columns are
/// variables.
[[nodiscard]] std::vector<Node> tests_of_table(const Table& table);
/// Whether the column belongs to promptfoo: `__expected`, `__description`, `__metadata:KEY`.
[[nodiscard]] bool is_promptfoo_header(std::string_view header);
[[nodiscard]] bool has_promptfoo_columns(const Table& table);

/// Imports tests without a configuration, such as a separate CSV or JSON Lines file. Needs: an output was started.
void import_bare_tests(Conversion& conversion, const Source& source, std::vector<Node> tests);

}  // namespace parley::convert
