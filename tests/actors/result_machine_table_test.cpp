// The state x operation table, checked cell by cell, and what all refusals have in common.

#include <functional>

#include "actors/result/result_moves.hpp"
#include "model/records/status_moves.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

using Act = std::function<ResultDecision(Machine&)>;

/// One operation: the answer in each state (0: none) and the state afterwards, both in the order P R W S C F X.
struct Row {
  std::string name;
  Act act;
  std::array<int, 7> answers;
  std::string_view after;
};

PatchResult with_links() {
  PatchResult patch;
  patch.external_links = {json::Text{R"({"url":"https://example.org"})"}};
  return patch;
}

ResultDecision patch_first_entry(Machine& machine) {
  Entry entry;
  if (!machine.state.slots.empty()) entry.id = machine.state.slots.front().id;
  const PatchEntry patch{entry.id, {R"({"cost":1})"}};
  return machine.apply(patch, machine.state.slots.empty() ? std::nullopt : std::optional(entry));
}

RetryFacts stuck_at_once() {
  return {};
}
RetryFacts never_stuck() {
  RetryFacts facts;
  facts.stuck_after_ms = 600'000;
  return facts;
}
RetryFacts with_clone_in_flight() {
  RetryFacts facts;
  facts.newest.emplace();
  facts.newest->status = ResultStatus::running;
  return facts;
}
RetryFacts with_run_canceled_by_hand() {
  RetryFacts facts;
  facts.run.emplace();
  facts.run->status = RunStatus::canceled;
  facts.run->canceled_by = CanceledBy::operation;
  return facts;
}

std::vector<Row> table() {
  using enum ResultStatus;
  const auto patch = [](PatchResult command) { return [command](Machine& it) { return it.apply(command); }; };
  const auto retry = [](RetryFacts facts) {
    return [facts](Machine& it) { return it.apply(Retry{}, facts); };
  };
  const auto received = [](auto said) { return [said](Machine& it) { return it.receives(said); }; };
  const auto post = [](PostEntry entry) { return [entry](Machine& it) { return it.apply(entry); }; };
  return {
      // next-message requests a turn (no answer yet) while the conversation is open.
      {"next-message",
       [](Machine& it) { return it.apply(NextMessage{}); },
       {0, 0, 200, 200, 200, 200, 200},
       "PRWSCFX"},
      {"post entry", post(says("x")), {200, 200, 200, 409, 409, 409, 409}, "RRWSCFX"},
      {"post tool", post(named(EntryType::tool, "t")), {200, 200, 200, 409, 409, 409, 409}, "RRWSCFX"},
      {"patch entry", patch_first_entry, {404, 200, 200, 409, 409, 409, 409}, "PRWSCFX"},
      {"finish",
       [](Machine& it) { return it.apply(Finish{}); },
       {400, 400, 200, 409, 400, 400, 400},
       "PRSSCFX"},
      {"status canceled", patch(to_status(canceled)), {200, 200, 200, 200, 200, 409, 200}, "XXXXXFX"},
      {"status running", patch(to_status(running)), {200, 200, 200, 200, 409, 409, 409}, "RRWSCFX"},
      {"status failed", patch(to_status(failed)), {200, 200, 200, 409, 409, 200, 409}, "FFFSCFX"},
      {"status completed", patch(to_status(completed)), {409, 409, 409, 409, 200, 409, 409}, "PRWSCFX"},
      {"status pending", patch(to_status(pending)), {200, 409, 409, 409, 409, 409, 409}, "PRWSCFX"},
      // W is already manual: setting the same value is not a change.
      {"mode manual", patch(to_mode(CompletionMode::manual)), {200, 200, 200, 409, 409, 409, 409}, "PRWSCFX"},
      // All but W are already automatic.
      {"mode auto",
       patch(to_mode(CompletionMode::automatic)),
       {200, 200, 200, 200, 200, 200, 200},
       "PRSSCFX"},
      {"metadata", patch(to_metadata(R"({"a":1})")), {200, 200, 200, 200, 200, 200, 200}, "PRWSCFX"},
      {"links", patch(with_links()), {200, 200, 200, 200, 200, 200, 200}, "PRWSCFX"},
      {"nothing", patch({}), {200, 200, 200, 200, 200, 200, 200}, "PRWSCFX"},
      {"retry", retry(never_stuck()), {400, 400, 400, 400, 200, 200, 200}, "PRWSXXX"},
      {"retry when stuck", retry(stuck_at_once()), {200, 200, 400, 400, 200, 200, 200}, "XXWSXXX"},
      {"retry in flight", retry(with_clone_in_flight()), {400, 400, 400, 400, 400, 400, 400}, "PRWSCFX"},
      {"retry in a run canceled by hand",
       retry(with_run_canceled_by_hand()),
       {400, 400, 400, 400, 400, 400, 400},
       "PRWSCFX"},
      {"end of conversation", received(tester::End{}), {200, 200, 0, 0, 0, 0, 0}, "SSWSCFX"},
      {"tester's turn", received(tester::Say{"hi", 1}), {200, 200, 0, 0, 0, 0, 0}, "RRWSCFX"},
      {"invalid invocation", received(tester::Invoke{"nope", {}, 1}), {200, 200, 0, 0, 0, 0, 0}, "FFWSCFX"},
      {"broken script", received(tester::BrokenScript{"line 1"}), {200, 200, 0, 0, 0, 0, 0}, "FFWSCFX"},
      {"late turn",
       [](Machine& it) {
         return it.apply(TesterSpoke{7, tester::Say{"late", 1}, "script"});
       },
       {},
       "PRWSCFX"},
      {"verdict", [](Machine& it) { return it.apply(it.verdict()); }, {}, "PRWCCFX"},
      {"verdict of an older attempt", [](Machine& it) { return it.apply(it.verdict(-1)); }, {}, "PRWSCFX"},
  };
}

TEST(ResultMachineTable, answers_and_moves_as_the_table_says) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      const auto place = static_cast<std::size_t>(phase);
      Machine machine = in(phase);
      const ResultDecision decision = row.act(machine);
      EXPECT_EQ(status_of(decision), row.answers.at(place)) << row.name << " in " << letter(phase);
      EXPECT_EQ(letter(machine.phase()), row.after.at(place)) << row.name << " in " << letter(phase);
    }
  }
}

