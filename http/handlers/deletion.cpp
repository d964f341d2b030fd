// Deletion for good (D25): runs with their results, single results, external logs. Nothing live is deleted; a run takes
// as many change sets as its transcripts need, its own record going last.

#include "http/handlers/handlers.hpp"
#include "http/lookup.hpp"
#include "http/page.hpp"
#include "model/external_log.hpp"
#include "model/run.hpp"
#include "store/list.hpp"
#include "store/unique_name.hpp"

namespace parley::http {
namespace {

/// Bounds of one change set, so that other writes do not wait long for it.
constexpr std::int64_t results_a_step = 200;
constexpr std::uint32_t entries_a_step = 10'000;

Problem is_live(std::string_view what) {
  return problem(ProblemKind::conflict, std::string(what) + " is still going; cancel it first");
}

actors::Completion<Done> answer_deleted(const ReplyTo& reply) {
  return [reply](Result<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(empty_reply());
  };
}

/// The run goes on without the result: cases that it expected cannot all come any more, so it forgets them (D44).
Result<Done> leave_run(const store::Snapshot& snapshot, const ResultHead& head, Time now,
                       store::ChangeSet& changes) {
  if (!head.run) return Done{};
  TRY(run, snapshot.find<Run>(head.run->id));
  if (!run) return Done{};
  if (!is_terminal(run->status)) return is_live("the run of this result");
  if (run->expected == 0 || head.retired_by) {
    changes.guard_revision(*run);
    return Done{};
  }
  Run after = *run;
  after.expected = 0;
  after.stamp.updated_at = std::max(now, Time{run->stamp.updated_at.ms + 1});
  changes.replace(*run, after);
  return Done{};
}

Result<store::ChangeSet> without_result(const store::Snapshot& snapshot, const Call& call, Time now) {
  TRY(head, record_at<ResultHead>(snapshot, call.id_text()));
  if (!is_terminal(head.status)) return is_live("the test result");
  store::ChangeSet changes;
  TRY(left, leave_run(snapshot, head, now, changes));
  static_cast<void>(left);
  changes.erase_result(head, snapshot.entry_count(head.stamp.id));
  return changes;
}

/// Takes away results of the run, at most a step's worth; true when none is left.
Result<bool> erase_results(const store::Snapshot& snapshot, const Id& run, store::ChangeSet& changes) {
  std::uint32_t entries = 0;
  for (const bool archived : {false, true}) {
    store::ListQuery query = list_of(RecordKind::test_result);
    add_filter(query, store::Facet::run, {store::value_of(run)});
    query.archived = archived;
    query.limit = results_a_step;
    TRY(page, store::list(snapshot, query));
    for (const Id& id : page.ids) {
      TRY(head, snapshot.find<ResultHead>(id));
      CHECK(head.has_value());
      if (!is_terminal(head->status)) return is_live("a result of the run");
      const std::uint32_t count = snapshot.entry_count(id);
      if (entries > 0 && entries + count > entries_a_step) return false;
      entries += count;
      changes.erase_result(*head, count);
    }
    if (page.total > results_a_step) return false;
  }
  return true;
}

Result<store::ChangeSet> without_run(const store::Snapshot& snapshot, const Call& call, bool& is_gone) {
  TRY(run, record_at<Run>(snapshot, call.id_text()));
  if (!is_terminal(run.status)) return is_live("the run");
  store::ChangeSet changes;
  TRY(is_last, erase_results(snapshot, run.stamp.id, changes));
  is_gone = is_last;
  if (is_last) {
    changes.erase_run(run);
  } else {
    changes.guard_revision(run);  // a retry that re-opens it meanwhile must be seen
  }
  return changes;
}

void delete_step(const Context& context, const CallPtr& call, const ReplyTo& reply) {
  const auto is_gone = std::make_shared<bool>(false);
  context.gateway.change_records(
      [call, is_gone](const store::Snapshot& snapshot, Time, IdSource&) {
        return without_run(snapshot, *call, *is_gone);
      },
      [call, is_gone, reply, &context](Result<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        if (!*is_gone) return delete_step(context, call, reply);
        reply(empty_reply());
      });
}

Result<store::ChangeSet> without_log(const store::Snapshot& snapshot, const Call& call) {
  TRY(log, record_at<ExternalLog>(snapshot, call.id_text()));
  store::ChangeSet changes;
  changes.erase(log);
  changes.release_unique(store::Namespace::external_id, store::unique_name(log.external_id));
  return changes;
}

}  // namespace

void delete_run(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  delete_step(context, call, reply);
}

void delete_result(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  context.gateway.change_records([call](const store::Snapshot& snapshot, Time now,
                                        IdSource&) { return without_result(snapshot, *call, now); },
                                 answer_deleted(reply));
}

void delete_external_log(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  context.gateway.change_records(
      [call](const store::Snapshot& snapshot, Time, IdSource&) { return without_log(snapshot, *call); },
      answer_deleted(reply));
}

}  // namespace parley::http
