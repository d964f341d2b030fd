#include "app/process/server_parts.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <utility>

#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"
#include "app/options/outbound_options.hpp"

namespace parley::app {
namespace {

/// Writes the metrics of calls to agents, models and GitHub.
void write_calls(http::MetricsText& text, const outbound::Figures& figures) {
  text.gauge("parley_calls_in_flight", "Attempts at calls to agents and models in progress.",
             figures.on_wire);
  text.gauge("parley_calls_queued", "Calls that wait for a slot or for their next attempt.", figures.waiting);
  text.gauge("parley_call_breakers_open", "Endpoints that keep failing and are not called for a while.",
             figures.open_breakers);
  text.gauge("parley_call_origins_slowed",
             "Endpoints that get fewer concurrent calls because they reported too many calls.",
             figures.slowed);
  text.counter("parley_call_throttled_total", "Answers 429, or 503 with Retry-After.", figures.throttled);
  text.counter("parley_call_throttled_wait_milliseconds_total", "Time that calls waited after such answers.",
               figures.throttled_wait_ms);
  text.counter("parley_calls_total", "Calls started.", figures.calls);
  text.counter("parley_call_attempts_total", "Attempts at calls.", figures.attempts);
  text.counter("parley_call_retries_total", "Attempts that were not the first of their call.",
               figures.retries);
  text.counter("parley_call_answers_total", "Calls that ended with an answer of any status.",
               figures.answers);
  text.counter("parley_call_connections_total", "Connections opened.", figures.connections);
  text.counter("parley_call_sent_bytes_total", "Bytes of request bodies.", figures.sent_bytes);
  text.counter("parley_call_received_bytes_total", "Bytes of answers, before decompression.",
               figures.received_bytes);
  text.family("parley_call_failures_total", "counter", "Calls that ended without an answer.");
  for (std::size_t i = 0; i < outbound::failure_kinds; ++i) {
    text.sample("parley_call_failures_total",
                {{"kind", outbound::slug(static_cast<outbound::FailureKind>(i))}}, figures.failures.at(i));
  }
}

/// Writes the metrics of the spans that describe the service's own work.
void write_telemetry(http::MetricsText& text, const actors::TelemetryFigures& figures) {
  text.counter("parley_otlp_spans_sent_total", "Spans that --otlp-endpoint accepted.", figures.sent);
  text.counter("parley_otlp_spans_failed_total", "Spans that --otlp-endpoint did not accept.",
               figures.failed);
  text.counter("parley_otlp_results_dropped_total",
               "Results whose spans were dropped because the queue was full.", figures.dropped);
}

/// Writes the metrics of connections and their memory. `server` is null before the server listens.
void write_transport(http::MetricsText& text, const http::Server* server) {
  if (server == nullptr) return;
  const http::TransportCounters& counters = server->counters();
  text.gauge("parley_http_connections", "Open connections.", server->connections_open());
  text.gauge("parley_http_body_bytes", "Bytes of request bodies that are received or worked on.",
             server->body_bytes());
  text.gauge("parley_http_answer_bytes", "Bytes of large answers that clients have not taken yet.",
             server->answer_bytes());
  text.counter("parley_http_connections_total", "Connections accepted.", counters.connections_accepted);
  text.counter("parley_http_connections_refused_total", "Connections beyond --max-connections.",
               counters.connections_refused);
  text.counter("parley_http_refusals_total", "Requests that the transport refused: syntax, size, time, room.",
               counters.faults);
  text.counter("parley_http_timeouts_total", "Heads and bodies that arrived too slowly.", counters.timeouts);
  text.counter("parley_http_write_stalls_total", "Connections closed because the client did not read.",
               counters.write_stalls);
  text.counter("parley_http_answers_refused_total", "Answers that were replaced by 503 for want of room.",
               counters.answers_refused);
  text.counter("parley_http_answers_dropped_total", "Answers whose client had left.",
               counters.answers_dropped);
}

}  // namespace

void log_pace(const outbound::SlowedOrigin& slowed) {
  if (slowed.calls_max == 0) {
    spdlog::info("calls at full pace again origin={} model={}", slowed.origin, slowed.provider);
  } else {
    spdlog::warn("calls slowed down origin={} model={} calls_max={}", slowed.origin, slowed.provider,
                 slowed.calls_max);
  }
}

int cannot_start(const Problem& problem) {
  spdlog::error("cannot start reason=\"{}\"", problem.detail);
  if (problem.kind == ProblemKind::invalid_parameter) return exit_misused;
  return problem.kind == ProblemKind::internal ? exit_damaged : exit_failed;
}

int cannot_listen(const Problem& problem) {
  static_cast<void>(cannot_start(problem));
  return exit_failed;
}

void log_migration(const store::Store& store) {
  if (const auto& done = store.migration())
    spdlog::info("migrated from={} to={} ms={}", done->from, done->to, done->took.count());
}

Expected<Done> commit_now(actors::Gateway& gateway, store::ChangeSet changes) {
  std::promise<Expected<Done>> done;
  gateway.change_records(
      [&](const store::Snapshot&, Time, IdSource&) -> Expected<store::ChangeSet> { return changes; },
      [&](Expected<Done> answer) { done.set_value(std::move(answer)); });
  return done.get_future().get();
}

std::string page_url(const Config& config, std::uint16_t port) {
  if (!config.public_url.empty()) return config.public_url + "/ui/";
  const bool is_any = config.host == "0.0.0.0" || config.host == "::" || config.host == "[::]";
  std::string host = is_any ? "127.0.0.1" : config.host;
  if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
  return "http://" + host + ":" + std::to_string(port) + config.base_path + "/ui/";
}

actors::TelemetryOptions telemetry_of(const Config& config) {
  return {config.otlp_endpoint, environment_value("PARLEY_OTLP_AUTHORIZATION").value_or("")};
}

void show_first_key(const std::string& key) {
  // The key is printed once, and only to a terminal (D81).
  if (isatty(STDOUT_FILENO) != 0) std::printf("admin key: %s\n", key.c_str());
  std::fflush(stdout);
}

http::ServerOptions transport_of(const Config& config) {
  http::ServerOptions options;
  options.host = config.host;
  options.port = config.port;
  options.others = config.other_addresses;
  options.threads = config.http_threads;
  options.body_bytes_max = config.body_bytes_max;
  options.connections_max = config.connections_max;
  return options;
}

http::ApiOptions api_options_of(const Config& config, std::function<outbound::Figures()> calls,
                                const actors::TelemetryFigures& telemetry, const Serving& serving) {
  http::ApiOptions options;
  options.base_path = config.base_path;
  options.public_url = config.public_url;
  options.version = PARLEY_VERSION;
  options.metrics_public = config.metrics_public;
  options.key_rate = config.key_rate;
  options.local_lease_ms = config.local_lease_ms;
  options.has_tester_model = plays_by_model(config);
  options.has_judge_model = !config.judge_url.empty();
  options.cors_origins = config.cors_origins;
  options.ui_dir = config.ui_dir;
  options.trusted_proxies = config.trusted_proxies;
  options.more_metrics = [calls = std::move(calls), &telemetry, &serving](http::MetricsText& text) {
    write_calls(text, calls());
    write_telemetry(text, telemetry);
    write_transport(text, serving.load());
    text.counter("parley_log_lost_total",
                 "Log lines that were lost because the queue was full or a write failed.", log_lines_lost());
  };
  return options;
}

[[noreturn]] void end_with_broken_store(const std::string& why) {
  spdlog::critical("store broken reason=\"{}\"", why);
  flush_log();
  _exit(exit_broken_store);
}

http::Bootstrap first_of(const Config& config, const ServeEvents& events, const Clock& clock) {
  return {config.data, events.first_key, clock.now(), config.makes_new_admin_key};
}

std::unique_ptr<store::WorkMarks> opened_marks(const Config& config) {
  auto marks = store::WorkMarks::open(config.data);
  if (marks) return std::move(marks).value();
  spdlog::warn("conversations that end the process are not counted reason=\"{}\"", marks.problem().detail);
  return nullptr;
}

void log_recovered(const actors::Recovered& recovered) {
  if (recovered.scored_again + recovered.set_aside + recovered.runs_moved == 0) return;
  spdlog::info("recovered scored_again={} set_aside={} runs_moved={}", recovered.scored_again,
               recovered.set_aside, recovered.runs_moved);
}

}  // namespace parley::app
