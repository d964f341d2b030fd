// External logs as scripts.

#include "tester/replay.hpp"

#include <gtest/gtest.h>

#include "model/limits.hpp"
#include "tester/script.hpp"

namespace parley::tester {
namespace {

Entry turn_of(Role role, std::string text) {
  Entry entry;
  entry.role = role;
  entry.content = std::move(text);
  return entry;
}
Entry action_of(std::string name, std::string metadata) {
  Entry entry;
  entry.type = EntryType::action;
  entry.role = Role::tester;
  entry.name = std::move(name);
  entry.metadata.text = std::move(metadata);
  return entry;
}

/// The turns of the script when it is played against a silent chatbot.
std::vector<Turn> played(const std::string& script) {
  const auto parsed = Script::parse(script);
  EXPECT_TRUE(parsed.ok());
  std::vector<Turn> turns;
  std::vector<std::uint32_t> used;
  while (turns.size() < 100) {
    Past past;
    past.used_lines = used;
    past.tester_turns = static_cast<std::uint32_t>(used.size());
    const Turn next = next_turn(*parsed, past, 1);
    turns.push_back(next);
    if (const auto* say = std::get_if<Say>(&next)) used.push_back(say->line);
    if (const auto* invoke = std::get_if<Invoke>(&next)) used.push_back(invoke->line);
    if (std::holds_alternative<End>(next)) break;
  }
  return turns;
}

TEST(Replay, says_and_invokes_what_the_user_did_word_for_word) {
  const std::vector<Entry> log{turn_of(Role::chatbot, "Hello"),
                               turn_of(Role::tester, "end"),
                               turn_of(Role::tester, "a\n\"b\" {{c}} {{{d}}}"),
                               action_of("buy", R"({"arguments":{"n":1,"{{c}}":{"o":["{{{d}}"]}}})"),
                               action_of("leave", "{}"),
                               turn_of(Role::tester, "")};
  const auto script = replay_script(log);
  ASSERT_TRUE(script.ok());
  EXPECT_EQ(script.value().find("{{"), std::string::npos) << "no field is filled in";
  const auto turns = played(script.value());
  ASSERT_EQ(turns.size(), 6U);
  EXPECT_EQ(std::get<Say>(turns[0]).text, "end");
  EXPECT_EQ(std::get<Say>(turns[1]).text, "a\n\"b\" {{c}} {{{d}}}");
  EXPECT_EQ(std::get<Invoke>(turns[2]).arguments.text, R"({"n":1,"\u007b{c}}":{"o":["\u007b\u007b{d}}"]}})");
  EXPECT_EQ(std::get<Invoke>(turns[3]).name, "leave");
  EXPECT_EQ(std::get<Say>(turns[4]).text, "");
  EXPECT_EQ(std::get<End>(turns[5]).reason, EndReason::tester_ended) << "not by the bound of turns";
}

TEST(Replay, refuses_what_no_script_can_play) {
  const std::vector<Entry> silent{turn_of(Role::chatbot, "Hello")};
  const std::vector<Entry> odd{action_of("not a name", "{}")};
  const std::vector<Entry> huge{turn_of(Role::tester, std::string(limits::instruction_bytes_max, 'a'))};
  const std::vector<Entry> many(10'000, turn_of(Role::tester, "a"));
  for (const auto* log : {&silent, &odd, &huge, &many}) EXPECT_FALSE(replay_script(*log).ok()) << log->size();
}

}  // namespace
}  // namespace parley::tester
