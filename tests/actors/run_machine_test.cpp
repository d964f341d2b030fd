// The run's machine: the table of its states, launch, expected cases, completion (D43-D45, I44-I51).

#include "actors/run/run_machine.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "model/description/record_write.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

using enum RunStatus;
constexpr std::array<RunStatus, 6> all_statuses{fresh, pending, running, completed, failed, canceled};

class Bench {
 public:
  explicit Bench(RunStatus status) {
    run.stamp.id = ids.next(noon);
    run.stamp.updated_at = noon;
    run.scenario.id = ids.next(noon);
    run.agent.id = ids.next(noon);
    run.status = status;
    run.expected = 2;
  }
  [[nodiscard]] DecisionContext moment() { return {now, ids}; }
  RunDecision patch(const PatchRun& command, const RunFacts& facts = {}) {
    return on(run, command, facts, launch, moment());
  }
  RunDecision patch(RunStatus status, const RunFacts& facts = {}) {
    PatchRun command;
    command.status = status;
    return patch(command, facts);
  }
  RunDecision cancel(const RunFacts& facts = {}) { return on(run, CancelRun{}, facts, moment()); }
  RunDecision post_result(const RunFacts& facts = {}) { return on(run, CreateResult{}, facts, moment()); }
  RunDecision moved(const RunFacts& facts) { return on(run, ResultsMoved{}, facts, moment()); }

  CountingIds ids;
  Time now{noon.ms + 5};
  Run run;
  Launch launch;
};

int status_of(const RunDecision& decision) {
  if (!decision.reply) return 0;
  return decision.reply->ok() ? 200 : decision.reply->problem().status();
}

RunFacts facts_of(std::int64_t total, std::int64_t live, bool has_started, bool has_every_case) {
  return {total, live, has_started, has_every_case};
}

TEST(RunMachine, a_client_that_saw_the_last_result_end_finds_a_completed_run_D44_D45) {
  const RunFacts over = facts_of(2, 0, true, true);
  for (const RunStatus status : {fresh, pending, running}) {
    SCOPED_TRACE(word_of(status));
    EXPECT_EQ(followed_status(Bench(status).run, over), completed);
    Bench canceled(status);
    EXPECT_EQ(status_of(canceled.cancel(over)), 400);
    EXPECT_EQ(canceled.run.status, status) << "a refusal changes nothing, the news will";
    EXPECT_EQ(status_of(Bench(status).patch(RunStatus::canceled, over)), 409);
    Bench archived(status);
    PatchRun command;
    command.is_archived = true;
    const RunDecision decision = archived.patch(command, over);
    EXPECT_EQ(decision.reply->value().run.status, completed);
    EXPECT_TRUE(decision.saves_run && decision.needs_idle);
  }
  const RunFacts going_on = facts_of(2, 1, true, false);
  EXPECT_EQ(followed_status(Bench(fresh).run, going_on), running);
  EXPECT_EQ(status_of(Bench(running).cancel(going_on)), 200);
  EXPECT_EQ(followed_status(Bench(failed).run, over), failed) << "closed by hand";
}

TEST(RunMachine, a_new_result_reopens_a_run_that_is_completed_by_its_results_only_D44) {
  for (const RunStatus status : {fresh, pending}) {
    Bench bench(status);
    EXPECT_TRUE(bench.post_result(facts_of(2, 0, false, true)).saves_run);
    EXPECT_EQ(bench.run.status, running);
    Bench open(status);
    EXPECT_FALSE(open.post_result(facts_of(2, 1, false, false)).saves_run);
    EXPECT_EQ(open.run.status, status);
  }
}

TEST(RunMachine, a_cancel_decided_on_a_live_result_requires_one_at_the_commit_D44_D45) {
  const RunFacts going_on = facts_of(2, 1, true, false);
  const RunFacts missing = facts_of(2, 0, true, false);
  EXPECT_TRUE(Bench(running).cancel(going_on).needs_live);
  EXPECT_TRUE(Bench(running).patch(canceled, going_on).needs_live);
  EXPECT_FALSE(Bench(running).cancel(missing).needs_live) << "cases are missing, and nothing is live";
  EXPECT_FALSE(Bench(running).patch(canceled, missing).needs_live);
  EXPECT_FALSE(Bench(running).patch(completed, missing).needs_live);
}

