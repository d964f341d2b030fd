#include "http/views/cells_json.hpp"

#include <algorithm>

#include "http/views/cell_columns.hpp"

namespace parley::http {
namespace {

/// A commit may become visible up to this long after the timestamp of its records.
constexpr std::int64_t late_commit_ms = 10'000;

}  // namespace

Expected<std::string> cells_json(const store::Snapshot& snapshot, const Run& run, const RunCells& cells,
                                 std::int64_t since) {
  CellColumns columns;
  std::int64_t rev = run.stamp.updated_at.ms;
  for (const Cell& cell : cells.cells) {
    TRY(figures, figures_of(snapshot, cell));
    rev = std::max(rev, figures.changed.ms);
    if (figures.changed.ms + late_commit_ms >= since) columns.add(cell, figures);
  }
  if (since == 0) columns.add_missing(cells.rows);
  json::Writer out;
  out.begin_object();
  out.key("rev").integer(rev);
  if (cells.omitted > 0) out.key("omitted").integer(cells.omitted);
  write_cell_rows(out, snapshot, cells.rows);
  columns.write(out);
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley::http
