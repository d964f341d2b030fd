// A completed result is scored again.

#include "model/limits.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

Rescore rescore_of(const ResultHead& head, std::string rows) {
  return {head.rescored, {std::move(rows)}, 40, true, true};
}

TEST(ResultMachineRescore, keeps_the_old_verdict_behind_the_new_one_I21) {
  Machine machine = in(Phase::C);
  const ResultVerdict stored{{"[1]"}, {}};
  const ResultDecision decision =
      on(machine.state, rescore_of(machine.state.head, "[2]"), stored, {machine.now, machine.ids});
  ASSERT_TRUE(decision.saves_head && decision.verdict.has_value());
  EXPECT_EQ(decision.verdict->assertion_results.text, "[2]");
  ASSERT_EQ(decision.verdict->replaced.size(), 1U);
  EXPECT_NE(decision.verdict->replaced[0].text.find(R"("version":1,)"), std::string::npos);
  EXPECT_NE(decision.verdict->replaced[0].text.find(R"("score":75,)"), std::string::npos);
  EXPECT_NE(decision.verdict->replaced[0].text.find(R"("assertionResults":[1])"), std::string::npos);
  EXPECT_EQ(machine.state.head.score, 40);
  EXPECT_EQ(machine.state.head.rescored, 1);
  EXPECT_EQ(machine.phase(), Phase::C);
}

TEST(ResultMachineRescore, changes_nothing_for_an_equal_verdict) {
  Machine machine = in(Phase::C);
  const ResultDecision decision =
      on(machine.state, rescore_of(machine.state.head, "[1]"), {{"[1]"}, {}}, {machine.now, machine.ids});
  EXPECT_FALSE(decision.saves());
  EXPECT_EQ(status_of(decision), 200);
  EXPECT_EQ(machine.state.head.score, 75);
}

TEST(ResultMachineRescore, refuses_what_was_decided_on_an_older_verdict) {
  Machine machine = in(Phase::C);
  Rescore late = rescore_of(machine.state.head, "[2]");
  machine.state.head.rescored = 1;
  const ResultDecision decision = on(machine.state, late, {{"[1]"}, {}}, {machine.now, machine.ids});
  EXPECT_EQ(status_of(decision), 409);
  EXPECT_FALSE(decision.saves());
}

TEST(ResultMachineRescore, refuses_every_state_but_completed_I17) {
  for (const Phase phase : all_phases) {
    Machine machine = in(phase);
    const ResultDecision decision =
        on(machine.state, rescore_of(machine.state.head, "[2]"), {}, {machine.now, machine.ids});
    EXPECT_EQ(status_of(decision), phase == Phase::C ? 200 : 409) << letter(phase);
    EXPECT_EQ(decision.saves(), phase == Phase::C) << letter(phase);
  }
}

TEST(ResultMachineRescore, keeps_a_bounded_number_of_verdicts) {
  Machine machine = in(Phase::C);
  ResultVerdict stored{{"[0]"}, std::vector<json::Text>(limits::verdicts_kept_max, json::Text{"{}"})};
  const ResultDecision decision =
      on(machine.state, rescore_of(machine.state.head, "[1]"), stored, {machine.now, machine.ids});
  ASSERT_TRUE(decision.verdict.has_value());
  EXPECT_EQ(decision.verdict->replaced.size(), limits::verdicts_kept_max);
}

}  // namespace
}  // namespace parley::actors::test
