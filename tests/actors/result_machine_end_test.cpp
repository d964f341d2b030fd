// The end of a result: finish, PATCH, verdict, and the work that a start finds outstanding.

#include "actors/lifecycle/recovery.hpp"
#include "model/limits.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

TEST(ResultMachineEnd, claims_with_the_end_of_an_automatic_conversation_I23) {
  Machine machine;
  machine.post(says("hello"));
  const ResultDecision decision = machine.receives(tester::End{EndReason::goal_reached});
  EXPECT_EQ(machine.state.head.end_reason, EndReason::goal_reached);
  EXPECT_EQ(machine.state.head.scoring_enqueued_at, machine.now);
  EXPECT_EQ(machine.state.head.status, ResultStatus::running) << "while scoring is in flight (I22)";
  EXPECT_EQ(count_of<DispatchScoring>(decision), 1U);
}

TEST(ResultMachineEnd, waits_for_finish_in_manual_mode_however_long_I23) {
  Machine machine = in(Phase::W);
  EXPECT_FALSE(machine.state.head.is_claimed());
  machine.now.ms += 10LL * 365 * 86'400'000;
  EXPECT_EQ(status_of(machine.apply(Retry{})), 400) << "a manual wait is never stuck (D50)";
  EXPECT_EQ(status_of(machine.apply(Finish{})), 200);
  EXPECT_EQ(machine.phase(), Phase::S);
}

TEST(ResultMachineEnd, ends_a_server_driven_result_automatically_I24) {
  Machine machine(CompletionMode::manual);
  machine.state.head.is_server_driven = true;
  machine.receives(tester::End{});
  EXPECT_TRUE(machine.state.head.is_claimed());
}

TEST(ResultMachineEnd, starts_a_result_whose_first_turn_is_the_end) {
  Machine machine;
  machine.receives(tester::End{});
  EXPECT_EQ(machine.phase(), Phase::S);
  EXPECT_EQ(machine.state.head.status, ResultStatus::running);
}

TEST(ResultMachineEnd, checks_finish_in_this_order_I25) {
  Machine claimed = in(Phase::S);
  EXPECT_EQ(status_of(claimed.apply(Finish{})), 409) << "claimed goes before ended";
  Machine completed = in(Phase::C);
  EXPECT_EQ(status_of(completed.apply(Finish{})), 400) << "terminal goes before claimed";
  Machine open = in(Phase::R);
  EXPECT_EQ(status_of(open.apply(Finish{})), 400);
}

TEST(ResultMachineEnd, ends_an_open_manual_session_even_an_empty_one_D52) {
  for (const CompletionMode mode : {CompletionMode::automatic, CompletionMode::manual}) {
    Machine machine(mode);
    machine.state.head.is_manual = true;
    const ResultDecision decision = machine.apply(Finish{});
    EXPECT_EQ(status_of(decision), 200);
    EXPECT_EQ(machine.state.head.end_reason, EndReason::tester_ended);
    EXPECT_EQ(machine.phase(), Phase::S);
    EXPECT_EQ(count_of<DispatchScoring>(decision), 1U);
  }
}

TEST(ResultMachineEnd, writes_verdict_and_status_in_one_step_I21) {
  Machine machine = in(Phase::S);
  const ResultDecision decision = machine.apply(machine.verdict());
  EXPECT_TRUE(decision.saves_head && decision.verdict.has_value());
  EXPECT_EQ(machine.state.head.status, ResultStatus::completed);
  EXPECT_EQ(machine.state.head.score, 75);
  EXPECT_FALSE(machine.state.head.overall_passed);
  EXPECT_FALSE(decision.reply.has_value());
  EXPECT_FALSE(machine.apply(machine.verdict()).saves()) << "a second verdict is dropped";
}

