#include "convert/exporting/csv_cells.hpp"

namespace parley::convert {

std::string csv_row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    const std::string& cell = cells[i];
    const bool has_blank_end = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
    if (cell.find_first_of(",;\t\"\r\n") == std::string::npos && !has_blank_end) {
      out += cell;
      continue;
    }
    out += '"';
    for (const char c : cell) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  return out + "\r\n";
}

std::string for_spreadsheet(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  return text;
}

}  // namespace parley::convert
