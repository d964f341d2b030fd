#pragma once
/// Rows of CSV files (RFC 4180). Pure.

#include <string>
#include <string_view>
#include <vector>

namespace parley::convert {

/// The cells as a line with separators and a line end, quoted where needed.
[[nodiscard]] std::string csv_row(const std::vector<std::string>& cells);
/// The text made safe for spreadsheets: prefixed with `'` if a spreadsheet would read it as a formula.
[[nodiscard]] std::string for_spreadsheet(std::string text);

}  // namespace parley::convert
