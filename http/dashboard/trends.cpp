// GET /trends: numbers for the last runs of a scenario or agent, taken from their counters, and which tests were
// edited.

#include <algorithm>
#include <array>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/edited_tests.hpp"
#include "http/views/link.hpp"
#include "model/outcome/state_letter.hpp"
#include "scoring/statistics.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t runs_default = 20;
constexpr std::int64_t runs_most = 200;
/// The most failed results of one run that are read for their fault sources; 200 runs then stay below a second.
constexpr std::int64_t faults_most = 500;
/// Above this limit, a background thread writes the answer, because each run has up to 500 tests and 500 failed
/// results to read.
constexpr std::size_t runs_at_once_max = 2;
/// One letter for each FaultSource, in the order of the enum.
constexpr std::string_view fault_letters = "atjice";

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

std::optional<double> sum_of(const store::Tally& cost) {
  return cost.count == 0 ? std::nullopt : std::optional(cost.sum());
}

/// Writes the cost of all conversations, by role.
void write_cost(json::Writer& out, const store::RunCounters& counters) {
  out.key("usd").begin_object();
  write_number(out, "agent", sum_of(counters.cost));
  write_number(out, "tester", sum_of(counters.tester.cost));
  write_number(out, "judge", sum_of(counters.judge.cost));
  out.end_object();
}

/// Counts the fault sources of the failed results. Writes null if the run has more than faults_most failed results.
Expected<Done> write_faults(json::Writer& out, const store::Snapshot& snapshot, const Id& run,
                            const store::RunCounters& counters) {
  if (counters.failed > faults_most) {
    out.key("faults").null();
    return Done{};
  }
  std::array<std::int64_t, fault_letters.size()> counts{};
  if (counters.failed > 0) {
    store::ListQuery query = list_of(RecordKind::test_result);
    add_filter(query, store::Facet::run, {store::value_of(run)});
    add_filter(query, store::Facet::status, {store::value_of(word_of(ResultStatus::failed))});
    query.limit = 2 * faults_most;
    TRY(page, store::list(snapshot, query));
    for (const Id& id : page.ids) {
      TRY(head, snapshot.find<ResultHead>(id));
      const auto place =
          head && !head->retired_by ? fault_letters.find(state_letter(*head)) : std::string_view::npos;
      if (place != std::string_view::npos) ++counts.at(place);
    }
  }
  out.key("faults").begin_object();
  for (std::size_t i = 0; i < counts.size(); ++i)
    out.key(Words<FaultSource>::all.at(i)).integer(counts.at(i));
  out.end_object();
  return Done{};
}

void write_edited(json::Writer& out, const std::optional<std::vector<Id>>& tests, const Linker& linker) {
  out.key("edited");
  if (!tests) {
    out.null();
    return;
  }
  out.begin_array();
  for (const Id& test : *tests) linker.append(out, RecordKind::test, test);
  out.end_array();
}

/// A run in the answer, with the tests that were edited since the previous run.
struct Point {
  Run run;
  std::optional<std::vector<Id>> edited;
};

Expected<Done> write_run(json::Writer& out, const store::Snapshot& snapshot, const Point& point,
                         const Linker& linker) {
  const auto& [run, edited] = point;
  const Id& id = run.stamp.id;
  TRY(counters, snapshot.run_counters(id));
  out.begin_object().member("run", to_text(id)).member("createdAt", to_text(run.stamp.created_at()));
  out.member("status", word_of(run.status)).key("scenario");
  linker.append(out, RecordKind::scenario, run.scenario.id);
  out.key("agent");
  linker.append(out, RecordKind::agent, run.agent.id);
  write_rates(out, counters);
  write_latency(out, counters);
  write_cost(out, counters);
  TRY_DONE(write_faults(out, snapshot, id, counters));
  write_edited(out, edited, linker);
  out.end_object();
  return Done{};
}

/// At most `most` runs, oldest first. `ids` may have one more id, with which the oldest run is compared.
Expected<std::vector<Point>> points_of(const store::Snapshot& snapshot, const std::vector<Id>& ids,
                                       std::size_t most) {
  EditedTests edits(snapshot);
  std::vector<Point> points;
  for (const Id& id : ids) {
    TRY(run, snapshot.find<Run>(id));
    if (!run) return snapshot.report(store::TableId::runs, id.key());
    TRY(edited, edits.next(*run));
    points.push_back({std::move(*run), std::move(edited)});
  }
  if (points.size() > most) points.erase(points.begin());
  return points;
}

}  // namespace

/// The answer lists the oldest run first, as a chart needs it.
Expected<Reply> get_trends(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  QueryReader reader(call.query);
  store::ListQuery query = list_of(RecordKind::run);
  filter_by_id(reader, query, "scenario", RecordKind::scenario, store::Facet::scenario);
  filter_by_id(reader, query, "agent", RecordKind::agent, store::Facet::agent);
  const std::int64_t limit = reader.integer("limit", 1, runs_most, runs_default);
  TRY_DONE(reader.result());
  query.limit = limit + 1;
  TRY(page, store::list(snapshot, query));
  if (call.is_interactive && page.ids.size() > runs_at_once_max) return cut_short();
  std::reverse(page.ids.begin(), page.ids.end());
  TRY(points, points_of(snapshot, page.ids, static_cast<std::size_t>(limit)));
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object().key("runs").begin_array();
  for (const Point& point : points) TRY_DONE(write_run(out, snapshot, point, linker));
  out.end_array().key("total").integer(page.total).end_object();
  return json_reply(std::move(out).text());
}

}  // namespace parley::http
