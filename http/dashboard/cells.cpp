// The cells of a run (A3): columns, so that ten thousand results are a small answer, and only changes since a revision.

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/page.hpp"
#include "http/views/cells_json.hpp"

namespace parley::http {
namespace {

/// Beyond it a background thread writes the answer.
constexpr std::int64_t cells_at_once_max = 300;

}  // namespace

Expected<Reply> get_cells(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                          const Run& run) {
  QueryReader reader(call.query);
  const std::int64_t since = reader.integer("since", 0, INT64_MAX, 0);
  TRY_DONE(reader.result());
  TRY(counters, snapshot.run_counters(run.stamp.id));
  if (call.is_interactive && counters.total() > cells_at_once_max) return cut_short();
  TRY(made, cells_of(snapshot, run));
  TRY(shown, cells_json(snapshot, run, made, since));
  return tagged_reply(std::move(shown), call.if_none_match);
}

}  // namespace parley::http
