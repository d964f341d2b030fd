#include "model/records/scheduled_run.hpp"

#include <algorithm>

namespace parley {

std::optional<Time> next_run_of(const ScheduledRun& schedule, Time after) {
  if (!schedule.is_enabled || schedule.is_archived) return std::nullopt;
  const auto cron = Cron::parse(schedule.cron);
  return cron.ok() ? cron->next(after, schedule.timezone) : std::nullopt;
}

std::optional<ScheduledRun> taken(const ScheduledRun& schedule, Time now, IdSource& ids) {
  const bool is_due = schedule.next_run_at && *schedule.next_run_at <= now && !schedule.starting;
  if (!is_due) return std::nullopt;
  ScheduledRun after = schedule;
  after.starting = to_text(ids.next(now));
  after.last_run_at = now;
  after.next_run_at = next_run_of(schedule, now);
  return after;
}

std::optional<ScheduledRun> set_right(const ScheduledRun& schedule, Time now) {
  constexpr std::int64_t day_ms = 86'400'000;
  if (!schedule.next_run_at || *schedule.next_run_at <= now) return std::nullopt;
  const bool is_step = schedule.last_run_at && schedule.last_run_at->ms - now.ms <= day_ms;
  const Time after = is_step ? std::max(now, *schedule.last_run_at) : now;
  const auto next = next_run_of(schedule, after);
  if (!next || *next >= *schedule.next_run_at) return std::nullopt;
  ScheduledRun right = schedule;
  right.next_run_at = next;
  return right;
}

Run run_of(const ScheduledRun& schedule) {
  Run run;
  run.scenario = schedule.scenario;
  run.agent = schedule.agent;
  run.status = RunStatus::pending;
  run.personality = schedule.personality;
  run.test_configs = schedule.test_configs;
  run.repetitions = schedule.repetitions;
  run.max_concurrent_tests = schedule.max_concurrent_tests;
  run.scheduled_run = Ref<RecordKind::scheduled_run>{schedule.stamp.id};
  return run;
}

}  // namespace parley
