// Tests of the simulator itself: the same seed gives the same history, the model rejects what must not happen, and a
// few seconds of schedules and meetings are sound. `parley_sim` runs as many as time permits.

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include "tests/sim/engine/campaign.hpp"

namespace parley::sim {
namespace {

class Simulation : public ::testing::Test {
 protected:
  void SetUp() override { spdlog::set_level(spdlog::level::off); }
  void TearDown() override { spdlog::set_level(spdlog::level::info); }
  std::ostringstream said_;
};

TEST_F(Simulation, a_seed_is_one_history) {
  Stand first, second;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Plan plan = plan_of(seed);
    const Trial one = Schedule(first, plan).carry_out();
    static_cast<void>(Schedule(second, plan_of(seed + 500)).carry_out());  // earlier schedules do not matter
    const Trial other = Schedule(second, plan).carry_out();
    ASSERT_EQ(text_of(one.history), text_of(other.history)) << "seed " << seed;
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint32_t sparing = 4;  // unoptimized and instrumented, a schedule takes fifteen times as long
#else
constexpr std::uint32_t sparing = 1;
#endif

TEST_F(Simulation, random_schedules_have_an_order_that_the_model_explains) {
  Stand stand;
  const Tally tally = run_seeds(stand, 1, 250 / sparing, said_);
  EXPECT_EQ(tally.failed, 0u) << said_.str();
  EXPECT_EQ(tally.undecided, 0u);
  EXPECT_GT(tally.crashes, 100u / sparing);
  EXPECT_GT(tally.commands, 2'000u / sparing);
}

/// Seeds with more features: models that behave well or badly, local runners, a deadline, previews, rescores.
TEST_F(Simulation, wide_schedules_have_an_order_that_the_model_explains) {
  Stand stand;
  for (const std::uint64_t first : {first_wide_seed, first_seed_with_runners, first_seed_with_deadline,
                                    first_seed_with_previews, first_seed_with_rescores}) {
    const Tally tally = run_seeds(stand, first, 120 / sparing, said_);
    EXPECT_EQ(tally.failed, 0u) << said_.str();
    EXPECT_EQ(tally.undecided, 0u);
  }
}

/// The faults that these seeds found: a command that only stored the key of a request read a result that a cancel-run
/// had changed; a run that a retry had re-opened refused a result; an actor was released by its predecessor's second
/// offer, with a write in progress; a model wrote an unrequested turn; a retry canceled a result that was being offered
/// to a runner; a retry re-opened a run that only its results had completed, and left it new; a run that was shown as
/// running was new again after a crash.
TEST_F(Simulation, schedules_that_once_failed_are_sound) {
  Stand stand;
  for (const std::uint64_t seed :
       {111914U, 2019769U, 3015645U, 5010635U, 10010588U, 10024294U, 10560523U, 100000055U, 200001937U})
    EXPECT_EQ(run_seeds(stand, seed, 1, said_).failed, 0U) << said_.str();
}

TEST_F(Simulation, a_sample_of_all_pairs_of_operations_in_every_state_is_sound) {
  Stand stand;
  const Meetings met =
      meet_all(stand, {.orders_max = 12, .kills = true, .share = 97 * sparing, .place = 7}, said_);
  EXPECT_EQ(met.failed, 0u) << said_.str();
  EXPECT_GT(met.pairs, 60u / sparing);
  EXPECT_GT(met.kills, 200u / sparing);
}

/// One client's result, and an operation on it with this answer.
History answered(Deed deed, Reply reply) {
  History history;
  Op op;
  op.deed = deed;
  op.token = 1;
  op.target = {first_root, 0};
  op.answers = 1;
  op.reply = reply;
  history.ops.push_back(op);
  history.events.push_back({Event::Sort::invoked, 0, {}, {}});
  history.events.push_back({Event::Sort::answered, 0, {}, {}});
  return history;
}
Shape one_pending() {
  Shape shape;
  shape.run = RunState::running;
  One one;
  one.name = {first_root, 0};
  shape.add(one);
  return shape;
}
Event seen(Shape shape) {
  Event event;
  event.sort = Event::Sort::looked;
  event.shape = std::move(shape);
  return event;
}

TEST_F(Simulation, the_checker_accepts_what_happened) {
  History history = answered(Deed::post, {200, 1});
  Shape after = one_pending();
  after.ones[0].status = Status::running;
  after.ones[0].talk.push_back({1, Said::Sort::message, false, true, 0, 0});
  history.events.push_back(seen(after));
  EXPECT_TRUE(check(history, one_pending(), {}).is_sound);
}

TEST_F(Simulation, the_checker_notices_that_an_acknowledged_entry_is_missing) {
  History history = answered(Deed::post, {200, 1});
  history.events.push_back(seen(one_pending()));
  EXPECT_FALSE(check(history, one_pending(), {}).is_sound);
}

TEST_F(Simulation, the_checker_refuses_an_answer_that_no_order_gives) {
  History taken = answered(Deed::finish, {200, 0});
  taken.events.push_back(seen(one_pending()));
  EXPECT_FALSE(check(taken, one_pending(), {}).is_sound);
  History refused = answered(Deed::finish, {400, 0});
  refused.events.push_back(seen(one_pending()));
  EXPECT_TRUE(check(refused, one_pending(), {}).is_sound);
}

TEST_F(Simulation,
       the_checker_accepts_an_interrupted_operation_with_or_without_its_effect_but_not_with_a_late_one) {
  History history = answered(Deed::cancel, {});
  history.ops[0].answers = 0;
  history.events.pop_back();
  history.events.push_back({Event::Sort::crashed, 0, {}, {}});
  Shape canceled = one_pending();
  canceled.ones[0].status = Status::canceled;
  canceled.ones[0].is_ended = true;
  History there = history;
  there.events.push_back(seen(canceled));
  EXPECT_TRUE(check(there, one_pending(), {}).is_sound);
  history.events.push_back(seen(one_pending()));
  EXPECT_TRUE(check(history, one_pending(), {}).is_sound);
  history.events.push_back(seen(canceled));
  EXPECT_FALSE(check(history, one_pending(), {}).is_sound);
}

/// A request to save another text for the existing assertion: no chatbot said "p".
constexpr std::uint32_t wish_for_p = 1 + 4 * 1 + 24 * (1 + 9);
Shape one_completed() {
  Shape shape;
  shape.run = RunState::completed;
  One one;
  one.name = {first_root, 0};
  one.status = Status::completed;
  one.is_ended = one.is_claimed = true;
  one.rows.push_back({});
  one.total = total_of(one.rows);
  shape.add(one);
  return shape;
}
Shape one_scored_again() {
  Shape shape = one_completed();
  One& one = shape.ones[0];
  one.rows = wish_of(wish_for_p).rows;
  one.rows[0].ruled = Ruled::failed;
  one.total = total_of(one.rows);
  one.rescored = 1;
  return shape;
}
History scored_again(int status, std::int64_t based_on) {
  const Total before = one_completed().ones[0].total;
  const Total after = one_scored_again().ones[0].total;
  History history =
      answered(Deed::rescore, {status, status == 200 ? rescore_detail(before, after, 1, true) : 0});
  history.ops[0].value = wish_for_p;
  history.ops[0].based_on = based_on;
  return history;
}

TEST_F(Simulation, the_checker_knows_how_rescoring_changes_a_verdict) {
  const Facts facts{.knows_verdicts = true};
  History history = scored_again(200, 0);
  history.events.push_back(seen(one_scored_again()));
  EXPECT_TRUE(check(history, one_completed(), facts).is_sound);
  history.events.back() = seen(one_completed());  // acknowledged, but missing
  EXPECT_FALSE(check(history, one_completed(), facts).is_sound);
  Shape other = one_scored_again();
  ++other.ones[0].total.score;
  history.events.back() = seen(other);
  EXPECT_FALSE(check(history, one_completed(), facts).is_sound);
}

TEST_F(Simulation, the_checker_lets_no_older_decision_replace_a_newer_verdict) {
  const Facts facts{.knows_verdicts = true};
  Shape newer = one_completed();
  newer.ones[0].rescored = 1;
  History refused = scored_again(409, 0);
  refused.events.push_back(seen(newer));
  EXPECT_TRUE(check(refused, newer, facts).is_sound);
  refused.ops[0].based_on = 1;  // no rescore in between
  EXPECT_FALSE(check(refused, newer, facts).is_sound);
  History taken = scored_again(200, 0);
  Shape overwritten = one_scored_again();
  overwritten.ones[0].rescored = 2;
  taken.events.push_back(seen(overwritten));
  EXPECT_FALSE(check(taken, newer, facts).is_sound);
}

TEST_F(Simulation, the_checker_accepts_rescoring_of_completed_results_only) {
  const Facts facts{.knows_verdicts = true};
  History refused = scored_again(409, 0);
  Shape canceled = one_completed();
  canceled.ones[0].status = Status::canceled;
  refused.events.push_back(seen(canceled));
  EXPECT_TRUE(check(refused, canceled, facts).is_sound);
  History taken = scored_again(200, 0);
  Shape changed = one_scored_again();
  changed.ones[0].status = Status::canceled;
  taken.events.push_back(seen(changed));
  EXPECT_FALSE(check(taken, canceled, facts).is_sound);
}

}  // namespace
}  // namespace parley::sim
