#pragma once
/// Cells as JSON columns: `row[] n[] id[] state score[] turns[] time[] usd[] group[] attempt[]`, all of one length; `state`
/// is one string with a letter for each cell. A value on one thread.

#include <array>
#include <string>

#include "http/views/run_cells.hpp"
#include "model/json/json_writer.hpp"

namespace parley::http {

class CellColumns {
 public:
  void add(const Cell& cell, const CellFigures& figures);
  /// Cells of the plan that no result fills yet: state `-`, id null.
  void add_missing(const std::vector<CellRow>& rows);
  /// As members of the object that is open.
  void write(json::Writer& out) const;
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  void add_value(std::size_t column, std::string_view json);

  std::array<std::string, 9> columns_;  ///< JSON values, separated by commas
  std::string states_;
};

/// The member `tests`: the meaning of the numbers in `row`, and the number of planned cells of each row.
void write_cell_rows(json::Writer& out, const store::Snapshot& snapshot, const std::vector<CellRow>& rows);

}  // namespace parley::http