TEST(ResultMachineTable, refuses_and_drops_without_any_change_I4_I17) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      Machine machine = in(phase);
      const std::string picture = machine.picture();
      const ResultDecision decision = row.act(machine);
      if (decision.saves()) continue;
      EXPECT_EQ(machine.picture(), picture) << row.name << " in " << letter(phase);
      if (status_of(decision) >= 400) {
        EXPECT_TRUE(decision.effects.empty()) << row.name << " in " << letter(phase);
      }
    }
  }
}

TEST(ResultMachineTable, moves_updatedAt_with_each_change_and_never_back_I11) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      Machine machine = in(phase);
      const Time before = machine.state.touched;
      machine.now = Time{noon.ms - 3'600'000};  // the clock was set back
      const ResultDecision decision = row.act(machine);
      EXPECT_EQ(machine.state.touched > before, decision.saves()) << row.name << " in " << letter(phase);
    }
  }
}

TEST(ResultMachineTable, keeps_the_invariants_of_the_head_I18_I19_I21_I22) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      Machine machine = in(phase);
      const ResultHead before = machine.state.head;
      row.act(machine);
      const ResultHead& head = machine.state.head;
      const std::string where = row.name + " in " + letter(phase);
      if (before.is_ended()) {
        // Only a client's report that its side broke is a reason of its own (D46).
        const bool has_failed = head.status == ResultStatus::failed && before.status != ResultStatus::failed;
        EXPECT_EQ(head.end_reason, has_failed ? EndReason::client_error : before.end_reason) << where;
      }
      if (before.is_claimed()) {
        EXPECT_EQ(head.scoring_enqueued_at, before.scoring_enqueued_at) << where;
      }
      if (head.is_claimed()) {
        EXPECT_TRUE(head.is_ended()) << where;
      }
      if (is_terminal(head.status)) {
        EXPECT_TRUE(head.is_ended()) << where;
      }
      if (head.status == ResultStatus::completed) {
        EXPECT_TRUE(head.is_claimed()) << where;
      }
      if (head.is_ended()) {
        EXPECT_TRUE(machine.state.registry.empty() && !machine.state.unanswered) << where;
      }
    }
  }
}

TEST(ResultMachineTable, dispatches_scoring_exactly_with_the_claim_I20_I23) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      Machine machine = in(phase);
      const bool was_claimed = machine.state.head.is_claimed();
      const ResultDecision decision = row.act(machine);
      const bool claims = !was_claimed && machine.state.head.is_claimed();
      EXPECT_EQ(count_of<DispatchScoring>(decision), claims ? 1U : 0U) << row.name << " in " << letter(phase);
    }
  }
}

TEST(ResultMachineTable, notifies_the_run_of_every_status_change_of_its_results) {
  for (const Row& row : table()) {
    for (const Phase phase : all_phases) {
      Machine machine = in(phase);
      const ResultStatus before = machine.state.head.status;
      const ResultDecision decision = row.act(machine);
      if (machine.state.head.status == before) continue;
      EXPECT_GE(count_of<NotifyRun>(decision), 1U) << row.name << " in " << letter(phase);
    }
  }
}

TEST(ResultMachineTable, allows_the_moves_of_I15_and_no_others) {
  using enum ResultStatus;
  const std::vector<std::pair<ResultStatus, ResultStatus>> legal{
      {pending, running}, {pending, canceled}, {pending, failed},     {running, completed},
      {running, failed},  {running, canceled}, {completed, canceled}, {failed, canceled}};
  for (const ResultStatus from : {pending, running, completed, failed, canceled}) {
    for (const ResultStatus to : {pending, running, completed, failed, canceled}) {
      const bool listed = std::find(legal.begin(), legal.end(), std::pair{from, to}) != legal.end();
      EXPECT_EQ(is_legal(from, to), listed) << word_of(from) << " to " << word_of(to);
    }
  }
}

}  // namespace
}  // namespace parley::actors::test
