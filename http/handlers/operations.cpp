// Operations for operators: health, version, metrics (D82, D91), pausing of scoring (D95), the API description.

#include "http/bodies/run_bodies.hpp"
#include "http/cluster/log_member.hpp"
#include "http/handlers/handlers.hpp"
#include "http/openapi/openapi.hpp"

namespace parley::http {
namespace {

std::string json_of(std::string_view key, std::string_view value) {
  json::Writer out;
  out.begin_object();
  out.member(key, value);
  out.end_object();
  return std::move(out).text();
}

void write_requests(MetricsText& text, const Context& context) {
  const RequestCounts& counts = context.counts;
  constexpr std::array<std::string_view, 6> classes{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"};
  const auto label = [routes = context.routes](std::size_t row) {
    return row < routes.size() ? std::pair{routes[row].method, routes[row].path}
                               : std::pair{std::string_view("-"), std::string_view("-")};
  };
  text.family("parley_http_requests_total", "counter", "Requests by route and class of status.");
  for (std::size_t row = 0; row < counts.rows().size(); ++row) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint64_t count = counts.rows()[row].by_class.at(i).load(std::memory_order_relaxed);
      if (count == 0) continue;
      text.sample("parley_http_requests_total",
                  {{"method", label(row).first}, {"route", label(row).second}, {"status", classes.at(i)}},
                  count);
    }
  }
  text.counter("parley_http_exceptions_total", "Requests whose work was ended by an exception.",
               counts.exceptions());
  text.family("parley_http_request_seconds", "histogram",
              "Time from the last byte of a request to its answer.");
  for (std::size_t row = 0; row < counts.rows().size(); ++row) {
    const auto& latency = counts.rows()[row].latency;
    const std::vector<std::uint64_t> buckets(latency.begin(), latency.end());
    if (std::all_of(buckets.begin(), buckets.end(), [](std::uint64_t count) { return count == 0; })) continue;
    text.histogram("parley_http_request_seconds",
                   {{"method", label(row).first}, {"route", label(row).second}}, RequestCounts::bounds_us,
                   buckets, counts.rows()[row].total_us.load(std::memory_order_relaxed));
  }
}

void write_store(MetricsText& text, store::Store& store) {
  const store::CommitFigures figures = store.committer().figures();
  text.counter("parley_store_batches_total", "Transactions.", figures.batches);
  text.counter("parley_store_committed_total", "Change sets that are durable.", figures.committed);
  text.counter("parley_store_conflicts_total", "Change sets whose guards failed.", figures.conflicts);
  text.counter("parley_store_refused_total", "Change sets refused, disk or map full.", figures.refused);
  text.counter("parley_store_written_bytes_total", "Keys and values of records.", figures.bytes);
  text.family("parley_store_commit_seconds", "histogram", "One transaction with its sync.");
  text.histogram("parley_store_commit_seconds", {}, store::CommitFigures::bucket_us,
                 {figures.latency.begin(), figures.latency.end()}, figures.total_us);
  const store::Usage usage = store.usage();
  text.gauge("parley_store_used_bytes", "Pages of the data file ever used.", usage.used_bytes);
  text.gauge("parley_store_map_bytes", "Bound of the data file.", usage.map_bytes);
  text.gauge("parley_store_disk_free_bytes", "Free space of its file system.", usage.disk_free_bytes);
  text.gauge("parley_store_snapshots_open", "Readers.", usage.snapshots_open);
  text.counter("parley_store_snapshots_slow_total", "Readers open longer than a second.",
               usage.snapshots_slow);
  text.counter("parley_store_corrupt_reads_total", "Values that failed verification, and unreadable pages.",
               usage.corrupt_reads);
}

void write_actors(MetricsText& text, const actors::Gateway& gateway) {
  const actors::GatewayCounters counters = gateway.counters();
  text.gauge("parley_commands_in_flight", "Commands that wait for their answer.", counters.in_flight);
  text.counter("parley_commands_refused_total", "Commands answered busy.", counters.refused_busy);
  text.gauge("parley_live_actors", "Runs and results in memory.", counters.live_actors);
  text.gauge("parley_scoring_waiting", "Results that wait for their verdict.", counters.scoring_waiting);
  text.gauge("parley_clients_waiting", "Clients that wait for a run or a result to change.",
             counters.clients_waiting);
  text.counter("parley_late_answers_total",
               "Answers of agents, testers and judges that were dropped, late or unusable.",
               counters.late_dropped);
  text.gauge("parley_driving_slots_taken", "Conversations that the server drives now.", counters.slots_taken);
  text.gauge("parley_driving_slots_awaited", "Conversations that wait for a slot of their run or the server.",
             counters.slots_awaited);
}

void write_webhooks(MetricsText& text, const actors::GatewayCounters& counters) {
  text.gauge("parley_webhook_deliveries_owed", "Events that a webhook has not accepted yet.",
             counters.webhooks_owed);
  text.counter("parley_webhook_deliveries_total", "Events that a webhook accepted.",
               counters.webhooks_delivered);
  text.counter("parley_webhook_attempts_failed_total", "Attempts to deliver an event that failed.",
               counters.webhook_attempts_failed);
  text.counter("parley_webhook_given_up_total", "Events that are not delivered any more.",
               counters.webhooks_given_up);
}

void write_scoring(MetricsText& text, const actors::GatewayCounters& counters) {
  text.family("parley_verdicts_total", "counter", "Verdicts of conversations, by outcome.");
  text.sample("parley_verdicts_total", {{"outcome", "passed"}}, counters.verdicts_passed);
  text.sample("parley_verdicts_total", {{"outcome", "failed"}}, counters.verdicts_failed);
  text.sample("parley_verdicts_total", {{"outcome", "undecided"}}, counters.verdicts_undecided);
  text.counter("parley_judge_errors_total", "Assertions for which the judge gave no valid verdict.",
               counters.judge_errors);
  text.family("parley_model_calls_total", "counter", "Answers of the tester's and the judge's model.");
  text.sample("parley_model_calls_total", {{"role", "tester"}}, counters.tester_calls);
  text.sample("parley_model_calls_total", {{"role", "judge"}}, counters.judge_calls);
  text.family("parley_model_tokens_total", "counter", "Tokens that the models' endpoints reported.");
  text.sample("parley_model_tokens_total", {{"role", "tester"}, {"kind", "input"}},
              counters.tester_input_tokens);
  text.sample("parley_model_tokens_total", {{"role", "tester"}, {"kind", "output"}},
              counters.tester_output_tokens);
  text.sample("parley_model_tokens_total", {{"role", "judge"}, {"kind", "input"}},
              counters.judge_input_tokens);
  text.sample("parley_model_tokens_total", {{"role", "judge"}, {"kind", "output"}},
              counters.judge_output_tokens);
}

/// A node of a cluster is ready as long as it answers reads.
Reply readiness_of_node(const actors::ClusterGateway& cluster) {
  const auto view = cluster.view();
  const bool is_ready = cluster.answers_reads();
  const bool is_joining = view->role == actors::NodeRole::joining;
  json::Writer out;
  out.begin_object();
  out.member("status", is_ready ? "ready" : is_joining ? "joining" : "leaderless");
  write_log_member(out, *view, cluster.lease_left_ms() > 0);
  out.end_object();
  Reply reply = json_reply(std::move(out).text());
  reply.status = is_ready ? 200 : 503;
  return reply;
}

}  // namespace

