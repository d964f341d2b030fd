#include "actors/lifecycle/supervisor.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "actors/driving/dispatcher_actor.hpp"
#include "actors/driving/workflow_actor.hpp"
#include "actors/grounding/claim_check_actor.hpp"
#include "actors/lifecycle/gateway_actors.hpp"
#include "actors/lifecycle/recovery.hpp"
#include "actors/records/expiry_actor.hpp"
#include "actors/records/records_actor.hpp"
#include "actors/records/retention_actor.hpp"
#include "actors/records/schedule_actor.hpp"
#include "actors/runtime/background_actor.hpp"
#include "actors/runtime/background_thread.hpp"
#include "actors/runtime/writer_actor.hpp"
#include "actors/streams/events_actor.hpp"
#include "actors/telemetry/telemetry_actor.hpp"
#include "actors/webhooks/webhook_actor.hpp"

namespace parley::actors {
namespace {

/// CAF would start four threads at least. More threads than cores only wake each other.
std::size_t threads_of_pool(std::size_t asked) {
  constexpr unsigned least = 2;
  return asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), least);
}

caf::actor_system_config& configured(caf::actor_system_config& config, std::size_t threads) {
  config.set("scheduler.max-threads", threads_of_pool(threads));
  // Sharing wakes an idle system in 33 us against 78 us with stealing, and idles at next to no CPU.
  config.set("scheduler.policy", caf::atom("sharing"));
  return config;
}

}  // namespace

/// Passes watches on to the events actor.
class StreamsOfActor final : public EventGateway {
 public:
  StreamsOfActor(Events events, const EventFigures& figures)
      : events_(std::move(events)), figures_(figures) {}

  void watch(Watch watch, std::shared_ptr<EventRenderer> renderer) override {
    caf::anon_send(events_, WatchRequest{std::move(watch), std::move(renderer)});
  }
  [[nodiscard]] std::uint64_t streams() const override { return figures_.streams; }
  void stop() { caf::anon_send(events_, Stop{}); }
  /// Needs: no call is in progress or comes later.
  void let_go() { events_ = nullptr; }

 private:
  Events events_;
  const EventFigures& figures_;
};

/// Members are declared in the order in which they may be used, and destroyed in reverse.
class Supervisor::Inside {
 public:
  Inside(Services& services_in, std::size_t threads, const TelemetryOptions& telemetry_options)
      : services(services_in), system(configured(config, threads)) {
    room = system.spawn<WaitingClientsActor>(std::ref(services), std::ref(room_figures));
    events = system.spawn<EventsActor>(std::ref(services), std::ref(event_figures));
    webhooks = system.spawn<WebhookActor>(std::ref(services));
    if (!telemetry_options.endpoint.empty()) {
      telemetry = system.spawn<TelemetryActor>(std::ref(services), std::cref(telemetry_options),
                                               std::ref(telemetry_figures));
    }
    streams = std::make_unique<StreamsOfActor>(events, event_figures);
    writer = system.spawn<WriterActor, caf::detached>(std::ref(services), room, std::cref(room_figures),
                                                      events, &event_figures, webhooks, telemetry);
    scoring = spawn_scoring();
    workflow = system.spawn<WorkflowActor>(std::ref(services));
    dispatcher = system.spawn<DispatcherActor>(std::ref(services), workflow, std::ref(dispatch_figures));
    tracing = system.spawn<ClaimCheckActor, caf::detached>(std::ref(services));
    directory = system.spawn<DirectoryActor>(std::ref(services), writer, scoring, dispatcher, tracing,
                                             std::ref(directory_figures));
    records = system.spawn<RecordsActor>(std::ref(services), writer, dispatcher);
    background = spawn_background(limits::background_threads, {});
    checking =
        spawn_background(limits::check_threads, {.pieces = limits::checks_max,
                                                 .pieces_of_owner = limits::checks_of_user_max,
                                                 .bytes = limits::checked_bytes_max,
                                                 .bytes_of_owner = limits::checked_bytes_of_user_max,
                                                 .pieces_reserved = limits::checks_of_user_reserved,
                                                 .bytes_reserved = limits::checked_bytes_of_user_reserved});
    const Introduce introduce{caf::actor_cast<caf::strong_actor_ptr>(directory)};
    for (const Scoring& each : scoring.all()) caf::anon_send(each, introduce);
    caf::anon_send(dispatcher, introduce);
    caf::anon_send(workflow, introduce);
    caf::anon_send(tracing, introduce);
    gateway = std::make_unique<GatewayToActors>(
        services, GatewayToActors::Handles{directory, records, scoring, room, background, checking},
        directory_figures, scoring_figures, room_figures, dispatch_figures);
  }

  ScoringPool spawn_scoring() {
    std::vector<Scoring> all;
    for (std::size_t i = 0; i < services.settings.scoring_threads; ++i)
      all.push_back(
          system.spawn<ScoringActor, caf::detached>(std::ref(services), writer, std::ref(scoring_figures)));
    return ScoringPool(std::move(all));
  }

  /// A queue of long work with its own threads.
  Background spawn_background(std::size_t threads, const QueueBounds& bounds) {
    std::vector<BackgroundThread> mine;
    for (std::size_t i = 0; i < threads; ++i)
      mine.push_back(system.spawn<BackgroundThreadActor, caf::detached>());
    background_threads.insert(background_threads.end(), mine.begin(), mine.end());
    return system.spawn<BackgroundActor>(std::ref(services), std::move(mine), bounds);
  }

