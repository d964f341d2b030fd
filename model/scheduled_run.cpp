#include "model/scheduled_run.hpp"

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
