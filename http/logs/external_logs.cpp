// External conversation logs (D20, D24): one per externalId, with messages that get their ids from the server, and
// smart tags.

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/records/deletion.hpp"
#include "http/bodies/log_messages.hpp"
#include "http/handlers/record_operations.hpp"
#include "http/logs/new_logs.hpp"
#include "model/records/external_log.hpp"
#include "model/records/tag.hpp"
#include "scoring/support/tag_rule.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

/// Rules that need more work are evaluated in the background. The limit is some 20 ms of a thread that serves many
/// clients.
constexpr Steps work_at_once_max = 8'000'000;
constexpr std::size_t log_bytes_at_once_max = 64 * 1024;

/// A checked log whose smart tags are not set yet.
struct NewLog {
  RequestContextPtr call;
  Body body;
  std::shared_ptr<ExternalLog> log;
  std::vector<Id> smart;
};

void save_tagged(const Context& context, const NewLog& made, const ReplyTo& reply, Tagging tagging) {
  made.log->tags = std::move(tagging.tags);
  save_new(context, made.call, made.body, made.log, reply);
}

void tag_and_save(const Context& context, const NewLog& made, const ReplyTo& reply) {
  auto tagging = tagging_of(context, *made.log, made.smart, scoring::rule_work_max);
  if (!tagging) return reply(std::move(tagging).problem());
  if (tagging->is_cut_short) {
    spdlog::warn("smart tags left out request={} reason=\"their rules are too much work for one log\"",
                 made.call->request_id);
  }
  save_tagged(context, made, reply, std::move(tagging).value());
}

}  // namespace

template <>
struct Specials<ExternalLog> : NoSpecials<ExternalLog> {
  static void complete(ExternalLog& log, const Draft& draft) {
    if (!log.timestamp) log.timestamp = draft.context.clock.now();
  }
  static void check(const ExternalLog& /*log*/, const ExternalLog* /*before*/, const Draft& draft,
                    Findings& findings) {
    static_cast<void>(read_messages(draft.body, findings));
  }
  static Expected<Done> settle(ExternalLog& log, const ExternalLog* before, const Draft& draft, Time now,
                               IdSource& ids) {
    take_conversation(log, draft.body, now, ids);
    if (before != nullptr && gives(draft.body, "conversation")) forget_verdict(log);
    return Done{};
  }
  static Expected<Done> join(const ExternalLog& log, const ExternalLog* before,
                             const store::Snapshot& snapshot, Time /*now*/, store::ChangeSet& changes) {
    return before == nullptr ? claim_external_id(log, snapshot, changes) : Done{};
  }
  static void filter(QueryReader& reader, const RequestContext& /*call*/, store::ListQuery& query) {
    filter_by_id(reader, query, "tag", RecordKind::tag, store::Facet::tag);
    filter_by_id(reader, query, "agent", RecordKind::agent, store::Facet::linked_agent);
    if (const auto source = reader.text("externalSource")) {
      add_filter(query, store::Facet::external_source, {store::value_of(*source)});
    }
    if (const auto id = reader.text("externalId")) {
      add_filter(query, store::Facet::external_id, {store::value_of(*id)});
    }
  }
};

template struct RecordOperations<ExternalLog>;

Expected<std::vector<Id>> smart_tags(const store::Snapshot& snapshot) {
  store::ListQuery query = list_of(RecordKind::tag);
  add_filter(query, store::Facet::smart, {store::nil_value});
  return store::all_ids(snapshot, query);
}

Expected<Tagging> tagging_of(const Context& context, const ExternalLog& log, const std::vector<Id>& smart,
                             Steps work) {
  Tagging made{log.tags};
  const scoring::StopFlag& is_stopping = context.gateway.is_stopping();
  scoring::LogTexts texts(log, work, &is_stopping);
  for (const Id& id : smart) {
    const Ref<RecordKind::tag> link{id};
    const bool has_it = std::find(made.tags.begin(), made.tags.end(), link) != made.tags.end();
    if (has_it || made.tags.size() >= limits::links_max) continue;
    TRY(tag, context.store.snapshot().find<Tag>(id));
    const bool is_at_work = tag && tag->is_smart && !tag->is_archived && tag->rule;
    if (is_at_work && texts.meet(*tag->rule)) made.tags.push_back(link);
    if (is_stopping) return problem(ProblemKind::draining, "the server is stopping");
    if (texts.ran_out()) break;
  }
  made.is_cut_short = texts.ran_out();
  return made;
}