TEST(ResultMachineEnd, drops_the_verdict_on_a_canceled_result_I27) {
  Machine machine = in(Phase::S);
  machine.apply(to_status(ResultStatus::canceled));
  EXPECT_EQ(machine.state.head.end_reason, EndReason::tester_ended) << "the first reason stays";
  EXPECT_FALSE(machine.apply(machine.verdict()).saves());
  EXPECT_EQ(machine.state.head.score, 0);
  EXPECT_EQ(machine.phase(), Phase::X);
}

TEST(ResultMachineEnd, withdraws_a_completed_result_D46) {
  Machine machine = in(Phase::C);
  machine.apply(to_status(ResultStatus::canceled));
  EXPECT_EQ(machine.phase(), Phase::X);
  EXPECT_EQ(machine.state.head.score, 75) << "its verdict stays readable";
}

TEST(ResultMachineEnd, blames_the_client_for_status_failed_D46) {
  Machine machine = in(Phase::R);
  machine.apply(to_status(ResultStatus::failed));
  EXPECT_EQ(machine.state.head.end_reason, EndReason::client_error);
  const auto error = json::parse(machine.state.head.error->text);
  EXPECT_EQ(error->root().find("source")->string(), "client");
}

TEST(ResultMachineEnd, gives_every_terminal_result_a_reason_D49) {
  Machine canceled = in(Phase::P);
  canceled.apply(to_status(ResultStatus::canceled));
  EXPECT_EQ(canceled.state.head.end_reason, EndReason::canceled);
  Machine waiting = in(Phase::W);
  waiting.apply(to_status(ResultStatus::failed));
  EXPECT_EQ(waiting.state.head.end_reason, EndReason::client_error);
  Machine withdrawn = in(Phase::W);
  withdrawn.apply(to_status(ResultStatus::canceled));
  EXPECT_EQ(withdrawn.state.head.end_reason, EndReason::tester_ended);
}

TEST(ResultMachineEnd, changes_nothing_for_values_that_are_already_set_D46) {
  Machine machine = in(Phase::R);
  machine.apply(to_metadata(R"({"a":1})"));
  const std::string picture = machine.picture();
  for (const PatchResult& patch : {PatchResult{}, to_status(ResultStatus::running),
                                   to_mode(CompletionMode::automatic), to_metadata(R"({"a":1})")}) {
    EXPECT_FALSE(machine.apply(patch).saves());
  }
  EXPECT_EQ(machine.picture(), picture);
}

TEST(ResultMachineEnd, replaces_metadata_whole_but_for_the_keys_of_the_service_D46) {
  Machine machine = in(Phase::F);
  machine.state.head.previous = std::string("0190-old");
  machine.apply(to_metadata(R"({"a":1,"b":2})"));
  const ResultDecision replaced = machine.apply(to_metadata(R"({"c":3})"));
  EXPECT_EQ(replaced.extras->metadata.text, R"({"c":3})");
  EXPECT_EQ(status_of(machine.apply(to_metadata(R"({"previous_test_result_id":"0190-old"})"))), 200);
  const ResultDecision refused = machine.apply(to_metadata(R"({"error":{},"previous_test_result_id":"x"})"));
  ASSERT_EQ(status_of(refused), 400);
  EXPECT_EQ(refused.reply->problem().faults.size(), 2U) << "all faults at once (D3)";
}

TEST(ResultMachineEnd, takes_client_keys_of_those_names_while_the_service_wrote_none_D46) {
  Machine machine = in(Phase::P);
  EXPECT_EQ(status_of(machine.apply(to_metadata(R"({"error":"mine"})"))), 200);
}

TEST(ResultMachineEnd, refuses_a_patch_whole_or_takes_it_whole_I4) {
  Machine machine = in(Phase::F);
  PatchResult patch = to_metadata(R"({"a":1})");
  patch.status = ResultStatus::canceled;
  const std::string picture = machine.picture();
  EXPECT_EQ(status_of(machine.apply(patch)), 409);
  EXPECT_EQ(machine.picture(), picture);
  EXPECT_EQ(machine.extras.metadata.text, "{}");
}