  /// Drops waiting work first, then waits for the pieces in progress, which may still call the gateway.
  void end_background() {
    caf::scoped_actor self(system);
    for (Background* each : {&background, &checking}) {
      self->send_exit(*each, caf::exit_reason::user_shutdown);
      self->wait_for(*each);
      *each = nullptr;
    }
    for (const BackgroundThread& each : background_threads)
      self->send_exit(each, caf::exit_reason::user_shutdown);
    for (const BackgroundThread& each : background_threads) self->wait_for(each);
    background_threads.clear();
  }

  /// Waits for its commits, which the next start goes by.
  void end_workflow() {
    caf::scoped_actor self(system);
    self->send_exit(workflow, caf::exit_reason::user_shutdown);
    self->wait_for(workflow);
    workflow = nullptr;
  }

  Services& services;
  DirectoryFigures directory_figures;
  ScoringFigures scoring_figures;
  DispatchFigures dispatch_figures;
  WaitingClientsFigures room_figures;
  EventFigures event_figures;
  TelemetryFigures telemetry_figures;
  caf::actor_system_config config;
  caf::actor_system system;
  WaitingClients room;
  Events events;
  std::unique_ptr<StreamsOfActor> streams;
  Webhooks webhooks;
  Telemetry telemetry;  ///< where there is a collector
  Writer writer;
  Directory directory;
  ScoringPool scoring;
  Workflow workflow;
  Dispatcher dispatcher;
  ClaimChecks tracing;
  Records records;
  std::vector<BackgroundThread> background_threads;  ///< of both
  Background background;
  Background checking;  ///< bodies whose patterns take long to check
  Schedule schedule;    ///< when recovery has ended
  Expiry sweep;         ///< when recovery has ended
  Retention retention;  ///< the same, where an age is set
  std::unique_ptr<GatewayToActors> gateway;
  bool is_stopped = false;
};

Supervisor::Supervisor(Services& services, std::size_t threads, const TelemetryOptions& telemetry)
    : inside_(std::make_unique<Inside>(services, threads, telemetry)) {}

Supervisor::~Supervisor() {
  stop();
}

Gateway& Supervisor::gateway() {
  return *inside_->gateway;
}

EventGateway& Supervisor::events() {
  return *inside_->streams;
}

const TelemetryFigures& Supervisor::telemetry() const {
  return inside_->telemetry_figures;
}

void Supervisor::end_streams() {
  inside_->streams->stop();
}

Expected<Recovered> Supervisor::recover() {
  auto recovered = recover_all(inside_->services, inside_->system, inside_->writer,
                               {inside_->scoring, inside_->dispatcher, inside_->directory, inside_->tracing});
  if (recovered.ok()) {
    inside_->schedule = inside_->system.spawn<ScheduleActor>(std::ref(inside_->services), inside_->directory,
                                                             inside_->records);
    caf::anon_send(inside_->webhooks, DeliverFrom{caf::actor_cast<caf::strong_actor_ptr>(inside_->records)});
    inside_->sweep = inside_->system.spawn<ExpiryActor>(std::ref(inside_->services), inside_->records);
    if (inside_->services.settings.retention_ms > 0) {
      inside_->retention =
          inside_->system.spawn<RetentionActor>(std::ref(inside_->services), inside_->records);
    }
  }
  return recovered;
}

void Supervisor::stop() {
  if (inside_->is_stopped) return;
  inside_->is_stopped = true;
  *inside_->services.is_stopping = true;
  // The order that loses nothing: those who decide go first, the writer commits what they sent and goes last.
  if (inside_->schedule) caf::anon_send_exit(inside_->schedule, caf::exit_reason::user_shutdown);
  inside_->schedule = nullptr;
  if (inside_->sweep) caf::anon_send_exit(inside_->sweep, caf::exit_reason::user_shutdown);
  inside_->sweep = nullptr;
  caf::anon_send_exit(inside_->webhooks, caf::exit_reason::user_shutdown);
  inside_->webhooks = nullptr;
  if (inside_->telemetry) caf::anon_send_exit(inside_->telemetry, caf::exit_reason::user_shutdown);
  inside_->telemetry = nullptr;
  if (inside_->retention) caf::anon_send_exit(inside_->retention, caf::exit_reason::user_shutdown);
  inside_->retention = nullptr;
  inside_->end_background();
  inside_->end_workflow();  // its marks are saved by the results' actors
  caf::anon_send(inside_->directory, Stop{});
  for (const Scoring& each : inside_->scoring.all())
    caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(inside_->dispatcher, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(inside_->tracing, caf::exit_reason::user_shutdown);
  inside_->tracing = nullptr;
  inside_->directory = nullptr;
  inside_->scoring.let_go();
  inside_->dispatcher = nullptr;
  caf::anon_send_exit(inside_->records, caf::exit_reason::user_shutdown);
  inside_->records = nullptr;
  caf::anon_send_exit(inside_->room, caf::exit_reason::user_shutdown);
  inside_->room = nullptr;
  caf::anon_send_exit(inside_->events, caf::exit_reason::user_shutdown);
  inside_->events = nullptr;
  inside_->streams->let_go();
  inside_->gateway->let_go();
  caf::anon_send_exit(inside_->writer, caf::exit_reason::user_shutdown);
  inside_->writer = nullptr;
  inside_->system.await_all_actors_done();
}

}  // namespace parley::actors
