// POST /agents/local (D73, I61): a runner registers, says that it lives, and takes the oldest work that waits for it.
// Who is offered what is decided in one change set: the leases by their revision, each result by that of its head.

#include <algorithm>
#include <unordered_set>

#include "http/body.hpp"
#include "http/handlers/handlers.hpp"
#include "http/idempotency.hpp"
#include "http/local_bodies.hpp"
#include "http/page.hpp"
#include "model/agent.hpp"
#include "model/run.hpp"
#include "store/unique_name.hpp"
#include "store/waiting.hpp"

namespace parley::http {
namespace {

constexpr std::size_t offered_max = 100;
/// What one runner may hold without starting any; bounds the record of its leases.
constexpr std::size_t held_max = 1'000;
constexpr std::int64_t seen_again_after_ms = 60'000;

/// What a heartbeat is answered.
struct Offer {
  Id agent;
  std::optional<Id> run;
  std::vector<Id> results;
};

/// One heartbeat at work on one snapshot.
struct Heartbeat {
  const store::Snapshot& snapshot;
  Id agent;
  std::unordered_set<Id> held;
};

std::vector<store::FacetValue> unfinished() {
  std::vector<store::FacetValue> values;
  for (const RunStatus status : {RunStatus::fresh, RunStatus::pending, RunStatus::running}) {
    values.push_back(store::value_of(word_of(status)));
  }
  return values;
}

/// The agent's unfinished runs, oldest first. Archived ones too: that hides a run from lists, and its work goes on.
Result<std::vector<Id>> unfinished_runs(const Heartbeat& beat) {
  store::ListQuery query = list_of(RecordKind::run);
  add_filter(query, store::Facet::agent, {store::value_of(beat.agent)});
  add_filter(query, store::Facet::status, unfinished());
  TRY(runs, store::all_ids(beat.snapshot, query));
  query.archived = true;
  TRY(archived, store::all_ids(beat.snapshot, query));
  const auto middle = runs.insert(runs.end(), archived.begin(), archived.end());
  std::inplace_merge(runs.begin(), middle, runs.end());
  return runs;
}

/// Work of the oldest run that has some, else results without a run.
Result<Done> find_work(const Heartbeat& beat, std::size_t most, Offer& offer) {
  const auto is_free = [&](const Id& id) { return !beat.held.contains(id); };
  if (store::waiting_of(beat.snapshot, beat.agent, is_free, 1).empty()) return Done{};
  TRY(runs, unfinished_runs(beat));
  for (const Id& run : runs) {
    offer.results = store::waiting_of_run(beat.snapshot, beat.agent, run, is_free, most);
    if (offer.results.empty()) continue;
    offer.run = run;
    return Done{};
  }
  const auto stands_alone = [&](const Id& id) {
    const auto head = beat.snapshot.find<ResultHead>(id);
    return is_free(id) && head.ok() && *head && !(*head)->run;
  };
  offer.results = store::waiting_of(beat.snapshot, beat.agent, stands_alone, most);
  return Done{};
}

/// Renews what the runner holds and has not started, and adds what it is offered.
Result<Done> lease(const store::Snapshot& snapshot, Time now, std::int64_t lease_ms, Offer& offer,
                   store::ChangeSet& changes) {
  TRY(leases, store::leases_of(snapshot, offer.agent));
  const bool had_any = !leases.results.empty();
  const bool is_over = now >= leases.until;
  std::erase_if(leases.results,
                [&](const Id& id) { return is_over || !is_waiting(snapshot, offer.agent, id); });
  const Heartbeat beat{snapshot, offer.agent, {leases.results.begin(), leases.results.end()}};
  const std::size_t most = std::min(offered_max, held_max - std::min(held_max, leases.results.size()));
  if (most > 0) {
    TRY(found, find_work(beat, most, offer));
    static_cast<void>(found);
  }
  for (const Id& id : offer.results) {
    TRY(head, snapshot.value(store::TableId::result_heads, id.key()));
    CHECK(head.has_value());
    changes.guards.push_back({store::TableId::result_heads, std::string(id.key()), head->revision});
    leases.results.push_back(id);
  }
  leases.until = Time{now.ms + lease_ms};
  if (had_any || !leases.results.empty()) put_leases(changes, offer.agent, leases);
  return Done{};
}

/// The agent as the heartbeat leaves it.
Agent heard(const Agent& before, const LocalAgentBody& body, Time now) {
  Agent after = before;
  after.name = body.name;
  if (!before.last_seen_at || now.ms - before.last_seen_at->ms >= seen_again_after_ms)
    after.last_seen_at = now;
  return after;
}

Result<store::ChangeSet> decide(const store::Snapshot& snapshot, const LocalAgentBody& body, const Call& call,
                                const Context& context, Time now, IdSource& ids, Offer& offer) {
  offer = {};
  store::ChangeSet changes;
  const std::string name =
      std::string(call.principal.user.key()) + store::unique_name(body.unique_identifier);
  TRY(known, snapshot.unique(store::Namespace::local_agent, name));
  if (!known) {
    Agent fresh = heard({}, body, now);
    fresh.stamp = {ids.next(now), now, 1};
    fresh.type = "LOCAL";
    fresh.owner = Ref<RecordKind::user>{call.principal.user};
    fresh.unique_identifier = body.unique_identifier;
    offer.agent = fresh.stamp.id;
    changes.create(fresh);
    changes.claim_unique(store::Namespace::local_agent, name, offer.agent);
    return changes;
  }
  offer.agent = *known;
  TRY(before, snapshot.find<Agent>(*known));
  CHECK(before.has_value());
  Agent after = heard(*before, body, now);
  if (write_stored(after) != write_stored(*before)) {
    after.stamp.updated_at = std::max(now, Time{before->stamp.updated_at.ms + 1});
    changes.replace(*before, after);
  }
  if (!after.is_enabled || after.is_archived || after.type != "LOCAL") return changes;
  TRY(leased, lease(snapshot, now, context.options.local_lease_ms, offer, changes));
  static_cast<void>(leased);
  return changes;
}

Reply reply_of(const Offer& offer) {
  json::Writer out;
  out.begin_object().member("agent_id", to_text(offer.agent));
  if (offer.run) out.member("run_id", to_text(*offer.run));
  if (!offer.results.empty()) {
    out.key("test_result_ids").begin_array();
    for (const Id& id : offer.results) out.string(to_text(id));
    out.end_array();
  }
  out.end_object();
  return json_reply(std::move(out).text());
}

/// The agent; where it was offered work, the run (nil: none) and the first and last of the results, which are the oldest
/// that waited and so stand in the order of their ids.
KeptIds kept_of(const Offer& offer) {
  KeptIds ids{offer.agent};
  if (offer.results.empty()) return ids;
  ids.push_back(offer.run.value_or(Id{}));
  ids.push_back(offer.results.front());
  ids.push_back(offer.results.back());
  return ids;
}

/// What the runner still holds of an offer and has not started.
Result<std::vector<Id>> held_of(const store::Snapshot& snapshot, const KeptIds& ids, Time now) {
  std::vector<Id> held;
  if (ids.size() != 4) return held;
  TRY(leases, store::leases_of(snapshot, ids[0]));
  if (now >= leases.until) return held;
  for (const Id& id : leases.results) {
    if (id < ids[2] || ids[3] < id || !is_waiting(snapshot, ids[0], id)) continue;
    TRY(head, snapshot.find<ResultHead>(id));
    const Id run = head && head->run ? head->run->id : Id{};
    if (head && run == ids[1]) held.push_back(id);
  }
  return held;
}

}  // namespace

Result<Reply> register_local_agent_again(const Context& context, const store::Snapshot& snapshot, const Call&,
                                         const KeptIds& ids) {
  Offer offer;
  offer.agent = ids.front();
  TRY(held, held_of(snapshot, ids, context.clock.now()));
  offer.results = std::move(held);
  if (!offer.results.empty() && !ids[1].is_nil()) offer.run = ids[1];
  return reply_of(offer);
}

void register_local_agent(const Context& context, const store::Snapshot&, const CallPtr& call,
                          ReplyTo reply) {
  auto body = read_body(*call);
  if (!body) return reply(std::move(body).problem());
  Findings findings;
  findings.strict = call->prefer.is_strict;
  const auto given = parse_body<LocalAgentBody>(body->root(), findings);
  if (auto fine = faults_of(std::move(findings)); !fine) return reply(std::move(fine).problem());
  const auto offer = std::make_shared<Offer>();
  context.gateway.change_records(
      once(
          call,
          [given, call, offer, &context](const store::Snapshot& snapshot, Time now, IdSource& ids) {
            return decide(snapshot, given, *call, context, now, ids, *offer);
          },
          [offer] { return kept_of(*offer); }),
      [offer, reply](Result<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        reply(reply_of(*offer));
      });
}

}  // namespace parley::http
