// POST /agents/local (D73, I61): a runner registers, sends a heartbeat, and receives the oldest waiting work. The
// heartbeat decides which runner is offered which work.

#include "actors/driving/runner_heartbeat.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/handlers/handlers.hpp"
#include "store/side/runner_leases.hpp"

namespace parley::http {
namespace {

using actors::RunnerOffer;

Reply reply_of(const RunnerOffer& offer) {
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

/// The ids to store: the agent and, if there is work, the run (nil: none) and the first and last result. The results
/// are the oldest waiting ones, in the order of their ids.
AffectedIds kept_of(const RunnerOffer& offer) {
  AffectedIds ids{offer.agent};
  if (offer.results.empty()) return ids;
  ids.push_back(offer.run.value_or(Id{}));
  ids.push_back(offer.results.front());
  ids.push_back(offer.results.back());
  return ids;
}

/// The results of an offer that the runner still holds and has not started.
Expected<std::vector<Id>> held_of(const store::Snapshot& snapshot, const AffectedIds& ids, Time now) {
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

Expected<Reply> register_local_agent_again(const Context& context, const store::Snapshot& snapshot,
                                           const RequestContext&, const AffectedIds& ids) {
  RunnerOffer offer;
  offer.agent = ids.front();
  TRY(held, held_of(snapshot, ids, context.clock.now()));
  offer.results = std::move(held);
  if (!offer.results.empty() && !ids[1].is_nil()) offer.run = ids[1];
  return reply_of(offer);
}

void register_local_agent(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                          ReplyTo reply, const LocalAgentBody& given) {
  const actors::Heartbeat beat{given.name, given.unique_identifier, call->principal.user,
                               context.options.local_lease_ms};
  const auto offer = std::make_shared<RunnerOffer>();
  context.gateway.change_records(once(
                                     call,
                                     [beat, offer](const store::Snapshot& snapshot, Time now, IdSource& ids) {
                                       return actors::decide_heartbeat(snapshot, beat, now, ids, *offer);
                                     },
                                     [offer] { return kept_of(*offer); }),
                                 [offer, reply](Expected<Done> done) {
                                   if (!done.ok()) return reply(std::move(done).problem());
                                   reply(reply_of(*offer));
                                 });
}

}  // namespace parley::http
