// The failures of a run in groups, and the notes on the groups.

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/lists/page.hpp"
#include "http/views/failure_groups.hpp"
#include "http/views/failure_of.hpp"
#include "store/side/failure_notes.hpp"

namespace parley::http {
namespace {

/// Problem: 404 if no result of the run is in the group.
Expected<Done> check_group(const store::Snapshot& snapshot, const Run& run, const std::string& signature) {
  TRY(cells, cells_of(snapshot, run));
  for (const Cell& cell : cells.cells) {
    TRY(group, group_of(snapshot, *cell.head, cell.state));
    if (!group.empty() && group == signature) return Done{};
  }
  return unknown_record("group of failures", signature);
}

void save_note(const Context& context, const RequestContextPtr& call, const store::FailureGroup& group,
               const std::string& note, const ReplyTo& reply) {
  const auto decide = [group, note](const store::Snapshot& now_stored, Time,
                                    IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    TRY_DONE(store::put_failure_note(changes, now_stored, group, note));
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [note, reply](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    json::Writer out;
    out.begin_object().member_or_null("note", note.empty() ? std::nullopt : std::optional(note)).end_object();
    reply(json_reply(std::move(out).text()));
  });
}

}  // namespace

Expected<Reply> get_failures(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                             const Run& run) {
  TRY(is_background_work, is_large(snapshot, run));
  if (call.is_interactive && is_background_work) return cut_short();
  TRY(cells, cells_of(snapshot, run));
  TRY(shown, failure_groups_json(snapshot, run, cells));
  return tagged_reply(std::move(shown), call.if_none_match);
}

/// A large run has many results to read, so the group is searched for on a background thread.
void put_failure_note(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                      ReplyTo reply, const Run& run, const FailureNoteBody& body) {
  context.gateway.in_background(
      [&context, call, reply, run, note = body.note.value_or("")](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        reply.guarded([&] {
          const std::string& signature = call->path_values.at(1);
          if (auto found = check_group(context.store.snapshot(), run, signature); !found)
            return reply(std::move(found).problem());
          save_note(context, call, {run.scenario.id, signature}, note, reply);
        });
      });
}

}  // namespace parley::http