TEST(RunMachine, results_that_the_service_drives_remember_the_trace_of_their_launch) {
  Bench bench(fresh);
  NewResult driven;
  driven.head.is_server_driven = true;
  bench.launch.results = {driven, NewResult{}};
  bench.launch.expected = {{bench.ids.next(noon), 2}};
  PatchRun command;
  command.status = pending;
  command.trace = std::string("00-1-1-01");
  const RunDecision decision = bench.patch(command);
  ASSERT_EQ(decision.results.size(), 2U);
  EXPECT_EQ(decision.results[0].head.trace, std::string("00-1-1-01"));
  EXPECT_EQ(decision.results[1].head.trace, std::nullopt) << "a client calls its agent itself";
}

struct Move {
  std::string name;
  std::function<RunDecision(Bench&)> act;
  std::array<int, 6> answers;  ///< in the states new, pending, running, completed, failed, canceled
  std::array<RunStatus, 6> after;
};

std::vector<Move> moves() {
  const auto patch = [](RunStatus to, std::int64_t live) {
    return [to, live](Bench& it) { return it.patch(to, facts_of(3, live, false, false)); };
  };
  const std::array<RunStatus, 6> stays = all_statuses;
  return {
      {"cancel-run",
       [](Bench& it) { return it.cancel(); },
       {200, 200, 200, 400, 400, 400},
       {canceled, canceled, canceled, completed, failed, canceled}},
      {"post result",
       [](Bench& it) { return it.post_result(); },
       {200, 200, 200, 200, 409, 409},
       {fresh, pending, running, running, failed, canceled}},
      {"patch new", patch(fresh, 0), {200, 409, 409, 409, 409, 409}, stays},
      {"patch pending",
       patch(pending, 0),
       {200, 200, 409, 409, 409, 409},
       {pending, pending, running, completed, failed, canceled}},
      {"patch running",
       patch(running, 1),
       {200, 200, 200, 409, 409, 409},
       {running, running, running, completed, failed, canceled}},
      {"patch completed",
       patch(completed, 0),
       {200, 200, 200, 200, 409, 409},
       {completed, completed, completed, completed, failed, canceled}},
      {"patch completed while live", patch(completed, 1), {409, 409, 409, 200, 409, 409}, stays},
      {"patch failed",
       patch(failed, 0),
       {200, 200, 200, 409, 200, 409},
       {failed, failed, failed, completed, failed, canceled}},
      {"patch failed while live", patch(failed, 1), {409, 409, 409, 409, 200, 409}, stays},
      {"patch canceled",
       patch(canceled, 1),
       {200, 200, 200, 409, 409, 200},
       {canceled, canceled, canceled, completed, failed, canceled}},
      {"archive",
       [](Bench& it) {
         PatchRun command;
         command.is_archived = true;
         return it.patch(command);
       },
       {200, 200, 200, 200, 200, 200},
       stays},
      {"a result starts",
       [](Bench& it) { return it.moved(facts_of(2, 2, true, false)); },
       {},
       {running, running, running, completed, failed, canceled}},
      {"one started and ended before the run looked",
       [](Bench& it) { return on(it.run, ResultsMoved{true}, facts_of(2, 1, false, false), it.moment()); },
       {},
       {running, running, running, completed, failed, canceled}},
      {"a result is canceled before it ran",
       [](Bench& it) { return it.moved(facts_of(2, 1, false, false)); },
       {},
       stays},
      {"all were canceled before they ran",
       [](Bench& it) { return it.moved(facts_of(2, 0, false, true)); },
       {},
       {completed, completed, completed, completed, failed, canceled}},
      {"the last result ends",
       [](Bench& it) { return it.moved(facts_of(2, 0, true, true)); },
       {},
       {completed, completed, completed, completed, failed, canceled}},
      {"all ended, one case is missing",
       [](Bench& it) { return it.moved(facts_of(1, 0, true, false)); },
       {},
       {running, running, running, completed, failed, canceled}},
      {"nothing there", [](Bench& it) { return it.moved(facts_of(0, 0, false, true)); }, {}, stays},
  };
}

