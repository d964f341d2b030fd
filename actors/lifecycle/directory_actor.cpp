#include "actors/lifecycle/directory_actor.hpp"

#include "actors/base/actor_failure.hpp"
#include "actors/run/run_actor.hpp"

namespace parley::actors {
namespace {

/// The interval between searches for idle actors.
constexpr std::chrono::seconds tick_every{5};

}  // namespace

DirectoryActor::DirectoryActor(caf::actor_config& config, Services& services, Writer writer,
                               ScoringPool scoring, Dispatcher dispatcher, ClaimChecks tracing,
                               DirectoryFigures& figures)
    : Directory::base(config),
      services_(services),
      writer_(std::move(writer)),
      scoring_(std::move(scoring)),
      dispatcher_(std::move(dispatcher)),
      tracing_(std::move(tracing)),
      figures_(figures) {}

DirectoryActor::behavior_type DirectoryActor::make_behavior() {
  set_exception_handler(ends_process("directory", services_));
  delayed_send(this, tick_every, Tick{});
  return {
      [this](ToResult& message) {
        Place<ResultHandle>& place = result(message.id);
        ++place.sent;
        send(place.actor, std::move(message.request));
      },
      [this](ToRun& message) {
        Place<RunHandle>& place = run(message.id);
        ++place.sent;
        send(place.actor, std::move(message.request));
      },
      [this](ScoredResult& message) {
        Place<ResultHandle>& place = result(message.id);
        ++place.sent;
        send(place.actor, std::move(message.event));
      },
      [this](const DriveResult& message) {
        Place<ResultHandle>& place = result(message.result);
        ++place.sent;
        send(place.actor, Drive{});
      },
      [this](FailStart& message) {
        Place<ResultHandle>& place = result(message.result);
        ++place.sent;
        send(place.actor, std::move(message.why));
      },
      [this](ResultsChanged message) {
        Place<RunHandle>& place = run(message.run);
        ++place.sent;
        send(place.actor, ResultsMoved{message.has_started});
      },
      [this](const ReloadResults& message) {
        for (const Id& id : message.results) {
          const auto place = results_.find(id);
          if (place == results_.end()) continue;
          ++place->second.sent;
          send(place->second.actor, Reload{});
        }
      },
      [this](PassivationOffer offer) {
        if (!release(results_, offer)) release(runs_, offer);
      },
      [this](const ActorFailed& lost) {
        if (!forget(results_, lost.id)) forget(runs_, lost.id);
      },
      [this](Tick) { tick(); },
      [this](Stop) { stop(); },
  };
}

void DirectoryActor::on_exit() {
  results_.clear();
  runs_.clear();
  writer_ = nullptr;
  scoring_.release();
  dispatcher_ = nullptr;
  tracing_ = nullptr;
}

template <class Actor, class Handle>
DirectoryActor::Place<Handle>& DirectoryActor::place(Places<Handle>& places, const Id& id) {
  Place<Handle>& place = places[id];
  if (!place.actor) {
    place.actor = spawn<Actor>(id, std::ref(services_), peers());
    ++figures_.live;
  }
  place.used = services_.clock.now();
  return place;
}

DirectoryActor::Place<ResultHandle>& DirectoryActor::result(const Id& id) {
  return place<ResultActor>(results_, id);
}

DirectoryActor::Place<RunHandle>& DirectoryActor::run(const Id& id) {
  return place<RunActor>(runs_, id);
}

template <class Handle>
bool DirectoryActor::release(Places<Handle>& places, const PassivationOffer& offer) {
  const auto place = places.find(offer.id);
  if (place == places.end()) return false;
  // A previous actor of this id may offer twice, because it was asked twice while it was busy.
  if (caf::actor_cast<caf::strong_actor_ptr>(place->second.actor) != current_sender()) return true;
  // A message to the actor is in flight: the actor stays, and is asked again later.
  if (place->second.sent != offer.seen) return true;
  send(place->second.actor, Stop{});
  places.erase(place);
  --figures_.live;
  return true;
}

template <class Handle>
bool DirectoryActor::forget(Places<Handle>& places, const Id& id) {
  const auto place = places.find(id);
  const bool is_it = place != places.end() &&
                     caf::actor_cast<caf::strong_actor_ptr>(place->second.actor) == current_sender();
  if (!is_it) return false;
  places.erase(place);
  --figures_.live;
  return true;
}

template <class Handle>
void DirectoryActor::ask_idle(Places<Handle>& places) {
  const Time now = services_.clock.now();
  for (const auto& [id, place] : places) {
    if (now.ms - place.used.ms >= services_.settings.rest_after_ms) send(place.actor, OfferPassivation{});
  }
}

void DirectoryActor::tick() {
  ask_idle(results_);
  ask_idle(runs_);
  delayed_send(this, tick_every, Tick{});
}

void DirectoryActor::stop() {
  for (const auto& [id, place] : results_) send(place.actor, Stop{});
  for (const auto& [id, place] : runs_) send(place.actor, Stop{});
  figures_.live = 0;
  quit();
}

Peers DirectoryActor::peers() {
  return {writer_, Directory{this}, scoring_, dispatcher_, tracing_, &figures_};
}

}  // namespace parley::actors
