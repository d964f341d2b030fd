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
#include "actors/runtime/commit_news.hpp"
#include "actors/runtime/writer_actor.hpp"
#include "actors/streams/events_actor.hpp"
#include "actors/telemetry/telemetry_actor.hpp"
#include "actors/webhooks/webhook_actor.hpp"

namespace parley::actors {
namespace {

/// CAF would start at least four threads. More threads than cores only wake each other.
std::size_t threads_of_pool(std::size_t asked) {
  constexpr unsigned least = 2;
  return asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), least);
}

caf::actor_system_config& configured(caf::actor_system_config& config, std::size_t threads) {
  config.set("scheduler.max-threads", threads_of_pool(threads));
  // Sharing wakes an idle system in 33 us (stealing: 78 us), and idles at next to no CPU.
  config.set("scheduler.policy", caf::atom("sharing"));
  return config;
}

/// The most that a lead's end waits for commands. No node leads during this time.
constexpr std::chrono::milliseconds commands_end_within{300};

/// Counters of a leader's actors, over all periods in which this node leads.
struct LeadingFigures {
  DirectoryFigures directory;
  ScoringFigures scoring;
  DispatchFigures dispatch;
};

}  // namespace

/// Passes watches to the events actor.
class StreamsOfActor final : public EventGateway {
 public:
  StreamsOfActor(Events events, const EventFigures& figures)
      : events_(std::move(events)), figures_(figures) {}

  void watch(Watch watch, std::shared_ptr<EventRenderer> renderer) override {
    caf::anon_send(events_, WatchRequest{std::move(watch), std::move(renderer)});
  }
  [[nodiscard]] std::uint64_t streams() const override { return figures_.streams; }
  void stop() { caf::anon_send(events_, Stop{}); }
  /// Needs: no call is in progress, and none follows.
  void release() { events_ = nullptr; }

 private:
  Events events_;
  const EventFigures& figures_;
};

/// The actors of a node that leads; a server without a cluster always leads. Members are declared in the
/// order in which they may be used.
struct LeadingActors {
  LeadingActors(Services& services, caf::actor_system& system, const Writer& writer,
                LeadingFigures& figures) {
    std::vector<Scoring> all;
    for (std::size_t i = 0; i < services.settings.scoring_threads; ++i)
      all.push_back(
          system.spawn<ScoringActor, caf::detached>(std::ref(services), writer, std::ref(figures.scoring)));
    scoring = ScoringPool(std::move(all));
    workflow = system.spawn<WorkflowActor>(std::ref(services));
    dispatcher = system.spawn<DispatcherActor>(std::ref(services), workflow, std::ref(figures.dispatch));
    tracing = system.spawn<ClaimCheckActor, caf::detached>(std::ref(services));
    directory = system.spawn<DirectoryActor>(std::ref(services), writer, scoring, dispatcher, tracing,
                                             std::ref(figures.directory));
    records = system.spawn<RecordsActor>(std::ref(services), writer, dispatcher);
    const Introduce introduce{caf::actor_cast<caf::strong_actor_ptr>(directory)};
    for (const Scoring& each : scoring.all()) caf::anon_send(each, introduce);
    caf::anon_send(dispatcher, introduce);
    caf::anon_send(workflow, introduce);
    caf::anon_send(tracing, introduce);
  }

  /// Starts the parts that begin work by themselves. Needs: recovery has ended.
  void begin(Services& services, caf::actor_system& system) {
    schedule = system.spawn<ScheduleActor>(std::ref(services), directory, records);
    sweep = system.spawn<ExpiryActor>(std::ref(services), records);
    if (services.settings.retention_ms > 0)
      retention = system.spawn<RetentionActor>(std::ref(services), records);
  }

  void end_beginners() {
    end(schedule);
    end(sweep);
    end(retention);
  }
  /// Waits for the workflow actor's commits, which the next start relies on.
  void end_workflow(caf::actor_system& system) {
    caf::scoped_actor self(system);
    self->send_exit(workflow, caf::exit_reason::user_shutdown);
    self->wait_for(workflow);
    workflow = nullptr;
  }
  void end_rest() {
    caf::anon_send(directory, Stop{});
    directory = nullptr;
    for (const Scoring& each : scoring.all()) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    scoring.release();
    end(dispatcher);
    end(tracing);
    end(records);
  }

  template <class Handle>
  static void end(Handle& actor) {
    if (actor) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    actor = nullptr;
  }

  Directory directory;
  ScoringPool scoring;
  Workflow workflow;
  Dispatcher dispatcher;
  ClaimChecks tracing;
  Records records;
  Schedule schedule;
  Expiry sweep;
  Retention retention;  ///< null unless an age is set
};

