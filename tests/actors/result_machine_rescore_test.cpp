// The rescoring of a completed result.

#include "actors/result/result_changes.hpp"
#include "model/limits.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

Rescore rescore_of(const ResultHead& head, std::string rows) {
  return {head.rescored, {std::move(rows)}, 40, true, true, {}, {}};
}

TEST(ResultMachineRescore, keeps_the_old_verdict_along_with_the_new_one_I21) {
  Machine machine = in(Phase::C);
  const ResultVerdict stored{{"[1]"}, {}};
  const ResultDecision decision =
      on(machine.state, rescore_of(machine.state.head, "[2]"), stored, {}, {machine.now, machine.ids});
  ASSERT_TRUE(decision.saves_head && decision.verdict.has_value());
  EXPECT_EQ(decision.verdict->assertion_results.text, "[2]");
  EXPECT_EQ(decision.verdict->before, (ReplacedVerdict{machine.now, 75, false}));
  EXPECT_EQ(machine.state.head.score, 40);
  EXPECT_EQ(machine.state.head.rescored, 1);
  EXPECT_EQ(machine.phase(), Phase::C);
}

TEST(ResultMachineRescore, changes_nothing_for_an_equal_verdict) {
  Machine machine = in(Phase::C);
  const ResultDecision decision =
      on(machine.state, rescore_of(machine.state.head, "[1]"), {{"[1]"}, {}}, {}, {machine.now, machine.ids});
  EXPECT_FALSE(decision.saves());
  EXPECT_EQ(status_of(decision), 200);
  EXPECT_EQ(machine.state.head.score, 75);
}

TEST(ResultMachineRescore, refuses_what_was_decided_on_an_older_verdict) {
  Machine machine = in(Phase::C);
  Rescore late = rescore_of(machine.state.head, "[2]");
  machine.state.head.rescored = 1;
  const ResultDecision decision = on(machine.state, late, {{"[1]"}, {}}, {}, {machine.now, machine.ids});
  EXPECT_EQ(status_of(decision), 409);
  EXPECT_FALSE(decision.saves());
}

TEST(ResultMachineRescore, refuses_every_state_but_completed_I17) {
  for (const Phase phase : all_phases) {
    Machine machine = in(phase);
    const ResultDecision decision =
        on(machine.state, rescore_of(machine.state.head, "[2]"), {}, {}, {machine.now, machine.ids});
    EXPECT_EQ(status_of(decision), phase == Phase::C ? 200 : 409) << letter(phase);
    EXPECT_EQ(decision.saves(), phase == Phase::C) << letter(phase);
  }
}

/// The versions of the verdicts that the change set removes.
std::vector<std::uint32_t> forgotten(const store::ChangeSet& changes) {
  std::vector<std::uint32_t> versions;
  for (const store::Write& write : changes.writes) {
    if (write.table == store::TableId::later_verdicts && write.value.empty())
      versions.push_back(store::u32_at(std::string_view(write.key).substr(16)));
  }
  return versions;
}

TEST(ResultMachineRescore, keeps_a_bounded_number_of_verdicts) {
  const auto kept_max = static_cast<std::int64_t>(limits::verdicts_kept_max);
  for (const std::int64_t rescored : {std::int64_t{0}, kept_max, kept_max + 1, kept_max + 5}) {
    Machine machine = in(Phase::C);
    machine.state.head.rescored = rescored;
    const ResultHead durable = machine.state.head;
    const ResultDecision decision = on(machine.state, rescore_of(durable, "[2]"), ResultVerdict{{"[1]"}, {}},
                                       {}, {machine.now, machine.ids});
    store::ChangeSet changes;
    add_conversation(changes, decision, machine.state, durable);
    const std::int64_t oldest = rescored + 2 - kept_max - 1;  // the new verdict and the ten before it stay
    const bool goes = oldest > 1;  // the first verdict has a table of its own and stays
    EXPECT_EQ(forgotten(changes),
              goes ? std::vector{static_cast<std::uint32_t>(oldest)} : std::vector<std::uint32_t>{})
        << rescored;
  }
}

SaveReview review_of(const ResultHead& head, bool is_void) {
  return {head.rescored, head.status, {R"({"valid":1})"}, FaultSource::tester, is_void};
}

TEST(ResultMachineReview, is_kept_once_and_makes_the_trial_void_D24) {
  Machine machine = in(Phase::C);
  const SaveReview command = review_of(machine.state.head, true);
  const ResultDecision decision = on(machine.state, command, std::nullopt, {machine.now, machine.ids});
  ASSERT_TRUE(decision.saves_head && decision.review.has_value());
  EXPECT_EQ(decision.review->review, command.review);
  EXPECT_FALSE(machine.state.head.has_outcome());
  EXPECT_EQ(machine.state.head.fault, FaultSource::tester);
  EXPECT_EQ(machine.phase(), Phase::C);
  const ResultDecision again = on(machine.state, command, *decision.review, {machine.now, machine.ids});
  EXPECT_FALSE(again.saves());
  EXPECT_EQ(status_of(again), 200);
}

TEST(ResultMachineReview, refuses_what_is_not_finished_or_was_changed_meanwhile) {
  for (const Phase phase : all_phases) {
    Machine machine = in(phase);
    const bool is_over = is_terminal(machine.state.head.status);
    const ResultDecision decision =
        on(machine.state, review_of(machine.state.head, false), std::nullopt, {machine.now, machine.ids});
    EXPECT_EQ(status_of(decision), is_over ? 200 : 409) << letter(phase);
    EXPECT_EQ(decision.saves(), is_over) << letter(phase);
  }
  Machine machine = in(Phase::C);
  const SaveReview late = review_of(machine.state.head, true);
  machine.state.head.rescored = 1;
  EXPECT_EQ(status_of(on(machine.state, late, std::nullopt, {machine.now, machine.ids})), 409);
  Machine withdrawn = in(Phase::X);
  EXPECT_EQ(status_of(on(withdrawn.state, late, std::nullopt, {machine.now, machine.ids})), 409);
}

TEST(ResultMachineReview, moves_with_a_new_verdict) {
  Machine machine = in(Phase::C);
  machine.state.head.is_void = true;
  const StoredReview stored{{"{}"}};
  Rescore command = rescore_of(machine.state.head, "[2]");
  EXPECT_EQ(status_of(on(machine.state, command, {{"[1]"}, {}}, stored, {machine.now, machine.ids})), 409)
      << "reviewed meanwhile";
  command.review = review_of(machine.state.head, false);
  const ResultDecision decision =
      on(machine.state, command, {{"[1]"}, {}}, stored, {machine.now, machine.ids});
  ASSERT_TRUE(decision.review.has_value());
  EXPECT_TRUE(machine.state.head.has_outcome());
}

}  // namespace
}  // namespace parley::actors::test
