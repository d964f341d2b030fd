#include "actors/driving/runner_heartbeat.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/check.hpp"
#include "model/records/agent.hpp"
#include "model/records/run.hpp"
#include "store/engine/encoding.hpp"
#include "store/list.hpp"
#include "store/side/runner_leases.hpp"

namespace parley::actors {
namespace {

constexpr std::size_t offered_max = 100;
/// The most results that one runner may hold without starting them; bounds the record of its leases.
constexpr std::size_t held_max = 1'000;
constexpr std::int64_t seen_again_after_ms = 60'000;

/// One heartbeat, decided on one snapshot.
struct Beat {
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

/// The agent's unfinished runs, oldest first, including archived ones: archiving hides a run from lists, but its work continues.
Expected<std::vector<Id>> unfinished_runs(const Beat& beat) {
  store::ListQuery query{.kind = RecordKind::run,
                         .filters = {{store::Facet::agent, {store::value_of(beat.agent)}},
                                     {store::Facet::status, unfinished()}}};
  TRY(runs, store::all_ids(beat.snapshot, query));
  query.archived = true;
  TRY(archived, store::all_ids(beat.snapshot, query));
  const auto middle = runs.insert(runs.end(), archived.begin(), archived.end());
  std::inplace_merge(runs.begin(), middle, runs.end());
  return runs;
}

/// Finds work of the oldest run that has any, else results without a run.
Expected<Done> find_work(const Beat& beat, std::size_t most, RunnerOffer& offer) {
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

/// Renews the leases of results that the runner holds and has not started, and adds the results that it is
/// offered.
Expected<Done> lease(const store::Snapshot& snapshot, Time now, std::int64_t lease_ms, RunnerOffer& offer,
                     store::ChangeSet& changes) {
  TRY(leases, store::leases_of(snapshot, offer.agent));
  const bool had_any = !leases.results.empty();
  const bool is_over = now >= leases.until;
  std::erase_if(leases.results,
                [&](const Id& id) { return is_over || !is_waiting(snapshot, offer.agent, id); });
  const Beat beat{snapshot, offer.agent, {leases.results.begin(), leases.results.end()}};
  const std::size_t most = std::min(offered_max, held_max - std::min(held_max, leases.results.size()));
  if (most > 0) {
    TRY_DONE(find_work(beat, most, offer));
  }
  for (const Id& id : offer.results) {
    TRY(head, snapshot.value(store::TableId::result_heads, id.key()));
    if (!head) return snapshot.report(store::TableId::result_heads, id.key());
    changes.guards.push_back({store::TableId::result_heads, std::string(id.key()), head->revision});
    leases.results.push_back(id);
  }
  leases.until = Time{now.ms + lease_ms};
  if (had_any || !leases.results.empty()) put_leases(changes, offer.agent, leases);
  return Done{};
}

/// The agent that this runner drives; nullopt: it has none yet. If suite files own the agent, its runner is
/// named `project/key` (ADR 66).
Expected<std::optional<Id>> known_agent(const store::Snapshot& snapshot, const Heartbeat& beat,
                                        const std::string& name) {
  const std::string_view runner = beat.runner;
  if (const std::size_t slash = runner.find('/'); slash != std::string_view::npos) {
    TRY(applied, snapshot.unique(store::Namespace::applied,
                                 store::applied_name(static_cast<int>(RecordKind::agent),
                                                     runner.substr(0, slash), runner.substr(slash + 1))));
    if (applied) {
      TRY(agent, snapshot.find<Agent>(*applied));
      if (agent && agent->type == "LOCAL") return applied;
    }
  }
  return snapshot.unique(store::Namespace::local_agent, name);
}

/// The agent after the heartbeat. An agent that suite files own keeps its name.
Agent heard(const Agent& before, const std::string& name, Time now) {
  Agent after = before;
  if (!before.applied.project) after.name = name;
  if (!before.last_seen_at || now.ms - before.last_seen_at->ms >= seen_again_after_ms)
    after.last_seen_at = now;
  return after;
}

}  // namespace

Expected<store::ChangeSet> decide_heartbeat(const store::Snapshot& snapshot, const Heartbeat& beat, Time now,
                                            IdSource& ids, RunnerOffer& offer) {
  offer = {};
  store::ChangeSet changes;
  const std::string name = std::string(beat.owner.key()) + store::unique_name(beat.runner);
  TRY(known, known_agent(snapshot, beat, name));
  if (!known) {
    Agent fresh = heard({}, beat.agent_name, now);
    fresh.stamp = {ids.next(now), now, 1};
    fresh.type = "LOCAL";
    fresh.owner = Ref<RecordKind::user>{beat.owner};
    fresh.unique_identifier = beat.runner;
    offer.agent = fresh.stamp.id;
    changes.create(fresh);
    changes.claim_unique(store::Namespace::local_agent, name, offer.agent);
    return changes;
  }
  offer.agent = *known;
  TRY(before, snapshot.find<Agent>(*known));
  if (!before) return snapshot.report(store::TableId::agents, offer.agent.key());
  Agent after = heard(*before, beat.agent_name, now);
  if (write_stored(after) != write_stored(*before)) {
    after.stamp.updated_at = std::max(now, Time{before->stamp.updated_at.ms + 1});
    changes.replace(*before, after);
  }
  if (after.type != "LOCAL") return changes;
  // A disabled or archived agent gets no new results: its waiting results are old, or retries of old results.
  TRY_DONE(lease(snapshot, now, beat.lease_ms, offer, changes));
  return changes;
}

}  // namespace parley::actors
