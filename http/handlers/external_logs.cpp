// External conversation logs (D20, D24): one for each externalId, messages with ids of the service, smart tags.

#include "actors/deletion.hpp"
#include "http/handlers/record_operations.hpp"
#include "http/log_messages.hpp"
#include "model/external_log.hpp"
#include "model/tag.hpp"
#include "scoring/tag_rule.hpp"
#include "store/unique_name.hpp"

namespace parley::http {
namespace {

Result<std::vector<Tag>> smart_tags(const store::Snapshot& snapshot) {
  store::ListQuery query = list_of(RecordKind::tag);
  add_filter(query, store::Facet::smart, {store::nil_value});
  std::vector<Tag> tags;
  TRY(ids, store::all_ids(snapshot, query));
  for (const Id& id : ids) {
    TRY(tag, snapshot.find<Tag>(id));
    if (tag && tag->rule) tags.push_back(std::move(*tag));
  }
  return tags;
}

/// Adds the smart tags whose rule the log meets, as far as a log may have tags.
Result<Done> add_smart_tags(ExternalLog& log, const store::Snapshot& snapshot) {
  TRY(tags, smart_tags(snapshot));
  if (tags.empty()) return Done{};
  scoring::LogTexts texts(log);
  for (const Tag& tag : tags) {
    const Ref<RecordKind::tag> link{tag.stamp.id};
    const bool has_it = std::find(log.tags.begin(), log.tags.end(), link) != log.tags.end();
    if (has_it || log.tags.size() >= limits::links_max || !texts.meet(*tag.rule)) continue;
    log.tags.push_back(link);
  }
  return Done{};
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
  static Result<Done> settle(ExternalLog& log, const ExternalLog* before, const Draft& draft, Time now,
                             IdSource& ids) {
    if (gives(draft.body, "conversation")) {
      Findings none;  // told before
      log.conversation = conversation_of(read_messages(draft.body, none), now, ids);
    }
    return before == nullptr ? add_smart_tags(log, draft.snapshot) : Result<Done>(Done{});
  }
  static Result<Done> join(const ExternalLog& log, const ExternalLog* before, const store::Snapshot& snapshot,
                           store::ChangeSet& changes) {
    if (before != nullptr) return Done{};
    const std::string name = store::unique_name(log.external_id);
    TRY(owner, snapshot.unique(store::Namespace::external_id, name));
    if (owner) {
      return problem(ProblemKind::conflict,
                     "the log " + to_text(*owner) + " has this externalId already; change that one");
    }
    changes.claim_unique(store::Namespace::external_id, name, log.stamp.id);
    return Done{};
  }
  static void filter(QueryReader& reader, const Call& /*call*/, store::ListQuery& query) {
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

void delete_external_log(const Context& context, const store::Snapshot&, const CallPtr& call, ReplyTo reply) {
  const auto decide = [call](const store::Snapshot& snapshot, Time, IdSource&) -> Result<store::ChangeSet> {
    TRY(log, record_at<ExternalLog>(snapshot, call->id_text()));
    auto same = check_state(*call, [&] { return record_json(snapshot, log); });
    if (!same) return std::move(same).problem();
    return actors::deletion_of(log);
  };
  context.gateway.change_records(signed_by(call, decide), [reply](Result<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(empty_reply());
  });
}

}  // namespace parley::http
