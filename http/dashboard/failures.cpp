// The failures of a run in groups (A4).

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/page.hpp"
#include "http/views/failure_groups.hpp"

namespace parley::http {
namespace {

/// Beyond it a background thread makes the answer.
constexpr std::size_t grouped_at_once_max = 300;

}  // namespace

Expected<Reply> get_failures(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                             const Run& run) {
  TRY(cells, cells_of(snapshot, run));
  if (call.is_interactive && cells.cells.size() > grouped_at_once_max) return cut_short();
  TRY(shown, failure_groups_json(snapshot, run, cells));
  return tagged_reply(std::move(shown), call.if_none_match);
}

}  // namespace parley::http
