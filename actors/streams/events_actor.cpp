#include "actors/streams/events_actor.hpp"

#include <utility>

#include "actors/base/actor_failure.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::milliseconds collect_for{100};
constexpr std::chrono::milliseconds run_notice_interval{500};
/// Comments every third tick, rights every second one.
constexpr std::chrono::seconds check_interval{5};
constexpr int looks_for_comment = 3;
constexpr int looks_for_rights = 2;
/// Limit of collected changes; beyond it only runs are published, and clients request the rest.
constexpr std::size_t moved_max = 5'000;

}  // namespace

EventsActor::EventsActor(caf::actor_config& config, Services& services, EventFigures& figures)
    : Events::base(config), services_(services), figures_(figures) {}

EventsActor::behavior_type EventsActor::make_behavior() {
  set_exception_handler(ends_process("events", services_));
  return {
      [this](WatchRequest& request) { enter(request); },
      [this](Committed& committed) { collect(committed); },
      [this](Flush) { flush(); },
      [this](Tick) { look_after(); },
      [this](Stop) {
        if (hub_) hub_->end_all();
        note_figures();
      },
  };
}

void EventsActor::on_exit() {
  if (hub_) hub_->end_all();
  hub_.reset();
  renderer_.reset();
}

void EventsActor::enter(WatchRequest& request) {
  const Time now = services_.clock.now();
  if (!hub_) {
    renderer_ = request.renderer;
    hub_ = std::make_unique<EventHub>(to_text(services_.ids.next(now)).substr(24), renderer_);
  }
  hub_->enter(std::move(request.watch), now);
  note_figures();
  if (!std::exchange(is_checking_, true)) delayed_send(this, check_interval, Tick{});
}

void EventsActor::collect(Committed& committed) {
  if (!hub_ || !hub_->is_active()) return;
  for (Moved& each : committed.moved) {
    if (moved_.size() < moved_max || each.kind == RecordKind::run) moved_.insert(each);
  }
  if (!std::exchange(is_flushing_, true)) delayed_send(this, collect_for, Flush{});
}

void EventsActor::flush() {
  is_flushing_ = false;
  if (!hub_) return;
  const store::Snapshot snapshot = services_.store.snapshot();
  const std::set<Moved> now_moved = std::exchange(moved_, {});
  const std::vector<Moved> moved(now_moved.begin(), now_moved.end());
  hub_->publish(renderer_->render(snapshot, moved, [&](const Topic& topic) { return hub_->wants(topic); }));
  for (const Id& run : renderer_->touched_runs())
    runs_due_.try_emplace(run, runs_notified_[run] + run_notice_interval);
  publish_runs(snapshot);
  note_figures();
  if (!runs_due_.empty() && !std::exchange(is_flushing_, true)) delayed_send(this, collect_for, Flush{});
}

/// Publishes each run at most twice a second, and always once more after its last change.
void EventsActor::publish_runs(const store::Snapshot& snapshot) {
  const auto now = clock().now();
  std::vector<StreamEvent> events;
  for (auto due = runs_due_.begin(); due != runs_due_.end();) {
    if (due->second > now) {
      ++due;
      continue;
    }
    if (auto event = renderer_->render_run(snapshot, due->first)) events.push_back(std::move(*event));
    runs_notified_[due->first] = now;
    due = runs_due_.erase(due);
  }
  std::erase_if(runs_notified_, [&](const auto& told) { return told.second + run_notice_interval < now; });
  hub_->publish(std::move(events));
}

void EventsActor::look_after() {
  ++looks_;
  if (looks_ % looks_for_rights == 0) hub_->check_rights(services_.store.snapshot());
  if (looks_ % looks_for_comment == 0) hub_->comment();
  hub_->forget_topics(services_.clock.now());
  note_figures();
  is_checking_ = hub_->is_active();
  if (is_checking_) delayed_send(this, check_interval, Tick{});
}

void EventsActor::note_figures() {
  figures_.is_watched = hub_ && hub_->is_active();
  figures_.streams = hub_ ? hub_->streams() : 0;
}

}  // namespace parley::actors
