// Cron expressions in time zones (D20), and what a schedule does when a run is due.

#include "model/text/cron.hpp"

#include <gtest/gtest.h>

#include "model/records/scheduled_run.hpp"

namespace parley {
namespace {

TEST(Cron, computes_the_next_instant_in_the_zone) {
  struct Row {
    std::string cron, after, zone, next;
  };
  const std::vector<Row> rows{
      {"* * * * *", "2026-01-31T12:00:00Z", "UTC", "2026-01-31T12:01:00.000Z"},
      {"* * * * *", "2026-01-31T12:00:59.999Z", "UTC", "2026-01-31T12:01:00.000Z"},
      {"0 9 * * mon-fri", "2026-01-30T12:00:00Z", "UTC", "2026-02-02T09:00:00.000Z"},
      {"*/20 8-10/2 1,15 JAN *", "2026-01-01T08:00:00Z", "UTC", "2026-01-01T08:20:00.000Z"},
      {"5/15 * * * *", "2026-01-31T12:05:00Z", "UTC", "2026-01-31T12:20:00.000Z"},
      {"0 0 13 * 5", "2026-01-01T00:00:00Z", "UTC", "2026-01-02T00:00:00.000Z"},
      {"0 0 * * 7", "2026-01-31T12:00:00Z", "America/New_York", "2026-02-01T05:00:00.000Z"},
      {"0 0 29 2 *", "2096-03-01T00:00:00Z", "UTC", "2104-02-29T00:00:00.000Z"},
      // 02:30 is skipped in Berlin on 29 March: the run is due at the first instant after the gap.
      {"30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-29T01:00:00.000Z"},
      {"30 2 * * *", "2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-30T00:30:00.000Z"},
      // 02:30 occurs twice on 25 October: only the first occurrence counts.
      {"30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin", "2026-10-25T00:30:00.000Z"},
      {"30 2 * * *", "2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-26T01:30:00.000Z"},
  };
  for (const Row& row : rows) {
    const auto cron = Cron::parse(row.cron);
    ASSERT_TRUE(cron.ok()) << row.cron << cron.problem().detail;
    const auto next = cron->next(*time_from_text(row.after), row.zone);
    EXPECT_EQ(next ? to_text(*next) : "never", row.next) << row.cron << " after " << row.after;
  }
}

TEST(Cron, refuses_invalid_schedules_D20) {
  for (const std::string text :
       {"",           "* * * *",     "* * * * * *", "60 * * * *",    "* 24 * * *",    "* * 0 * *",
        "* * * 13 *", "* * * * 8",   "a * * * *",   "9-8 * * * *",   "*/0 * * * *",   "1,,2 * * * *",
        "-1 * * * *", "1- * * * *",  "*/x * * * *", "1/2/3 * * * *", "1-2-3 * * * *", "+1 * * * *",
        "0 0 30 2 *", "0 0 31 4,6 *"}) {
    EXPECT_FALSE(Cron::parse(text).ok()) << text;
  }
}

TEST(Cron, knows_the_zones_of_the_database) {
  EXPECT_TRUE(is_time_zone("UTC"));
  EXPECT_TRUE(is_time_zone("Europe/Berlin"));
  for (const std::string name : {"", "Mars/Base", "europe", "../etc/passwd"})
    EXPECT_FALSE(is_time_zone(name)) << name;
}

TEST(ScheduledRun, takes_a_due_instant_once_and_none_that_was_missed) {
  CountingIds ids;
  ScheduledRun schedule;
  schedule.cron = "0 * * * *";
  schedule.next_run_at = time_from_text("2026-01-31T12:00:00Z");
  const Time early{schedule.next_run_at->ms - 1};
  EXPECT_FALSE(taken(schedule, early, ids));
  const Time late = *time_from_text("2026-01-31T15:20:00Z");
  const auto after = taken(schedule, late, ids);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->last_run_at, late);
  EXPECT_EQ(after->next_run_at, time_from_text("2026-01-31T16:00:00Z"));
  ScheduledRun half_done = *after;
  half_done.next_run_at = late;
  EXPECT_FALSE(taken(half_done, late, ids)) << "its run is being made";
  schedule.is_enabled = false;
  EXPECT_FALSE(next_run_of(schedule, late));
}

TEST(ScheduledRun, is_corrected_after_the_clock_was_ahead_F38) {
  ScheduledRun schedule;
  schedule.cron = "0 * * * *";
  schedule.last_run_at = time_from_text("2036-01-31T12:00:00Z");
  schedule.next_run_at = time_from_text("2036-01-31T13:00:00Z");
  const Time now = *time_from_text("2026-01-31T12:20:00Z");
  const auto right = set_right(schedule, now);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->next_run_at, time_from_text("2026-01-31T13:00:00Z"));
  EXPECT_EQ(right->last_run_at, schedule.last_run_at);
  EXPECT_FALSE(set_right(*right, now)) << "it is right";
  schedule.is_enabled = false;
  EXPECT_FALSE(set_right(schedule, now));
}

TEST(ScheduledRun, takes_no_instant_twice_if_the_clock_steps_back_F38) {
  ScheduledRun schedule;
  schedule.cron = "0 * * * *";
  schedule.last_run_at = time_from_text("2026-01-31T12:00:00Z");
  schedule.next_run_at = time_from_text("2026-01-31T13:00:00Z");
  for (const auto* text : {"2026-01-31T11:59:59Z", "2026-01-31T12:00:00Z", "2026-01-30T13:00:00Z"}) {
    EXPECT_FALSE(set_right(schedule, *time_from_text(text))) << text;
  }
  EXPECT_TRUE(set_right(schedule, *time_from_text("2026-01-29T13:00:00Z")));
  schedule.next_run_at = time_from_text("2026-01-31T11:00:00Z");
  EXPECT_FALSE(set_right(schedule, *time_from_text("2026-01-31T12:20:00Z"))) << "it is due";
}

}  // namespace
}  // namespace parley
