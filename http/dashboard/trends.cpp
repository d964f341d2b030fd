// GET /trends (A13): the last runs of a scenario or agent as numbers, from their counters alone.

#include <algorithm>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/page.hpp"
#include "http/views/link.hpp"
#include "scoring/statistics.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t runs_default = 20;
constexpr std::int64_t runs_most = 200;

void write_number(json::Writer& out, std::string_view name, const std::optional<double>& value) {
  out.key(name);
  value ? out.number(*value) : out.null();
}

void write_rates(json::Writer& out, const store::RunCounters& counters) {
  const scoring::Rate rate =
      scoring::rate_of({counters.passed, counters.not_passed, counters.total() - counters.decided()});
  write_number(out, "passRate", rate.value);
  out.key("interval").begin_object().key("low").number(rate.interval.low);
  out.key("high").number(rate.interval.high).end_object();
  out.key("coverage").number(rate.coverage);
  out.key("passed").integer(counters.passed).key("notPassed").integer(counters.not_passed);
  out.key("undecided").integer(counters.undecided).key("failed").integer(counters.failed);
  out.key("total").integer(counters.total());
}

void write_latency(json::Writer& out, const store::RunCounters& counters) {
  out.key("responseTime").begin_object();
  write_number(out, "mean", counters.response_time.mean());
  write_number(out, "p50", latency_at(counters.times, 0.5));
  write_number(out, "p95", latency_at(counters.times, 0.95));
  write_number(out, "p99", latency_at(counters.times, 0.99));
  out.end_object();
}

/// The agent's cost of all conversations.
void write_cost(json::Writer& out, const store::RunCounters& counters) {
  std::optional<double> agent;
  if (const auto mean = counters.cost.mean()) agent = *mean * static_cast<double>(counters.cost.count);
  out.key("usd").begin_object();
  write_number(out, "agent", agent);
  out.end_object();
}

Expected<Done> write_run(json::Writer& out, const store::Snapshot& snapshot, const Id& id,
                         const Linker& linker) {
  TRY(run, snapshot.find<Run>(id));
  if (!run) return snapshot.report(store::TableId::runs, id.key());
  TRY(counters, snapshot.run_counters(id));
  out.begin_object().member("run", to_text(id)).member("createdAt", to_text(run->stamp.created_at()));
  out.member("status", word_of(run->status)).key("scenario");
  linker.append(out, RecordKind::scenario, run->scenario.id);
  out.key("agent");
  linker.append(out, RecordKind::agent, run->agent.id);
  write_rates(out, counters);
  write_latency(out, counters);
  write_cost(out, counters);
  out.end_object();
  return Done{};
}

}  // namespace

/// Oldest first, as a chart shows them.
Expected<Reply> get_trends(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  QueryReader reader(call.query);
  store::ListQuery query = list_of(RecordKind::run);
  filter_by_id(reader, query, "scenario", RecordKind::scenario, store::Facet::scenario);
  filter_by_id(reader, query, "agent", RecordKind::agent, store::Facet::agent);
  query.limit = reader.integer("limit", 1, runs_most, runs_default);
  TRY_DONE(reader.result());
  TRY(page, store::list(snapshot, query));
  std::reverse(page.ids.begin(), page.ids.end());
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object().key("runs").begin_array();
  for (const Id& id : page.ids) TRY_DONE(write_run(out, snapshot, id, linker));
  out.end_array().key("total").integer(page.total).end_object();
  return json_reply(std::move(out).text());
}

}  // namespace parley::http
