#pragma once
/// Reads CSV (RFC 4180) with the position of every cell. Pure; any thread.

#include "model/source/source_fault.hpp"

namespace parley::source {

struct Cell {
  std::string text;
  Span at;  ///< including quotation marks
};
using Row = std::vector<Cell>;

struct ReadCsv {
  std::vector<Row> rows;  ///< the header comes first; blank lines are left out
  std::vector<SourceFault> faults;
};

struct CsvBounds {
  std::size_t cells_max = 1'000'000;
};

/// Faults: an unterminated quotation mark, text after a closing one, not UTF-8, too many cells. Rows may
/// differ in length.
[[nodiscard]] ReadCsv read_csv(const SourceFilePtr& file, char separator = ',', const CsvBounds& bounds = {});

}  // namespace parley::source
