#pragma once
/// promptfoo: configurations in YAML and JSON, tests in CSV, JSONL and YAML.

#include "convert/reading/csv.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_promptfoo(Conversion& conversion);
[[nodiscard]] int looks_like_promptfoo(const std::string& path, std::string_view text, const Node* head);

/// The rows of a table as tests of a configuration: `__expected` and such are read, other columns are variables.
[[nodiscard]] std::vector<Node> tests_of_table(const Table& table);
/// Whether the column is promptfoo's: `__expected`, `__description`, `__metadata:KEY`.
[[nodiscard]] bool is_promptfoo_header(std::string_view header);
[[nodiscard]] bool has_promptfoo_columns(const Table& table);

/// Tests without a configuration: a CSV or JSON Lines file of its own. Needs: an output was begun.
void import_bare_tests(Conversion& conversion, const Source& source, std::vector<Node> tests);

}  // namespace parley::convert