/// The actors that every node has, and those of a leader. Members are declared in the order in which they may
/// be used, and destroyed in reverse.
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
    background = spawn_background(limits::background_threads, {});
    checking =
        spawn_background(limits::check_threads, {.pieces = limits::checks_max,
                                                 .pieces_of_owner = limits::checks_of_user_max,
                                                 .bytes = limits::checked_bytes_max,
                                                 .bytes_of_owner = limits::checked_bytes_of_user_max,
                                                 .pieces_reserved = limits::checks_of_user_reserved,
                                                 .bytes_reserved = limits::checked_bytes_of_user_reserved});
    gateway = std::make_unique<GatewayToActors>(
        services, GatewayToActors::Handles{{}, {}, {}, room, background, checking}, figures.directory,
        figures.scoring, room_figures, figures.dispatch);
  }

  /// Spawns a queue of long work with its own threads.
  Background spawn_background(std::size_t threads, const QueueBounds& bounds) {
    std::vector<BackgroundThread> mine;
    for (std::size_t i = 0; i < threads; ++i)
      mine.push_back(system.spawn<BackgroundThreadActor, caf::detached>());
    background_threads.insert(background_threads.end(), mine.begin(), mine.end());
    return system.spawn<BackgroundActor>(std::ref(services), std::move(mine), bounds);
  }

  /// Drops waiting work, then waits for the pieces in progress, which may still call the gateway.
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

  Services& services;
  LeadingFigures figures;
  WaitingClientsFigures room_figures;
  EventFigures event_figures;
  TelemetryFigures telemetry_figures;
  caf::actor_system_config config;
  caf::actor_system system;
  WaitingClients room;
  Events events;
  std::unique_ptr<StreamsOfActor> streams;
  Webhooks webhooks;
  Telemetry telemetry;  ///< null unless a collector is set
  Writer writer;
  std::vector<BackgroundThread> background_threads;  ///< threads of both queues
  Background background;
  Background checking;  ///< bodies with expensive regex validation
  std::unique_ptr<GatewayToActors> gateway;
  std::unique_ptr<LeadingActors> leading;  ///< null: another node leads
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
  Inside& in = *inside_;
  in.leading = std::make_unique<LeadingActors>(in.services, in.system, in.writer, in.figures);
  LeadingActors& actors = *in.leading;
  auto recovered = recover_all(in.services, in.system, in.writer,
                               {actors.scoring, actors.dispatcher, actors.directory, actors.tracing});
  if (!recovered.ok()) return recovered;
  in.gateway->lead(actors.directory, actors.records, actors.scoring);
  caf::anon_send(in.webhooks, DeliverFrom{caf::actor_cast<caf::strong_actor_ptr>(actors.records)});
  actors.begin(in.services, in.system);
  return recovered;
}

void Supervisor::follow() {
  Inside& in = *inside_;
  in.gateway->follow();
  if (in.leading == nullptr) return;
  // Commands that an ending actor drops are answered as in doubt.
  in.gateway->await_answers(commands_end_within);
  caf::anon_send(in.webhooks, DeliverFrom{});  // it holds a handle of an actor that ends here
  in.leading->end_beginners();
  LeadingActors::end(in.leading->workflow);
  in.leading->end_rest();
  in.leading.reset();
  in.figures.dispatch.driven = 0;
  in.figures.dispatch.waiting = 0;
  in.figures.scoring.held = 0;
}

void Supervisor::publish(std::span<const store::ChangeSet> changes,
                         std::span<const store::Outcome> outcomes) {
  Inside& in = *inside_;
  if (in.room_figures.waiting > 0) caf::anon_send(in.room, news_of(changes, outcomes));
  if (!in.event_figures.is_watched) return;
  if (Committed committed = committed_of(changes, outcomes); !committed.moved.empty())
    caf::anon_send(in.events, std::move(committed));
}

caf::actor_system& Supervisor::system() {
  return inside_->system;
}

void Supervisor::stop() {
  Inside& in = *inside_;
  if (in.is_stopped) return;
  in.is_stopped = true;
  *in.services.is_stopping = true;
  // This order loses nothing: the deciding actors end first; the writer commits their changes and ends last.
  if (in.leading != nullptr) in.leading->end_beginners();
  LeadingActors::end(in.webhooks);
  LeadingActors::end(in.telemetry);
  in.end_background();
  if (in.leading != nullptr) {
    in.leading->end_workflow(in.system);  // the results' actors save its marks
    in.leading->end_rest();
  }
  in.leading.reset();
  LeadingActors::end(in.room);
  LeadingActors::end(in.events);
  in.streams->release();
  in.gateway->release();
  LeadingActors::end(in.writer);
  in.system.await_all_actors_done();
}

}  // namespace parley::actors
