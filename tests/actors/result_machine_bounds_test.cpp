// How much a conversation can hold, and how a full one ends (D55).

#include "model/limits.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

TEST(ResultMachine, refuses_a_merge_beyond_100_KB_I37) {
  Machine machine;
  Entry entry = machine.post(says("a"));
  entry.metadata.text = R"({"a":")" + std::string(limits::metadata_bytes_max - 8, 'x') + R"("})";
  ASSERT_EQ(entry.metadata.text.size(), limits::metadata_bytes_max);
  EXPECT_EQ(status_of(machine.apply(PatchEntry{entry.id, {R"({"a":1})"}}, entry)), 200);
  EXPECT_EQ(status_of(machine.apply(PatchEntry{entry.id, {R"({"b":1})"}}, entry)), 400);
}

TEST(ResultMachine, takes_no_entry_beyond_the_bounds_D55) {
  Machine machine;
  machine.post(says("a"));
  machine.state.slots.resize(limits::entries_max, machine.state.slots.front());
  EXPECT_EQ(machine.apply(says("b")).reply->problem().kind, ProblemKind::conversation_full);
  machine.state.slots.resize(1);
  machine.state.bytes = limits::conversation_bytes_max - 10;
  EXPECT_EQ(machine.apply(says("b")).reply->problem().kind, ProblemKind::conversation_full);
}

/// A machine whose conversation accepts no further entry, and whose last turn was answered.
Machine full_machine() {
  Machine machine;
  machine.post(says("a"));
  machine.state.slots.resize(limits::entries_max, machine.state.slots.front());
  return machine;
}

TEST(ResultMachine, a_full_conversation_still_ends_D55) {
  const auto reason_after = [](tester::Turn said) {
    Machine machine = full_machine();
    EXPECT_EQ(machine.apply(NextMessage{}).effects, std::vector<ResultEffect>{AskTester{0}});
    const ResultDecision decision = machine.receives(std::move(said));
    EXPECT_TRUE(decision.reply->value().turn->end_chat);
    EXPECT_TRUE(decision.saves_head);
    EXPECT_TRUE(decision.entries.empty());
    return machine.state.head.end_reason.value();
  };
  EXPECT_EQ(reason_after(tester::End{EndReason::tester_ended}), EndReason::tester_ended);
  EXPECT_EQ(reason_after(tester::End{EndReason::max_turns}), EndReason::max_turns);
  EXPECT_EQ(reason_after(tester::BrokenScript{"bad"}), EndReason::tester_error);
}

TEST(ResultMachine, a_full_conversation_takes_no_turn_D55) {
  for (const tester::Turn& said : {tester::Turn(tester::Say{"b", 1}), {tester::Invoke{"press", {"{}"}, 1}}}) {
    Machine machine = full_machine();
    const std::string before = machine.picture();
    const ResultDecision decision = machine.receives(said);
    EXPECT_EQ(decision.reply->problem().kind, ProblemKind::conversation_full);
    EXPECT_FALSE(decision.saves());
    EXPECT_EQ(machine.picture(), before);

    Machine driven = full_machine();
    driven.state.head.is_server_driven = true;
    driven.receives(said);
    EXPECT_EQ(driven.state.head.end_reason, EndReason::conversation_full);
  }
}

/// The usage is reported, and a client that asks for the turn learns that the conversation has ended.
TEST(ResultMachine, a_conversation_that_was_filled_while_a_model_spoke_ends_D55) {
  Machine machine = full_machine();
  const ResultDecision decision =
      machine.apply(TesterSpoke{0, tester::Say{"b", 1}, "model", ModelUse{"m", 1, 0, 100, 10, 0.5}});
  EXPECT_TRUE(decision.saves_head);
  EXPECT_EQ(machine.state.head.end_reason, EndReason::conversation_full);
  EXPECT_EQ(machine.state.head.tester_use, (ModelUse{"m", 1, 0, 100, 10, 0.5}));
}

TEST(ResultMachine, a_driven_conversation_that_is_full_ends_as_its_tester_says_D55) {
  Machine machine = full_machine();
  machine.state.head.is_server_driven = true;
  machine.receives(tester::End{EndReason::goal_reached});
  EXPECT_EQ(machine.state.head.end_reason, EndReason::goal_reached);
}

}  // namespace
}  // namespace parley::actors::test
