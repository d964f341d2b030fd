#include "app/serve.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <thread>
#include <utility>

#include "actors/lifecycle/supervisor.hpp"
#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"
#include "app/options/outbound_options.hpp"
#include "app/process/stop_signals.hpp"
#include "http/api.hpp"
#include "http/auth/bootstrap.hpp"
#include "http/auth/start_code.hpp"
#include "http/transport/server.hpp"
#include "model/clock.hpp"
#include "store/audit/audit.hpp"
#include "store/changelog/log_join.hpp"
#include "store/secrets/master_key.hpp"
#include "store/secrets/pepper.hpp"
#include "store/side/work_marks.hpp"
#include "store/store.hpp"

namespace parley::app {
namespace {

/// The metrics about calls to agents, models and GitHub.
void write_calls(http::MetricsText& text, const outbound::Figures& figures) {
  text.gauge("parley_calls_in_flight", "Attempts at calls to agents and models in progress.",
             figures.on_wire);
  text.gauge("parley_calls_queued", "Calls that wait for a slot or for their next attempt.", figures.waiting);
  text.gauge("parley_call_breakers_open", "Endpoints that keep failing and are not called for a while.",
             figures.open_breakers);
  text.gauge("parley_call_origins_slowed",
             "Endpoints that get fewer calls at once because they said that calls are too many.",
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

/// The metrics about spans of the service's own work.
void write_telemetry(http::MetricsText& text, const actors::TelemetryFigures& figures) {
  text.counter("parley_otlp_spans_sent_total", "Spans that --otlp-endpoint has taken.", figures.sent);
  text.counter("parley_otlp_spans_failed_total", "Spans that --otlp-endpoint did not take.", figures.failed);
  text.counter("parley_otlp_results_dropped_total", "Results whose spans were dropped for want of room.",
               figures.dropped);
}

/// The header Authorization comes from the environment, as other secrets do.
actors::TelemetryOptions telemetry_of(const Config& config) {
  const char* authorization = std::getenv("PARLEY_OTLP_AUTHORIZATION");
  return {config.otlp_endpoint, authorization == nullptr ? std::string() : std::string(authorization)};
}

/// An operator who sees a slow run looks for the reason here.
void tell_pace(const outbound::SlowedOrigin& slowed) {
  if (slowed.calls_max == 0) {
    spdlog::info("calls at full pace again origin={} model={}", slowed.origin, slowed.provider);
  } else {
    spdlog::warn("calls slowed down origin={} model={} calls_max={}", slowed.origin, slowed.provider,
                 slowed.calls_max);
  }
}

/// The metrics about connections and what they hold. Null before the server listens.
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

/// D91 allows ten seconds in total; the rest is for the last commits.
constexpr std::chrono::milliseconds drain_for{7'500};

/// An internal problem means that stored data is damaged.
int cannot_start(const Problem& problem) {
  spdlog::error("cannot start reason=\"{}\"", problem.detail);
  if (problem.kind == ProblemKind::invalid_parameter) return exit_misused;
  return problem.kind == ProblemKind::internal ? exit_damaged : exit_failed;
}

/// No address or no thread: stored data is not affected.
int cannot_listen(const Problem& problem) {
  cannot_start(problem);
  return exit_failed;
}

/// Many connections need many descriptors; a core file could hold secrets.
void set_limits() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65'536) {
    files.rlim_cur = std::min<rlim_t>(65'536, files.rlim_max);
    setrlimit(RLIMIT_NOFILE, &files);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

/// Older parleys refuse the file from now on, so the log must show when that began.
void tell_migration(const store::Store& store) {
  if (const auto& done = store.migration())
    spdlog::info("migrated from={} to={} ms={}", done->from, done->to, done->took.count());
}

/// Logs the head of the audit log. A copy on another machine reveals it if the end of the log is cut off
/// later.
void tell_audit_head(const store::Store& store, std::string_view when) {
  spdlog::info("audit head={} at={}", store::to_text(store::audit_head(store.snapshot())), when);
}

/// Logs where the records of the previous master key end. They can no longer be verified, so a copy of this
/// head is the only evidence of them.
void tell_end_of_previous_log(const store::Store& store, const store::Secrets& secrets) {
  const auto head = store::head_before_new_log(store.snapshot(), store::audit_keys(secrets));
  if (head) spdlog::info("audit head={} at=new_key", store::to_text(*head));
}

void start_audit(const Config& config, store::Store& store, const store::Secrets& secrets,
                 const Clock& clock) {
  if (!config.audit) return;
  store.committer().audit({store::audit_keys(secrets), &clock, config.audit_retention_ms});
  tell_audit_head(store, "start");
}

/// Commits one change set through the records actor and waits for it.
Expected<Done> commit_now(actors::Gateway& gateway, store::ChangeSet changes) {
  std::promise<Expected<Done>> done;
  gateway.change_records(
      [&](const store::Snapshot&, Time, IdSource&) -> Expected<store::ChangeSet> { return changes; },
      [&](Expected<Done> answer) { done.set_value(std::move(answer)); });
  return done.get_future().get();
}

/// Where a browser on this machine finds the page.
std::string page_url(const Config& config, std::uint16_t port) {
  if (!config.public_url.empty()) return config.public_url + "/ui/";
  const bool is_any = config.host == "0.0.0.0" || config.host == "::" || config.host == "[::]";
  std::string host = is_any ? "127.0.0.1" : config.host;
  if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
  return "http://" + host + ":" + std::to_string(port) + config.base_path + "/ui/";
}

void announce(const Config& config, std::uint16_t port, const std::optional<std::string>& first_key) {
  spdlog::info("listening address={}:{} data={}", config.host, port, config.data.string());
  for (const http::ListenAddress& other : config.other_addresses)
    spdlog::info("listening address={} data={}", http::text_of(other), config.data.string());
  if (config.driving_paused) spdlog::warn("driving is paused: no agent and no workflow is called");
  if (!listens_on_loopback(config)) {
    spdlog::warn("listening beyond loopback without TLS: put a proxy that terminates TLS in front");
  }
  spdlog::info("page url={}", page_url(config, port));
  if (!first_key) return;
  // The key is printed once, and only to a terminal (D81).
  if (isatty(STDOUT_FILENO) != 0) std::printf("admin key: %s\n", first_key->c_str());
  std::fflush(stdout);
}

/// Prints a link that signs in once, and only to a terminal: for a minute it is worth as much as a key.
void show_sign_in(const std::string& page, actors::Gateway& gateway, const store::Store& store,
                  const http::Keys& keys) {
  if (isatty(STDOUT_FILENO) == 0) return;
  const auto commit = [&](store::ChangeSet changes) { return commit_now(gateway, std::move(changes)); };
  const auto code = http::start_code(store, keys, SystemClock().now(), commit);
  if (!code.ok() || code->empty()) return;
  std::printf("the page:  %ssignin#code=%s  (signs in once, within a minute)\n", page.c_str(), code->c_str());
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

/// Read by requests for /metrics, and set while the server exists.
using Serving = std::atomic<const http::Server*>;

http::ApiOptions api_options_of(const Config& config, const outbound::HttpClient& client,
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
  options.more_metrics = [&client, &telemetry, &serving](http::MetricsText& text) {
    write_calls(text, client.figures());
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

/// Null on a full disk, where records can still be read.
std::unique_ptr<store::WorkMarks> opened_marks(const Config& config) {
  auto marks = store::WorkMarks::open(config.data);
  if (marks) return std::move(marks).value();
  spdlog::warn("conversations that end the process are not counted reason=\"{}\"", marks.problem().detail);
  return nullptr;
}

/// Ends what recovery began, in an order that loses nothing, also if the start fails afterwards: work that
/// such an end cuts off does not count as a crash (D51a).
class Ending {
 public:
  Ending(outbound::HttpClient& client, actors::Supervisor& supervisor, store::WorkMarks* marks)
      : client_(client), supervisor_(supervisor), marks_(marks) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() { end(); }

  /// From here on the process ends because it was asked to, however long that takes.
  void begin() {
    if (marks_ != nullptr) marks_->stop();
    supervisor_.gateway().end_waits();
    supervisor_.end_streams();
  }
  void end() {
    if (std::exchange(is_ended_, true)) return;
    begin();
    client_.stop();  // before the actors, which take its last answers
    supervisor_.stop();
  }

 private:
  outbound::HttpClient& client_;
  actors::Supervisor& supervisor_;
  store::WorkMarks* marks_;
  bool is_ended_ = false;
};

void tell_recovered(const actors::Recovered& recovered) {
  if (recovered.scored_again + recovered.set_aside + recovered.runs_moved == 0) return;
  spdlog::info("recovered scored_again={} set_aside={} runs_moved={}", recovered.scored_again,
               recovered.set_aside, recovered.runs_moved);
}

}  // namespace

int serve_until(const Config& asked, const ServeEvents& events) {
  const auto place = place_of(asked);
  if (!place) return cannot_listen(place.problem());
  const Config& config = place->config;
  auto opened = store::Store::open({config.data, config.fsync, config.map_bytes, config.disk_free_min});
  if (!opened) return cannot_start(opened.problem());
  store::Store& store = **opened;
  tell_migration(store);
  if (const auto alone = store::stay_alone(store, config.data, config.leaves_log); !alone)
    return cannot_start(alone.problem());
  auto secrets = store::open_secrets(store, {config.data, environment_value("PARLEY_SECRETS_KEY")},
                                     config.takes_new_secrets_key);
  if (!secrets) return cannot_start(secrets.problem());
  const SystemClock clock;
  if (config.takes_new_secrets_key) tell_end_of_previous_log(store, *secrets);
  start_audit(config, store, *secrets, clock);
  const auto pepper = store::open_pepper(store, config.data, environment_value("PARLEY_PEPPER_KEY"));
  if (!pepper) return cannot_start(pepper.problem());
  const http::Keys keys(*pepper);
  outbound::HttpClient client(call_limits_of(config), guard_of(config), outbound::system_lookup, tell_pace);

  RandomIds ids;
  actors::Services world{store, clock, ids, settings_of(config), end_with_broken_store};
  world.outside = outside_of(client);
  world.secrets = &*secrets;
  const auto marks = opened_marks(config);
  world.marks = marks.get();
  const actors::TelemetryOptions telemetry = telemetry_of(config);
  actors::Supervisor supervisor(world, config.threads, telemetry);
  const auto recovered = supervisor.recover();
  if (!recovered) return cannot_start(recovered.problem());
  Ending ending(client, supervisor, marks.get());
  tell_recovered(*recovered);
  const auto first_key = http::bootstrap(
      store, keys, first_of(config, events, clock), ids,
      [&](store::ChangeSet changes) { return commit_now(supervisor.gateway(), std::move(changes)); });
  if (!first_key) return cannot_start(first_key.problem());

  Serving serving{nullptr};
  http::Api api(store, supervisor.gateway(), keys, *secrets, clock,
                api_options_of(config, client, supervisor.telemetry(), serving), &supervisor.events());
  http::Server server(transport_of(config), api.handler(), api.fault_renderer(), api.preauthorizer());
  if (const auto listening = server.listen(); !listening) return cannot_listen(listening.problem());
  if (const auto started = server.start(); !started) return cannot_listen(started.problem());
  serving = &server;
  events.ready(config, server.port(), *first_key);
  if (events.shows_link) show_sign_in(page_url(config, server.port()), supervisor.gateway(), store, keys);

  events.wait([&] {
    if (config.audit) tell_audit_head(store, "day");
  });
  ending.begin();
  const bool all_answered = server.drain(drain_for);
  server.stop();
  ending.end();
  if (config.audit) tell_audit_head(store, "stop");
  spdlog::info("stopped all_answered={}", all_answered);
  return 0;
}

int serve(const Config& config) {
  for (const std::string& line : config.warnings) spdlog::warn("{}", line);
  const sigset_t signals = block_signals();
  set_limits();
  return serve_until(config, {environment_value("PARLEY_BOOTSTRAP_KEY"), announce,
                              [&signals](const std::function<void()>& daily) {
                                wait_for_stop(signals, {daily, reopen_log});
                              },
                              true});
}

}  // namespace parley::app
