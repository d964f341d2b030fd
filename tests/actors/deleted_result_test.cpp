// A result that is deleted while its actor still has it in memory: whatever the actor is asked afterwards, the result
// is gone (D4, D25), and nothing is damaged (I13).

#include "store/engine/row_keys.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// The state of a DELETE between its commit and its message to the actor.
void erase_directly(Stage& stage, const Id& result) {
  store::ChangeSet gone;
  gone.erase_result(stage.head(result), stage.store().snapshot().entry_count(result));
  stage.commit(gone);
}

/// A result in memory with an unanswered turn and an event that offers an action.
struct Talk {
  Id result;
  Id event;
};
Talk open_talk(Stage& stage, const Id& run) {
  Talk talk{stage.new_result(run), {}};
  stage.must(talk.result, NextMessage{});
  talk.event = stage.must(talk.result, registers({"press"})).value().entry->id;
  return talk;
}

std::vector<ResultCommand> commands_on(const Talk& talk) {
  return {PatchEntry{talk.event, {R"({"seen":true})"}, std::nullopt},
          behind(talk.event, by_tester(named(EntryType::action, "press"))),
          says("hello"),
          NextMessage{},
          Finish{},
          to_metadata(R"({"a":1})"),
          to_status(ResultStatus::canceled),
          Retry{},
          Rescore{},
          SaveReview{},
          SaveClaims{}};
}

void expect_404_and_no_damage(Stage& stage, const Id& result, const ResultCommand& command) {
  SCOPED_TRACE("command " + std::to_string(command.index()));
  const ResultAnswer answer = stage.ask(result, command);
  stage.actors->settle();
  EXPECT_EQ(answer.status(), 404) << (answer.status() > 1 ? answer.problem().detail : "no problem");
  EXPECT_EQ(stage.store().usage().corrupt_reads, 0U);
}

TEST(DeletedResult, is_unknown_to_every_command_that_still_finds_it_in_memory_I13) {
  Stage stage;
  const Id run = stage.new_run();
  const std::size_t count = commands_on({}).size();
  for (std::size_t i = 0; i < count; ++i) {
    const Talk talk = open_talk(stage, run);
    erase_directly(stage, talk.result);
    expect_404_and_no_damage(stage, talk.result, commands_on(talk)[i]);
  }
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

TEST(DeletedResult, is_unknown_regardless_of_its_former_state) {
  Stage stage;
  const Id run = stage.new_run();
  for (const Phase phase : {Phase::C, Phase::F, Phase::X}) {
    SCOPED_TRACE(letter(phase));
    const std::size_t count = commands_on({}).size();
    for (std::size_t i = 0; i < count; ++i) {
      const Id result = stage.new_result_in(phase, run);
      const Id entry = stage.conversation(result).front().id;
      erase_directly(stage, result);
      expect_404_and_no_damage(stage, result, commands_on({result, entry})[i]);
    }
  }
}

TEST(DeletedResult, a_lost_entry_of_an_existing_result_is_damage_I13) {
  Stage stage;
  const Id run = stage.new_run();
  for (const std::size_t i : {0U, 1U}) {  // the entry itself, and the action that it registered
    const Talk talk = open_talk(stage, run);
    store::ChangeSet lost;
    lost.writes.push_back(
        {store::TableId::entries, store::entry_key(talk.result, 1), store::any_revision, {}});
    stage.commit(lost);
    const ResultAnswer answer = stage.ask(talk.result, commands_on(talk)[i]);
    stage.actors->settle();
    EXPECT_EQ(answer.status(), 500) << i;
    EXPECT_EQ(stage.store().usage().corrupt_reads, i + 1);
  }
}

}  // namespace
}  // namespace parley::actors::test
