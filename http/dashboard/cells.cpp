// The cells of a run. They are sent in columns, so that the answer for ten thousand results is small, and on request
// only the cells that changed since a revision.

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/cells_json.hpp"

namespace parley::http {

Expected<Reply> get_cells(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                          const Run& run) {
  QueryReader reader(call.query);
  const std::int64_t since = reader.integer("since", 0, INT64_MAX, 0);
  TRY_DONE(reader.result());
  TRY(is_background_work, is_large(snapshot, run));
  if (call.is_interactive && is_background_work) return cut_short();
  TRY(made, cells_of(snapshot, run));
  TRY(shown, cells_json(snapshot, run, made, since));
  return tagged_reply(std::move(shown), call.if_none_match);
}

}  // namespace parley::http
