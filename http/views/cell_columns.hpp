#pragma once
/// Cells as JSON columns: `row[] n[] id[] state score[] turns[] time[] usd[] group[] attempt[]`, all of the same
/// length; `state` is one string with one letter per cell. A value on one thread.

#include <array>
#include <string>

#include "http/views/run_cells.hpp"
#include "model/json/json_writer.hpp"

namespace parley::http {

class CellColumns {
 public:
  void add(const Cell& cell, const CellFigures& figures);
  /// Adds the planned cells that have no result yet: state `-`, id null.
  void add_missing(const std::vector<CellRow>& rows);
  /// Writes the columns as members of the open object.
  void write(json::Writer& out) const;
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  void add_value(std::size_t column, std::string_view json);

  std::array<std::string, 9> columns_;  ///< JSON values, separated by commas
  std::string states_;
};

/// Writes the member `tests`: what the numbers in `row` mean, and how many cells of each row are planned.
void write_cell_rows(json::Writer& out, const store::Snapshot& snapshot, const std::vector<CellRow>& rows);

}  // namespace parley::http