TEST(RunMachine, answers_and_moves_as_the_run_table_says) {
  for (const Move& row : moves()) {
    for (std::size_t i = 0; i < all_statuses.size(); ++i) {
      Bench bench(all_statuses.at(i));
      const RunDecision decision = row.act(bench);
      EXPECT_EQ(status_of(decision), row.answers.at(i)) << row.name << " in " << word_of(all_statuses.at(i));
      EXPECT_EQ(word_of(bench.run.status), word_of(row.after.at(i)))
          << row.name << " in " << word_of(all_statuses.at(i));
    }
  }
}

TEST(RunMachine, saves_what_it_changes_and_changes_nothing_that_it_refuses_I4) {
  for (const Move& row : moves()) {
    for (const RunStatus status : all_statuses) {
      Bench bench(status);
      const std::string before = write_stored(bench.run);
      const RunDecision decision = row.act(bench);
      EXPECT_EQ(write_stored(bench.run) != before, decision.saves_run)
          << row.name << " in " << word_of(status);
      if (status_of(decision) >= 400) {
        EXPECT_FALSE(decision.saves());
      }
      if (decision.saves_run) {
        EXPECT_GT(bench.run.stamp.updated_at, noon);
      }
    }
  }
}

TEST(RunMachine, guards_every_completion_against_a_live_result_I44) {
  for (const Move& row : moves()) {
    for (const RunStatus status : all_statuses) {
      Bench bench(status);
      const RunDecision decision = row.act(bench);
      const bool finishes =
          !is_terminal(status) && bench.run.status != canceled && is_terminal(bench.run.status);
      EXPECT_EQ(decision.needs_idle, finishes) << row.name << " in " << word_of(status);
    }
  }
}

TEST(RunMachine, remembers_how_it_was_canceled_D50) {
  Bench by_hand(running);
  EXPECT_TRUE(by_hand.cancel().cancels_live);
  EXPECT_EQ(by_hand.run.canceled_by, CanceledBy::operation);
  Bench by_patch(running);
  EXPECT_TRUE(by_patch.patch(canceled).cancels_live) << "same effects as cancel-run (D45)";
  EXPECT_EQ(by_patch.run.canceled_by, CanceledBy::patch);
}

TEST(RunMachine, forgets_the_missing_cases_when_it_is_closed_early_D44) {
  for (const RunStatus to : {completed, failed, canceled}) {
    Bench bench(running);
    bench.patch(to);
    EXPECT_EQ(bench.run.expected, 0) << word_of(to);
  }
}

TEST(RunMachine, changes_nothing_on_an_empty_patch) {
  Bench bench(running);
  const RunDecision decision = bench.patch(PatchRun{});
  EXPECT_EQ(status_of(decision), 200);
  EXPECT_FALSE(decision.saves());
  EXPECT_EQ(bench.run.stamp.updated_at, noon);
}

TEST(RunMachine, changes_its_scenario_only_before_it_has_results_or_is_launched) {
  PatchRun command;
  command.scenario = Ref<RecordKind::scenario>{CountingIds(99).next(noon)};
  Bench open(fresh);
  open.launch.expected = {{open.ids.next(noon), 3}};
  EXPECT_EQ(status_of(open.patch(command)), 200);
  EXPECT_EQ(open.run.expected, 3);
  Bench with_results(fresh);
  EXPECT_EQ(status_of(with_results.patch(command, facts_of(1, 1, false, false))), 409);
  Bench launched(pending);
  launched.run.is_launched = true;
  EXPECT_EQ(status_of(launched.patch(command)), 409);
  Bench finished(completed);
  EXPECT_EQ(status_of(finished.patch(command)), 409);
}

TEST(RunMachine, creates_the_results_of_a_launch_with_it_D43) {
  Bench bench(fresh);
  bench.launch.expected = {{bench.ids.next(noon), 2}};
  bench.launch.results.resize(2);
  const RunDecision decision = bench.patch(pending);
  EXPECT_EQ(bench.run.status, pending);
  EXPECT_TRUE(bench.run.is_launched);
  EXPECT_EQ(bench.run.expected, 2);
  EXPECT_EQ(decision.results.size(), 2U);
  EXPECT_EQ(decision.expected->size(), 1U);
}

