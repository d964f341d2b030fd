#include "tester/warnings.hpp"

#include <gtest/gtest.h>

namespace parley::tester {
namespace {

using enum WarningCode;

Assertion of(Severity severity) {
  Assertion assertion;
  assertion.severity = severity;
  return assertion;
}

TestCase fine(std::string instruction) {
  return {std::move(instruction), {of(Severity::blocker)}, {}, {}};
}

std::vector<WarningCode> codes(const std::vector<Warning>& warnings) {
  std::vector<WarningCode> found;
  for (const Warning& warning : warnings) found.push_back(warning.code);
  return found;
}

using Codes = std::vector<WarningCode>;

TEST(Warnings, of_assertions_name_what_cannot_fail_D97) {
  TestCase bare{"say: a", {}, {}, {}};
  EXPECT_EQ(codes(warnings_of_case(bare, Player::script)), Codes{no_assertions});
  bare.assertions = {of(Severity::major), of(Severity::minor)};
  EXPECT_EQ(codes(warnings_of_case(bare, Player::script)), Codes{no_blocker});
  bare.assertions.push_back(of(Severity::blocker));
  EXPECT_EQ(codes(warnings_of_case(bare, Player::script)), Codes{});
}

TEST(Warnings, of_an_instruction_depend_on_who_plays_it_D97) {
  const TestCase prose = fine("Ask for help.\nsay please");
  EXPECT_EQ(codes(warnings_of_case(prose, Player::script)),
            (Codes{prose_without_model, directive_lookalike}));
  EXPECT_EQ(codes(warnings_of_case(prose, Player::model)), Codes{});
  EXPECT_EQ(codes(warnings_of_case(prose, Player::person)), Codes{});
  EXPECT_EQ(codes(warnings_of_case(prose, std::nullopt)), Codes{});
  EXPECT_EQ(codes(warnings_of_case(fine(" \n"), Player::script)), Codes{});
  EXPECT_EQ(codes(warnings_of_case(fine("say: a\nSay: b"), std::nullopt)), Codes{directive_lookalike});
  EXPECT_EQ(codes(warnings_of_case(fine("first: \"Hi\"\nAsk."), Player::script)), Codes{prose_without_model});
}

TEST(Warnings, name_each_open_placeholder_once_D97) {
  TestCase open = fine("say: {{a}} {{ b }} {{a}}");
  open.assertions.front().config = json::Text{R"({"value":"{{c}}"})"};
  const auto warnings = warnings_of_case(open, Player::script);
  ASSERT_EQ(codes(warnings), Codes{unknown_placeholder});
  EXPECT_NE(warnings.front().detail.find("{{a}}, {{b}}, {{c}}"), std::string::npos)
      << warnings.front().detail;
}

TEST(Warnings, count_the_lines_that_were_played_D97) {
  const std::string script = "# c\nsay: a\nif /x/ say: r\nb\nmax turns: 9\ninvoke: go\nend";
  const std::vector<std::uint32_t> used{2, 3};
  EXPECT_EQ(played_lines(script, used).played, 1U);
  EXPECT_EQ(played_lines(script, used).all, 3U);
  Played played;
  played.end_reason = EndReason::max_turns;
  played.used_lines = used;
  const auto warnings = warnings_of_play(fine(script), played);
  ASSERT_EQ(codes(warnings), Codes{script_unfinished});
  EXPECT_NE(warnings.front().detail.find("(max_turns) after 1 of 3 lines"), std::string::npos);
  played.end_reason = EndReason::goal_reached;
  EXPECT_EQ(codes(warnings_of_play(fine(script), played)), Codes{});
  played.end_reason = EndReason::max_turns;
  played.player = Player::model;
  EXPECT_EQ(codes(warnings_of_play(fine(script), played)), Codes{});
}

TEST(Warnings, find_turns_in_which_the_chatbot_did_nothing_D97) {
  const auto entry = [](EntryType type, std::string content, std::int64_t turn) {
    Entry made;
    made.type = type;
    made.content = std::move(content);
    made.turn = turn;
    return made;
  };
  std::vector<Entry> entries{entry(EntryType::message, "", 0), entry(EntryType::tool, "", 1),
                             entry(EntryType::message, "", 1), entry(EntryType::message, "x", 2),
                             entry(EntryType::message, "", 3)};
  Played played;
  played.entries = entries;
  const auto warnings = warnings_of_play(fine(""), played);
  ASSERT_EQ(codes(warnings), Codes{empty_answers});
  EXPECT_NE(warnings.front().detail.find("2 chatbot turns"), std::string::npos) << warnings.front().detail;
  entries.front().is_history = entries.back().is_history = true;
  EXPECT_EQ(codes(warnings_of_play(fine(""), played)), Codes{});
}

TEST(Warnings, of_a_result_follow_its_head_D97) {
  ResultHead head;
  head.is_server_driven = true;
  head.completion_mode = CompletionMode::manual;
  head.end_reason = EndReason::tester_ended;
  head.tester = std::string(played_by_model);
  const TestCase prose = fine("Ask.");
  PlayedResult result{head, prose};
  result.is_decided = false;
  EXPECT_EQ(codes(warnings_of_result(result)), (Codes{nothing_decided, manual_ignored}));
  WarningSet set;
  set.add(warnings_of_result(result));
  EXPECT_TRUE(set.has(nothing_decided) && set.has(manual_ignored) && !set.has(no_blocker));
}

TEST(Warnings, have_a_sentence_each) {
  for (std::size_t i = 0; i < warning_codes; ++i)
    EXPECT_TRUE(sentence_of(static_cast<WarningCode>(i)).ends_with('.')) << i;
}

}  // namespace
}  // namespace parley::tester
