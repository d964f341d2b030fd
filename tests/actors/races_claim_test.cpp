// The race table, rows 17 to 20: writes to a conversation racing its finish, its end and its cancelation.

#include <algorithm>

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

std::size_t count_role(const std::vector<Entry>& entries, Role role) {
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.role == role; }));
}
bool has_content(const std::vector<Entry>& entries, std::string_view content) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) { return entry.content == content; });
}

/// A write to the conversation races the finish that closes it: it is either accepted and scored, or refused. It is
/// never accepted without being scored.
void write_against_finish(const std::function<ResultCommand(const Id& entry)>& write) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::W, run);
    const Id entry = stage.conversation(result).front().id;
    ResultAnswer late, finish;
    race(stage, dice,
         {[&] { late = stage.ask(result, write(entry)); }, [&] { finish = stage.ask(result, Finish{}); }});
    EXPECT_EQ(finish.status(), 200);
    EXPECT_TRUE(late.status() == 200 || late.status() == 409);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
    EXPECT_LE(stage.head(result).scoring_enqueued_at->ms, stage.head(result).stamp.updated_at.ms);
    if (late.status() == 200) {
      EXPECT_FALSE(late.value().head.is_claimed()) << "it was taken before the claim";
    }
  });
}

TEST(EntryRaces, row_17_append_and_finish) {
  write_against_finish([](const Id&) { return says("late data"); });
}
TEST(EntryRaces, row_18_insert_and_finish) {
  write_against_finish([](const Id& entry) { return behind(entry, says("late data")); });
}
TEST(EntryRaces, row_18_merge_and_finish) {
  write_against_finish([](const Id& entry) { return PatchEntry{entry, {R"({"cost":1})"}}; });
}

TEST(EntryRaces, row_17_the_scorer_reads_what_was_taken_before_the_claim_I26) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    CreateResult command = stage.case_of(run, CompletionMode::manual);
    command.test_case.instruction = "end";
    command.test_case.assertions.front().config = json::Text{R"({"value":"decisive"})"};
    const Id result = stage.new_result(command);
    stage.must(result, NextMessage{});
    ResultAnswer late, finish;
    race(
        stage, dice,
        {[&] { late = stage.ask(result, says("decisive")); }, [&] { finish = stage.ask(result, Finish{}); }});
    EXPECT_EQ(stage.head(result).score, late.status() == 200 ? 100 : 0);
  });
}

TEST(EntryRaces, row_19_append_and_the_automatic_end) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    CreateResult command = stage.case_of(run);
    command.test_case.instruction = "end";
    const Id result = stage.new_result(command);
    ResultAnswer append, end;
    race(stage, dice,
         {[&] { append = stage.ask(result, says("hello")); },
          [&] { end = stage.ask(result, NextMessage{}); }});
    ASSERT_EQ(end.status(), 200);
    EXPECT_TRUE(append.status() == 200 || append.status() == 409);
    EXPECT_EQ(stage.conversation(result).size(), append.status() == 200 ? 1U : 0U);
    EXPECT_EQ(stage.head(result).score, append.status() == 200 ? 100 : 0);
  });
}

TEST(EntryRaces, row_20_append_and_cancel) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    ResultAnswer append, cancel;
    race(stage, dice,
         {[&] { append = stage.ask(result, says("hello")); },
          [&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); }});
    EXPECT_EQ(cancel.status(), 200);
    EXPECT_TRUE(append.status() == 200 || append.status() == 409);
    EXPECT_EQ(has_content(stage.conversation(result), "hello"), append.status() == 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::X);
  });
}

TEST(EntryRaces, row_20_append_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result(run);
    std::array<ResultAnswer, 3> appends;
    RunAnswer cancel;
    race(stage, dice,
         {[&] { appends[0] = stage.ask(result, says("a")); },
          [&] { appends[1] = stage.ask(result, says("b")); },
          [&] { appends[2] = stage.ask(result, says("c")); },
          [&] { cancel = stage.ask_run(run, CancelRun{}); }});
    EXPECT_EQ(cancel.status(), 200);
    std::size_t taken = 0;
    for (const ResultAnswer& append : appends) {
      EXPECT_TRUE(append.status() == 200 || append.status() == 409);
      taken += append.status() == 200 ? 1U : 0U;
    }
    EXPECT_EQ(count_role(stage.conversation(result), Role::chatbot), taken);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::X);
  });
}

}  // namespace
}  // namespace parley::actors::test
