#pragma once
/// Reads CSV and TSV (RFC 4180 as spreadsheets write it): quoted cells may contain newlines, and the header determines
/// whether the separator is a comma, a semicolon or a tab. Plain values; one thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/source.hpp"

namespace parley::convert {

struct Cell {
  std::string text;
  Place place;
};

/// Invariant: every row has as many cells as there are headers; missing cells are empty.
struct Table {
  std::vector<Cell> headers;
  std::vector<std::vector<Cell>> rows;

  /// The position of the column; nullopt for an unknown name.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// nullopt: a fault was added. A row with more cells than headers is a fault, and so is an unterminated quoted cell.
[[nodiscard]] std::optional<Table> parse_csv(const Source& source, Faults& faults);

}  // namespace parley::convert