Expected<ExternalLog> read_log(const Context& context, const store::Snapshot& snapshot,
                               const RequestContext& call, const json::Value& body) {
  return drafted<ExternalLog>(Draft{context, snapshot, call, body}, nullptr);
}

void take_conversation(ExternalLog& log, const json::Value& body, Time now, IdSource& ids) {
  if (!gives(body, "conversation")) return;
  Findings none;  // the faults were already reported
  log.conversation = conversation_of(read_messages(body, none), now, ids);
}

Expected<Done> claim_external_id(const ExternalLog& log, const store::Snapshot& snapshot,
                                 store::ChangeSet& changes) {
  const std::string name = store::unique_name(log.external_id);
  TRY(owner, snapshot.unique(store::Namespace::external_id, name));
  if (owner) {
    return problem(ProblemKind::conflict,
                   "the log " + to_text(*owner) + " already has this externalId; change that log");
  }
  changes.claim_unique(store::Namespace::external_id, name, log.stamp.id);
  return Done{};
}

/// Smart tags are added before the change is passed on, because the actor of all records must not wait for rules.
void create_external_log(const Context& context, const store::Snapshot& snapshot,
                         const RequestContextPtr& call, ReplyTo reply, New<ExternalLog> in) {
  const json::Value root = in.body.root();
  auto log = drafted<ExternalLog>(Draft{context, snapshot, *call, root}, nullptr);
  if (!log) return reply(std::move(log).problem());
  auto smart = smart_tags(snapshot);
  if (!smart) return reply(std::move(smart).problem());
  const NewLog made{call, in.body, std::make_shared<ExternalLog>(std::move(*log)), std::move(*smart)};
  if (made.smart.empty()) return save_new(context, call, made.body, made.log, reply);
  if (made.log->conversation.text.size() <= log_bytes_at_once_max) {
    auto tagging = tagging_of(context, *made.log, made.smart, work_at_once_max);
    if (!tagging) return reply(std::move(tagging).problem());
    if (!tagging->is_cut_short) return save_tagged(context, made, reply, std::move(*tagging));
  }
  context.gateway.in_background([&context, made, reply](Expected<Done> turn) {
    if (!turn.ok()) return reply(std::move(turn).problem());
    tag_and_save(context, made, reply);
  });
}

namespace {

/// The filter for lists of logs by their saved verdicts.
struct VerdictFilter {
  std::optional<bool> overall_passed;
  std::int64_t least = 0;
  std::int64_t most = 100;

  [[nodiscard]] bool is_any() const { return !overall_passed && least == 0 && most == 100; }
  [[nodiscard]] bool takes(const ExternalLog& log) const {
    return log.score && *log.score >= least && *log.score <= most &&
           (!overall_passed || overall_passed == log.overall_passed);
  }
};

Expected<VerdictFilter> read_verdict_filter(const RequestContext& call) {
  QueryReader reader(call.query);
  VerdictFilter filter;
  filter.overall_passed = reader.flag("overallPassed");
  filter.least = reader.integer("minScore", 0, 100, 0);
  filter.most = reader.integer("maxScore", 0, 100, 100);
  TRY_DONE(reader.result());
  return filter;
}

}  // namespace

Expected<Reply> list_external_logs(const Context&, const store::Snapshot& snapshot,
                                   const RequestContext& call) {
  TRY(filter, read_verdict_filter(call));
  store::ListQuery query = list_of(RecordKind::external_log);
  if (!filter.is_any()) {
    query.predicate = [&snapshot, filter](const Id& id) {
      const auto log = snapshot.find<ExternalLog>(id);
      return log.ok() && *log && filter.takes(**log);
    };
  }
  return list_records<ExternalLog>(snapshot, call, std::move(query));
}

void delete_external_log(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                         ReplyTo reply) {
  delete_record<ExternalLog>(context, call, reply,
                             [](const ExternalLog& log) { return actors::deletion_of(log); });
}

}  // namespace parley::http