TEST(RunMachine, completes_a_launch_without_a_case_only_if_the_service_makes_the_results_D44) {
  for (const bool makes_results : {false, true}) {
    Bench bench(fresh);
    bench.launch.makes_results = makes_results;
    bench.patch(pending);
    EXPECT_EQ(bench.run.status, makes_results ? completed : pending);
  }
}

TEST(RunMachine, becoming_running_is_a_launch_where_the_service_makes_the_results_D43) {
  for (const bool is_served : {false, true}) {
    for (const std::optional<bool> asked :
         {std::optional<bool>(), std::optional(false), std::optional(true)}) {
      Bench bench(fresh);
      bench.run.generate_results = asked;
      bench.launch.is_served = is_served;
      bench.launch.expected = {{bench.ids.next(noon), 2}};
      bench.launch.results.resize(2);
      const RunDecision decision = bench.patch(running);
      EXPECT_EQ(bench.run.status, running);
      EXPECT_EQ(bench.run.is_launched, asked.value_or(is_served));
      EXPECT_EQ(decision.results.size(), asked.value_or(is_served) ? 2U : 0U);
    }
  }
}

TEST(RunMachine, changes_its_story_D103) {
  Bench bench(running);
  PatchRun command;
  command.name = "nightly";
  command.metadata = json::Text{R"({"a":1})"};
  command.seed = 7;
  EXPECT_TRUE(bench.patch(command).saves_run);
  EXPECT_EQ(bench.run.name, "nightly");
  EXPECT_EQ(bench.run.metadata.text, R"({"a":1})");
  EXPECT_EQ(bench.run.seed, 7);
  EXPECT_FALSE(bench.patch(command).saves_run) << "the same again changes nothing";
}

TEST(RunMachine, is_created_with_exactly_the_supplied_status_I51) {
  for (const RunStatus status : {fresh, running, completed, failed, canceled}) {
    Bench bench(fresh);
    CreateRun command{bench.run};
    command.run.status = status;
    bench.launch.expected = {{bench.ids.next(noon), 2}};
    const RunDecision decision = on(bench.run, command, bench.launch, bench.moment());
    EXPECT_EQ(bench.run.status, status);
    EXPECT_TRUE(decision.is_new && decision.saves());
    EXPECT_TRUE(decision.results.empty());
    EXPECT_EQ(bench.run.expected, is_terminal(status) ? 0 : 2) << "a run created closed waits for nothing";
    EXPECT_EQ(bench.run.canceled_by, status == canceled ? CanceledBy::patch : CanceledBy::nobody);
  }
}

TEST(RunMachine, is_created_pending_with_its_results_or_completes_without_a_case_D44) {
  Bench bench(fresh);
  CreateRun command{bench.run};
  command.run.status = pending;
  bench.launch.expected = {{bench.ids.next(noon), 1}};
  bench.launch.results.resize(1);
  const RunDecision launched = on(bench.run, command, bench.launch, bench.moment());
  EXPECT_EQ(bench.run.status, pending);
  ASSERT_EQ(launched.results.size(), 1U);
  EXPECT_EQ(launched.results.front().head.run->id, bench.run.stamp.id);
  Bench none(fresh);
  none.launch.makes_results = true;
  EXPECT_TRUE(on(none.run, command, none.launch, none.moment()).saves());
  EXPECT_EQ(none.run.status, completed);
}

TEST(RunMachine, makes_a_group_of_its_own_if_none_is_given_I50) {
  Bench bench(fresh);
  CreateRun command{bench.run};
  const RunDecision decision = on(bench.run, command, Launch{}, bench.moment());
  ASSERT_TRUE(decision.group && bench.run.run_group);
  EXPECT_EQ(bench.run.run_group->id, decision.group->stamp.id);
  command.run.run_group = Ref<RecordKind::run_group>{bench.ids.next(noon)};
  EXPECT_FALSE(on(bench.run, command, Launch{}, bench.moment()).group.has_value());
}

TEST(RunMachine, reopens_with_a_posted_result_in_the_same_step_I48) {
  Bench bench(completed);
  const RunDecision decision = bench.post_result();
  EXPECT_TRUE(decision.saves_run);
  EXPECT_EQ(decision.results.size(), 1U);
  EXPECT_EQ(decision.results.front().head.status, ResultStatus::pending);
}

}  // namespace
}  // namespace parley::actors::test
