#include "actors/records/schedule_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/base/never_lost.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::seconds tick_every{1};

/// Repairs are rarer than checks, because finding a schedule's next instant costs more than reading the
/// schedule.
constexpr std::size_t checks_per_repair = 60;

/// Schedules read in one step.
constexpr std::size_t schedules_step = 1'000;

/// A change of one schedule, decided on its stored state; `change` returns nullopt to leave it unchanged.
template <class Change>
Decide changed(const Id& id, Change change) {
  return
      [id, change](const store::Snapshot& snapshot, Time now, IdSource& ids) -> Expected<store::ChangeSet> {
        store::ChangeSet changes;
        TRY(before, snapshot.find<ScheduledRun>(id));
        if (!before) return changes;
        std::optional<ScheduledRun> after = change(*before, now, ids);
        if (!after) return changes;
        after->stamp.updated_at = std::max(now, Time{before->stamp.updated_at.ms + 1});
        changes.replace(*before, *after);
        return changes;
      };
}

}  // namespace

ScheduleActor::ScheduleActor(caf::actor_config& config, Services& services, Directory directory,
                             Records records)
    : Schedule::base(config),
      services_(services),
      directory_(std::move(directory)),
      records_(std::move(records)) {}

ScheduleActor::behavior_type ScheduleActor::make_behavior() {
  set_exception_handler(ends_process("schedule actor", services_));
  delayed_send(this, tick_every, Tick{});
  return {
      [this](Tick) {
        const Expected<Done> checked = guarded<Done>([this] {
          check();
          return Done{};
        });
        if (!checked) spdlog::error("schedules not read reason=\"{}\"", checked.problem().detail);
        delayed_send(this, tick_every, Tick{});
      },
      [this](const ScheduleStarted& started) {
        if (started.is_known) return finish(started.schedule);
        busy_.erase(started.schedule);  // its instant stays consumed: the next tick checks for a run
      },
  };
}

void ScheduleActor::on_exit() {
  directory_ = nullptr;
  records_ = nullptr;
}

void ScheduleActor::check() {
  const Time now = services_.clock.now();
  sets_right_ = looks_++ % checks_per_repair == 0 || now < looked_at_;
  looked_at_ = now;
  const store::Snapshot snapshot = services_.store.snapshot();
  look_through(snapshot, store::Shelf::current);
  // A schedule may have been archived after its instant was consumed; its run is still due.
  look_through(snapshot, store::Shelf::archived);
}

void ScheduleActor::look_through(const store::Snapshot& snapshot, store::Shelf shelf) {
  // The walk does not rely on the stored count of schedules: one damaged schedule must not stop all others
  // (I13).
  const store::Slice enabled{RecordKind::scheduled_run, store::Facet::scheduled, store::value_of(true),
                             shelf};
  for (Id after; true;) {
    const auto ids = snapshot.ids_in(enabled, after, schedules_step);
    if (ids.empty()) return;
    after = ids.back();
    for (const Id& id : ids) {
      const auto checked = guarded<Done>([&] { return check_schedule(snapshot, id); });
      if (checked) unreadable_.erase(id);
      if (checked || !unreadable_.insert(id).second) continue;  // logged once, not every second
      spdlog::error("schedule unreadable schedule={} detail=\"{}\"", to_text(id), checked.problem().detail);
    }
  }
}

Expected<Done> ScheduleActor::check_schedule(const store::Snapshot& snapshot, const Id& id) {
  if (busy_.contains(id)) return Done{};
  TRY(schedule, snapshot.find<ScheduledRun>(id));
  if (!schedule) return Done{};
  const auto run = schedule->starting ? id_from_text(*schedule->starting) : std::nullopt;
  if (run && snapshot.has(RecordKind::run, *run)) {
    busy_.insert(id);
    finish(id);
  } else if (run) {
    start(*schedule, *run);
  } else if (!schedule->is_archived && schedule->next_run_at &&
             *schedule->next_run_at <= services_.clock.now()) {
    take(id);
  } else if (sets_right_ && parley::set_right(*schedule, services_.clock.now())) {
    set_right(id);
  }
  return Done{};
}

void ScheduleActor::take(const Id& schedule) {
  send(records_, RecordsRequest{changed(schedule, [](const ScheduledRun& before, Time now,
                                                     IdSource& ids) { return taken(before, now, ids); }),
                                [](Expected<Done>) {}});
}

void ScheduleActor::set_right(const Id& schedule) {
  const auto on_done = [schedule](const Expected<Done>& moved) {
    if (moved.ok()) spdlog::warn("schedule corrected schedule={}", to_text(schedule));
  };
  send(records_, RecordsRequest{changed(schedule, [](const ScheduledRun& before, Time now,
                                                     IdSource&) { return parley::set_right(before, now); }),
                                on_done});
}

void ScheduleActor::start(const ScheduledRun& schedule, const Id& run) {
  busy_.insert(schedule.stamp.id);
  const Completion<RunReply> on_done = [self = Schedule{this},
                                        id = schedule.stamp.id](const Expected<RunReply>& made) {
    const bool is_known = made.ok() || (made.problem().kind != ProblemKind::busy &&
                                        made.problem().kind != ProblemKind::draining);
    if (!made.ok() && is_known) {
      spdlog::warn("schedule skipped an instant schedule={} reason=\"{}\"", to_text(id),
                   made.problem().detail);
    }
    caf::anon_send(self, ScheduleStarted{id, is_known});
  };
  send(directory_, ToRun{run, RunRequest{CreateRun{run_of(schedule)}, never_lost(on_done)}});
}

void ScheduleActor::finish(const Id& schedule) {
  busy_.erase(schedule);
  send(records_, RecordsRequest{changed(schedule,
                                        [](const ScheduledRun& before, Time, IdSource&) {
                                          std::optional<ScheduledRun> after = before;
                                          after->starting.reset();
                                          return before.starting ? after : std::nullopt;
                                        }),
                                [](Expected<Done>) {}});
}

}  // namespace parley::actors