TEST(ResultMachineEnd, claims_a_waiting_result_that_becomes_automatic_D46) {
  Machine machine = in(Phase::W);
  const ResultDecision decision = machine.apply(to_mode(CompletionMode::automatic));
  EXPECT_EQ(machine.phase(), Phase::S);
  EXPECT_EQ(count_of<DispatchScoring>(decision), 1U);
}

TEST(ResultMachineEnd, claims_nothing_that_the_same_patch_cancels) {
  Machine machine = in(Phase::W);
  PatchResult patch = to_mode(CompletionMode::automatic);
  patch.status = ResultStatus::canceled;
  const ResultDecision decision = machine.apply(patch);
  EXPECT_EQ(machine.phase(), Phase::X);
  EXPECT_FALSE(machine.state.head.is_claimed());
  EXPECT_EQ(count_of<DispatchScoring>(decision), 0U);
}

TEST(ResultMachineEnd, raises_the_attempt_and_keeps_the_claim_after_a_crash_I7) {
  Machine machine = in(Phase::S);
  const ResultHead next = with_next_attempt(machine.state.head, machine.now);
  EXPECT_EQ(next.attempt, 1);
  EXPECT_EQ(next.scoring_enqueued_at, machine.state.head.scoring_enqueued_at);
  EXPECT_EQ(next.status, ResultStatus::running);
  machine.state.head = next;
  EXPECT_FALSE(machine.apply(machine.verdict(0)).saves()) << "row 36: the verdict of the older attempt";
  EXPECT_TRUE(machine.apply(machine.verdict(1)).saves());
}

TEST(ResultMachineEnd, sets_a_result_aside_after_the_third_crash_I10_D51a) {
  ResultHead head = in(Phase::S).state.head;
  const auto ended_as = head.end_reason;
  for (int crash = 1; crash < limits::attempts_max; ++crash) {
    head = after_crash(with_next_attempt(head, noon), 4, crash, noon);
    EXPECT_EQ(head.status, ResultStatus::running);
  }
  head = after_crash(with_next_attempt(head, noon), 4, limits::attempts_max, noon);
  EXPECT_EQ(head.end_reason, ended_as) << "the conversation is what it was";
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_TRUE(head.is_ended());
  const auto error = json::parse(head.error->text);
  EXPECT_EQ(error->root().find("source")->string(), "infrastructure");
  EXPECT_EQ(error->root().find("code")->string(), "poison");
}

TEST(ResultMachine, ends_with_the_message_by_which_the_chatbot_hung_up_D101) {
  for (const CompletionMode mode : {CompletionMode::automatic, CompletionMode::manual}) {
    Machine machine;
    machine.state.head.completion_mode = mode;
    machine.receives(tester::Say{"hi", 1});
    PostEntry last = says("bye");
    last.ends = true;
    const ResultDecision decision = machine.apply(last);
    EXPECT_EQ(machine.state.head.end_reason, EndReason::agent_ended);
    EXPECT_EQ(machine.state.head.is_claimed(), mode == CompletionMode::automatic);
    EXPECT_EQ(decision.entries.size(), 1U);
    if (mode == CompletionMode::automatic) continue;
    EXPECT_TRUE(machine.apply(last).reply->ok()) << "late data; it has ended already";
  }
}

TEST(ResultMachine, fails_for_the_reason_that_a_client_reports_D101) {
  Machine machine;
  PatchResult report = to_status(ResultStatus::failed);
  report.error = ReportedFailure{FaultSource::agent, "exit_3", "it ended"};
  machine.apply(report);
  EXPECT_EQ(machine.state.head.end_reason, EndReason::agent_error);
  EXPECT_EQ(machine.state.head.error->text, R"({"source":"agent","code":"exit_3","detail":"it ended"})");
  EXPECT_FALSE(machine.state.head.overall_passed);
}

}  // namespace
}  // namespace parley::actors::test