void write_version(json::Writer& out, const ApiOptions& options) {
  out.member("version", options.version);
  out.key("models").begin_object();
  out.key("tester").boolean(options.has_tester_model);
  out.key("judge").boolean(options.has_judge_model);
  out.end_object();
}

Expected<Reply> healthz(const Context&, const store::Snapshot&, const RequestContext&) {
  return json_reply(json_of("status", "ok"));
}

Expected<Reply> readyz(const Context& context, const store::Snapshot&, const RequestContext&) {
  if (context.store.committer().is_broken()) {
    return problem(ProblemKind::store_refuses, "the disk failed; the server must be restarted");
  }
  if (context.options.is_ready && !context.options.is_ready()) {
    return problem(ProblemKind::draining, "the server is starting or shutting down");
  }
  if (context.options.cluster != nullptr) return readiness_of_node(*context.options.cluster);
  return json_reply(json_of("status", "ready"));
}

Expected<Reply> version(const Context& context, const store::Snapshot&, const RequestContext&) {
  json::Writer out;
  out.begin_object();
  write_version(out, context.options);
  if (const actors::ClusterGateway* cluster = context.options.cluster)
    write_log_member(out, *cluster->view(), cluster->lease_left_ms() > 0);
  out.end_object();
  return json_reply(std::move(out).text());
}

Expected<Reply> metrics(const Context& context, const store::Snapshot&, const RequestContext&) {
  MetricsText text;
  write_requests(text, context);
  write_actors(text, context.gateway);
  write_webhooks(text, context.gateway.counters());
  write_scoring(text, context.gateway.counters());
  text.build_info(context.options.version);
  write_store(text, context.store);
  if (context.options.cluster != nullptr) {
    write_cluster_metrics(text, *context.options.cluster);
    write_append_metrics(text, context.store.committer().log_state().figures);
  }
  if (context.options.more_metrics) context.options.more_metrics(text);
  return metrics_reply(std::move(text));
}

Expected<Reply> put_scoring(const Context& context, const store::Snapshot&, const RequestContext&,
                            const ScoringBody& body) {
  context.gateway.pause_scoring(body.paused);
  json::Writer out;
  out.begin_object();
  out.key("paused").boolean(context.gateway.is_scoring_paused());
  out.end_object();
  return json_reply(std::move(out).text());
}

Expected<Reply> openapi(const Context& context, const store::Snapshot&, const RequestContext&) {
  return json_reply(openapi_json(context.routes, context.options.version, context.options.base_path));
}

void switch_over(const Context& context, const store::Snapshot&, const RequestContextPtr&, ReplyTo reply,
                 const SwitchoverBody& body) {
  if (context.options.cluster == nullptr)
    return reply(problem(ProblemKind::conflict, "this server is not a node of a cluster; see --log"));
  context.options.cluster->switch_over(body.to.value_or(""),
                                       [reply](Expected<actors::SwitchedOver> switched) {
                                         if (!switched.ok()) return reply(std::move(switched).problem());
                                         json::Writer out;
                                         out.begin_object();
                                         out.member("leader", switched->leader);
                                         out.key("term").integer(static_cast<std::int64_t>(switched->term));
                                         out.end_object();
                                         reply(json_reply(std::move(out).text()));
                                       });
}

}  // namespace parley::http
