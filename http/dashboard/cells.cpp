// The cells of a run (A3): columns, so that ten thousand results are a small answer, and only what changed since a revision.

#include <algorithm>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/page.hpp"
#include "http/views/cell_columns.hpp"
#include "http/views/run_cells.hpp"

namespace parley::http {
namespace {

/// Beyond it a background thread makes the answer.
constexpr std::size_t cells_at_once_max = 300;
/// A commit may become visible this long after the time that its records carry.
constexpr std::int64_t late_commit_ms = 10'000;

}  // namespace

Expected<Reply> get_cells(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                          const Run& run) {
  QueryReader reader(call.query);
  const std::int64_t since = reader.integer("since", 0, INT64_MAX, 0);
  TRY_DONE(reader.result());
  TRY(made, cells_of(snapshot, run));
  if (call.is_interactive && made.cells.size() > cells_at_once_max) return cut_short();
  CellColumns columns;
  std::int64_t rev = run.stamp.updated_at.ms;
  for (const Cell& cell : made.cells) {
    TRY(figures, figures_of(snapshot, cell));
    rev = std::max(rev, figures.changed.ms);
    if (figures.changed.ms + late_commit_ms >= since) columns.add(cell, figures);
  }
  if (since == 0) columns.add_missing(made.rows);
  json::Writer out;
  out.begin_object();
  out.key("rev").integer(rev);
  if (made.omitted > 0) out.key("omitted").integer(made.omitted);
  write_cell_rows(out, snapshot, made.rows);
  columns.write(out);
  out.end_object();
  return tagged_reply(std::move(out).text(), call.if_none_match);
}

}  // namespace parley::http
