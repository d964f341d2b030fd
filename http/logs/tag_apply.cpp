// POST /tags/{id}/apply (D107): adds a smart tag to the stored logs that match its rule.

#include <algorithm>

#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/logs/new_logs.hpp"
#include "model/json/json_writer.hpp"
#include "model/records/tag.hpp"

namespace parley::http {
namespace {

/// The number of logs that are checked on one snapshot and changed in one change set.
constexpr std::size_t applied_at_once_max = 256;

/// One request. It processes the logs in the order of their ids, chunk by chunk.
struct Applying {
  const Context& context;
  RequestContextPtr call;
  ReplyTo reply;
  Id tag;
  Id after = {};  ///< the last log that was checked
  bool is_at_end = false;
  std::size_t checked = 0;
  std::size_t tagged = 0;
  std::size_t in_commit = 0;  ///< logs tagged by the change set in progress
};
using ApplyingPtr = std::shared_ptr<Applying>;

Reply applied_reply(const Applying& work) {
  json::Writer out;
  out.begin_object();
  out.key("checked").integer(static_cast<std::int64_t>(work.checked));
  out.key("tagged").integer(static_cast<std::int64_t>(work.tagged));
  out.end_object();
  return json_reply(std::move(out).text());
}

bool has_tag(const ExternalLog& log, const Id& tag) {
  return std::any_of(log.tags.begin(), log.tags.end(), [&](const auto& each) { return each.id == tag; });
}

/// The logs of the next chunk that match the rule and lack the tag. Problem: draining.
Expected<std::vector<Id>> fitting(Applying& work) {
  const std::vector<Id> chunk =
      work.context.store.snapshot().ids_in({RecordKind::external_log}, work.after, applied_at_once_max);
  work.is_at_end = chunk.size() < applied_at_once_max;
  std::vector<Id> found;
  for (const Id& id : chunk) {
    work.after = id;
    TRY(log, work.context.store.snapshot().find<ExternalLog>(id));
    if (!log) continue;  // deleted in the meantime
    ++work.checked;
    if (has_tag(*log, work.tag)) continue;
    TRY(tagging, tagging_of(work.context, *log, {work.tag}, scoring::rule_work_max));
    if (tagging.tags.size() > log->tags.size()) found.push_back(id);
  }
  return found;
}

Expected<store::ChangeSet> tagged_logs(Applying& work, const std::vector<Id>& logs,
                                       const store::Snapshot& snapshot, Time now) {
  store::ChangeSet changes;
  work.in_commit = 0;
  for (const Id& id : logs) {
    TRY(before, snapshot.find<ExternalLog>(id));
    if (!before || has_tag(*before, work.tag) || before->tags.size() >= limits::links_max) continue;
    ExternalLog after = *before;
    after.tags.push_back(Ref<RecordKind::tag>{work.tag});
    after.stamp.updated_at = std::max(now, Time{before->stamp.updated_at.ms + 1});
    changes.replace(*before, after);
    ++work.in_commit;
  }
  return changes;
}

void apply_on(const ApplyingPtr& work);

void save(const ApplyingPtr& work, std::vector<Id> logs) {
  const auto decide = [work, logs = std::move(logs)](const store::Snapshot& snapshot, Time now, IdSource&) {
    return tagged_logs(*work, logs, snapshot, now);
  };
  work->context.gateway.change_records(signed_by(work->call, decide), [work](Expected<Done> done) {
    if (!done.ok()) return work->reply(std::move(done).problem());
    work->tagged += work->in_commit;
    apply_on(work);
  });
}

/// Each chunk waits for its turn in the background, so that other long work can run in between.
void apply_on(const ApplyingPtr& work) {
  if (work->is_at_end) return work->reply(applied_reply(*work));
  work->context.gateway.in_background([work](Expected<Done> turn) {
    if (!turn.ok()) return work->reply(std::move(turn).problem());
    work->reply.guarded([&] {
      std::vector<Id> logs;
      while (logs.empty() && !work->is_at_end) {
        auto found = fitting(*work);
        if (!found) return work->reply(std::move(found).problem());
        logs = std::move(*found);
      }
      if (logs.empty()) return work->reply(applied_reply(*work));
      save(work, std::move(logs));
    });
  });
}

}  // namespace

void apply_tag(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
               const Tag& tag, NoBody) {
  if (!tag.is_smart || tag.is_archived)
    return reply(problem(ProblemKind::conflict, "only a smart tag that is not archived can be applied"));
  apply_on(std::make_shared<Applying>(Applying{context, call, reply, tag.stamp.id}));
}

}  // namespace parley::http
