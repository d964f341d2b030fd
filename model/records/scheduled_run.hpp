#pragma once
/// Scheduled runs (D20): what is run, and when. Plain values.

#include "model/records/run.hpp"
#include "model/text/cron.hpp"

namespace parley {

struct ScheduledRun {
  Stamp stamp;
  std::string name;
  Ref<RecordKind::scenario> scenario;
  Ref<RecordKind::agent> agent;
  std::string cron;
  std::string timezone = "UTC";
  bool is_enabled = true;
  std::optional<Ref<RecordKind::personality>> personality;
  std::vector<TestConfig> test_configs;
  std::int64_t repetitions = 1;
  std::int64_t max_concurrent_tests = 0;
  std::optional<Time> next_run_at;
  std::optional<Time> last_run_at;
  bool is_archived = false;
  /// Id of the run to create for lastRunAt; set in the change set that advances nextRunAt, removed once the
  /// run exists, so that a crash neither loses an instant nor starts a run twice.
  std::optional<std::string> starting;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::scheduled_run;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max},
            "The display name of the schedule.");
    v.field("scenario", self.scenario, Rules{.required = true}, "The scenario that is run.");
    v.field("agent", self.agent, Rules{.required = true}, "The agent under test.");
    v.field("cron", self.cron,
            Rules{.required = true, .chars_max = limits::name_chars_max, .never_empty = true},
            "minute hour day-of-month month day-of-week.");
    v.field("timezone", self.timezone, Rules{.chars_max = 64, .never_empty = true},
            "IANA time zone of the cron fields, such as Europe/Berlin.");
    v.field("isEnabled", self.is_enabled, Rules{}, "Whether runs are started.");
    v.field("personality", self.personality, Rules{}, "Personality for the runs.");
    v.field("testConfigs", self.test_configs, Rules{.items_max = limits::cases_max, .minimal = false},
            "Which tests run, each with personality and repetitions.");
    v.field("repetitions", self.repetitions, Rules{.least = 1, .most = limits::repetitions_max},
            "How many times each test runs, unless its entry in testConfigs sets a number.");
    v.field("maxConcurrentTests", self.max_concurrent_tests,
            Rules{.least = 0, .most = limits::concurrent_tests_max},
            "Limit on concurrent conversations of each run.");
    v.field("nextRunAt", self.next_run_at, Rules{.access = Access::service}, "When the next run starts.");
    v.field("lastRunAt", self.last_run_at, Rules{.access = Access::service},
            "When the last run was started.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("starting", self.starting, Rules{.access = Access::internal}, "");
  }
};

/// The next time that the schedule runs after `after`; nullopt while it is disabled or archived.
[[nodiscard]] std::optional<Time> next_run_of(const ScheduledRun& schedule, Time after);

/// The schedule after its due instant was consumed: lastRunAt, nextRunAt after `now` (missed instants are
/// skipped), and the id of the run to start. nullopt if no instant is due, or a run is being started.
[[nodiscard]] std::optional<ScheduledRun> taken(const ScheduledRun& schedule, Time now, IdSource& ids);

/// The schedule with a corrected nextRunAt: a clock that was ahead left it too far in the future, so it moves
/// back to the next instant after `now` (F38). A step back of up to a day repeats no instant. nullopt if
/// nextRunAt is right.
[[nodiscard]] std::optional<ScheduledRun> set_right(const ScheduledRun& schedule, Time now);

/// The run that the schedule starts.
[[nodiscard]] Run run_of(const ScheduledRun& schedule);

}  // namespace parley
