// Scheduled runs (D20): cron line and time zone must be valid; nextRunAt is set immediately.
// actors/records/schedule_actor starts the runs.

#include "http/bodies/case_builder.hpp"
#include "http/handlers/record_operations.hpp"
#include "model/records/scheduled_run.hpp"

namespace parley::http {
namespace {

/// Archiving a test later does not invalidate the schedule, so only new tests are checked.
void check_tests(const ScheduledRun& schedule, bool are_new, const store::Snapshot& snapshot,
                 Findings& findings) {
  check_tag_configs(schedule.test_configs, findings);
  for (std::size_t i = 0; i < schedule.test_configs.size(); ++i) {
    const TestConfig& config = schedule.test_configs[i];
    const std::string pointer = "/testConfigs/" + std::to_string(i) + "/test";
    check_chooses_tests(config, pointer, findings);
    if (!config.test) continue;
    const auto test = snapshot.find<Test>(config.test->id);
    if (!test.ok() || !*test) continue;
    if ((*test)->scenario != schedule.scenario) findings.add(pointer, "must be a test of the scenario");
    if (are_new && (*test)->is_archived) findings.add(pointer, "is archived");
  }
}

}  // namespace

template <>
struct Specials<ScheduledRun> : NoSpecials<ScheduledRun> {
  static void check(const ScheduledRun& schedule, const ScheduledRun* before, const Draft& draft,
                    Findings& findings) {
    if (before != nullptr || gives(draft.body, "cron")) {
      const auto cron = Cron::parse(schedule.cron);
      if (!cron.ok()) findings.add("/cron", cron.problem().detail);
    }
    if (!is_time_zone(schedule.timezone)) {
      findings.add("/timezone", "must be a time zone of the IANA database, such as Europe/Berlin");
    }
    // Some clients also send unchanged fields, which must not prevent them from disabling the schedule.
    const bool is_agent_new =
        before == nullptr || before->agent != schedule.agent || before->scenario != schedule.scenario;
    const auto scenario = draft.snapshot.find<Scenario>(schedule.scenario.id);
    if (is_agent_new && scenario.ok() && *scenario)
      check_agent_allowed(**scenario, schedule.agent.id, findings);
    check_tests(schedule, before == nullptr || before->test_configs != schedule.test_configs, draft.snapshot,
                findings);
  }
  static Expected<Done> settle(ScheduledRun& schedule, const ScheduledRun* before, const Draft& /*draft*/,
                               Time now, IdSource& /*ids*/) {
    const bool is_same = before != nullptr && before->cron == schedule.cron &&
                         before->timezone == schedule.timezone && before->is_enabled == schedule.is_enabled &&
                         before->is_archived == schedule.is_archived;
    if (!is_same) schedule.next_run_at = next_run_of(schedule, now);
    return Done{};
  }
};

template struct RecordOperations<ScheduledRun>;

}  // namespace parley::http
