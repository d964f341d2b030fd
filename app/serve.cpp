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
#include "app/process/server_parts.hpp"
#include "app/process/stop_signals.hpp"
#include "app/serve_cluster.hpp"
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

/// Many connections need many descriptors. Core files are disabled, because they could contain secrets.
void set_limits() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65'536) {
    files.rlim_cur = std::min<rlim_t>(65'536, files.rlim_max);
    setrlimit(RLIMIT_NOFILE, &files);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

/// Logs the head of the audit log. A copy of it on another machine reveals whether the end of the log is cut off
/// later.
void log_audit_head(const store::Store& store, std::string_view when) {
  spdlog::info("audit head={} at={}", store::to_text(store::audit_head(store.snapshot())), when);
}

/// Logs where the records under the previous master key end. They can no longer be verified, so a copy of this head
/// is the only evidence of them.
void log_end_of_previous_log(const store::Store& store, const store::Secrets& secrets) {
  const auto head = store::head_before_new_log(store.snapshot(), store::audit_keys(secrets));
  if (head) spdlog::info("audit head={} at=new_key", store::to_text(*head));
}

void start_audit(const Config& config, store::Store& store, const store::Secrets& secrets,
                 const Clock& clock) {
  if (!config.audit) return;
  store.committer().audit({store::audit_keys(secrets), &clock, config.audit_retention_ms});
  log_audit_head(store, "start");
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
  if (first_key) show_first_key(*first_key);
}

/// Prints a link that signs in once. It is printed only to a terminal, because for a minute it is as powerful as a
/// key.
void show_sign_in(const std::string& page, actors::Gateway& gateway, const store::Store& store,
                  const http::Keys& keys) {
  if (isatty(STDOUT_FILENO) == 0) return;
  const auto commit = [&](store::ChangeSet changes) { return commit_now(gateway, std::move(changes)); };
  const auto code = http::start_code(store, keys, SystemClock().now(), commit);
  if (!code.ok() || code->empty()) return;
  std::printf("the page:  %ssignin#code=%s  (signs in once, within a minute)\n", page.c_str(), code->c_str());
  std::fflush(stdout);
}

/// Ends the work that recovery started, in an order that loses nothing, even if the start fails later. Work that is
/// cut off this way does not count as a crash (D51a).
class Ending {
 public:
  Ending(outbound::HttpClient& client, actors::Supervisor& supervisor, store::WorkMarks* marks)
      : client_(client), supervisor_(supervisor), marks_(marks) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() { end(); }

  /// After this call, the process ends because it was asked to, however long that takes.
  void begin() {
    if (marks_ != nullptr) marks_->stop();
    supervisor_.gateway().end_waits();
    supervisor_.end_streams();
  }
  void end() {
    if (std::exchange(is_ended_, true)) return;
    begin();
    client_.stop();  // stopped before the actors, which receive its last answers
    supervisor_.stop();
  }

 private:
  outbound::HttpClient& client_;
  actors::Supervisor& supervisor_;
  store::WorkMarks* marks_;
  bool is_ended_ = false;
};

/// Runs a server that consists of one node.
int serve_alone(const Config& asked, const ServeEvents& events) {
  const auto place = place_of(asked);
  if (!place) return cannot_listen(place.problem());
  const Config& config = place->config;
  auto opened = store::Store::open({config.data, config.fsync, config.map_bytes, config.disk_free_min});
  if (!opened) return cannot_start(opened.problem());
  store::Store& store = **opened;
  log_migration(store);
  if (const auto alone = store::stay_alone(store, config.data, config.leaves_log); !alone)
    return cannot_start(alone.problem());
  auto secrets = store::open_secrets(store, {config.data, environment_value("PARLEY_SECRETS_KEY")},
                                     config.accepts_new_secrets_key);
  if (!secrets) return cannot_start(secrets.problem());
  const SystemClock clock;
  if (config.accepts_new_secrets_key) log_end_of_previous_log(store, *secrets);
  start_audit(config, store, *secrets, clock);
  const auto pepper = store::open_pepper(store, config.data, environment_value("PARLEY_PEPPER_KEY"));
  if (!pepper) return cannot_start(pepper.problem());
  const http::Keys keys(*pepper);
  outbound::HttpClient client(call_limits_of(config), guard_of(config), outbound::system_lookup, log_pace);

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
  log_recovered(*recovered);
  const auto first_key = http::bootstrap(
      store, keys, first_of(config, events, clock), ids,
      [&](store::ChangeSet changes) { return commit_now(supervisor.gateway(), std::move(changes)); });
  if (!first_key) return cannot_start(first_key.problem());

  Serving serving{nullptr};
  const auto calls = [&client] { return client.figures(); };
  http::Api api(store, supervisor.gateway(), keys, *secrets, clock,
                api_options_of(config, calls, supervisor.telemetry(), serving), &supervisor.events());
  http::Server server(transport_of(config), api.handler(), api.fault_renderer(), api.preauthorizer());
  if (const auto listening = server.listen(); !listening) return cannot_listen(listening.problem());
  if (const auto started = server.start(); !started) return cannot_listen(started.problem());
  serving = &server;
  events.ready(config, server.port(), *first_key);
  if (events.shows_link) show_sign_in(page_url(config, server.port()), supervisor.gateway(), store, keys);

  events.wait([&] {
    if (config.audit) log_audit_head(store, "day");
  });
  ending.begin();
  const bool all_answered = server.drain(drain_for);
  server.stop();
  ending.end();
  if (config.audit) log_audit_head(store, "stop");
  spdlog::info("stopped all_answered={}", all_answered);
  return 0;
}

}  // namespace

int serve_until(const Config& asked, const ServeEvents& events) {
  return asked.log_url.empty() ? serve_alone(asked, events) : serve_cluster(asked, events);
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
