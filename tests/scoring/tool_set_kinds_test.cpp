// The types that check all tool calls together, loops, offers and counts; and the later options of tool-called.

#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

Builder calling(std::initializer_list<std::pair<const char*, const char*>> calls) {
  Builder made;
  for (const auto& [name, arguments] : calls)
    made.tool(name, std::string(R"({"arguments":)") + arguments + "}");
  return made;
}

TEST(ToolCalledDefaults, count_what_is_left_out_as_its_default) {
  const auto made = calling({{"book", R"({"seats":1,"bags":0})"}, {"pay", "{}"}});
  expect_rows(made, "tool-called",
              {{R"({"name":"book","mode":"exact","arguments":{"seats":1}})", failed},
               {R"({"name":"book","mode":"exact","arguments":{"seats":1},"defaults":{"bags":0}})", passed},
               {R"({"name":"book","mode":"exact","arguments":{"seats":1},"defaults":{"bags":1}})", failed},
               {R"({"name":"pay","arguments":{"currency":"EUR"}})", failed},
               {R"({"name":"pay","arguments":{"currency":"EUR"},"defaults":{"currency":"EUR"}})", passed},
               {R"({"name":"pay","arguments":{"currency":"EUR"},"defaults":{"currency":"USD"}})", failed},
               {R"({"name":"book","arguments":{"bags":1},"defaults":{"bags":1}})",
                failed},  // the call has a different value
               {R"({"name":"book","mode":"within","arguments":{"seats":1},"defaults":{"bags":0}})", passed}});
  expect_faults("tool-called", {{R"({"name":"a","defaults":1})", "/defaults"}});
}

TEST(ToolCalledTolerance, holds_for_numbers_at_any_depth) {
  const auto made = calling({{"pay", R"({"amount":10.1,"parts":[{"n":3}],"id":"7"})"}});
  expect_rows(
      made, "tool-called",
      {{R"({"name":"pay","arguments":{"amount":10}})", failed},
       {R"({"name":"pay","arguments":{"amount":10},"tolerance":0.1})", passed},
       {R"({"name":"pay","arguments":{"amount":10},"tolerance":0.09})", failed},
       {R"({"name":"pay","arguments":{"parts":[{"n":4}]},"tolerance":1})", passed},
       {R"({"name":"pay","arguments":{"id":8},"tolerance":5})", failed},
       {R"({"name":"pay","mode":"exact","arguments":{"amount":10,"parts":[{"n":3}],"id":"7"},"tolerance":0.2})",
        passed}});
  expect_faults("tool-called", {{R"({"name":"a","tolerance":-1})", "/tolerance"}});
}

TEST(ToolCalledTolerance, equals_a_difference_of_the_same_12_digits) {
  const auto made = calling({{"pay", R"({"amount":0.6666666666666666})"}});
  const auto row = [](const char* tolerance, AssertionStatus status) {
    return Row{std::string(R"({"name":"pay","arguments":{"amount":0},"tolerance":)") + tolerance + "}",
               status};
  };
  expect_rows(made, "tool-called", {row("0.6666666666666666", passed), row("0.666666666666", failed)});
}

TEST(ToolSet, compares_in_four_modes) {
  const auto made = calling({{"a", "{}"}, {"b", "{}"}, {"a", "{}"}});
  const auto row = [](const char* names, const char* mode, AssertionStatus status) {
    return Row{std::string(R"({"names":)") + names + R"(,"mode":")" + mode + "\"}", status};
  };
  expect_rows(made, "tool-set",
              {row(R"(["a","b","a"])", "strict", passed), row(R"(["a","a","b"])", "strict", failed),
               row(R"(["a","a","b"])", "unordered", passed), row(R"(["a","b"])", "unordered", failed),
               row(R"(["a","b"])", "superset", passed), row(R"(["a","c"])", "superset", failed),
               row(R"(["a","b"])", "subset", failed), row(R"(["a","a","b","c"])", "subset", passed),
               row(R"(["b","b"])", "superset", failed)});
  expect_rows(made, "tool-set",
              {{R"({"names":["b"],"ignore":["a"]})", passed},
               {R"({"names":["a","b"]})", failed},
               {R"({"names":["a","b"],"negate":true})", passed}});
  expect_rows(Builder(), "tool-set",
              {{R"({"names":["a"],"mode":"subset"})", passed}, {R"({"names":["a"]})", failed}});
}

TEST(ToolSet, finds_partners_where_greed_would_not) {
  const auto made = calling({{"f", R"({"x":1,"y":2})"}, {"f", R"({"x":1})"}});
  expect_rows(
      made, "tool-set",
      {{R"({"calls":[{"name":"f","arguments":{"x":1}},{"name":"f","arguments":{"y":2}}]})", passed},
       {R"({"calls":[{"name":"f","arguments":{"x":1}},{"name":"f","arguments":{"y":3}}]})", failed},
       {R"({"calls":[{"name":"f"},{"name":"f","arguments":{"x":1}}],"argumentMode":"exact"})", passed},
       {R"({"calls":[{"name":"f","arguments":{"x":1.05}},{"name":"f"}],"tolerance":0.1})", passed},
       {R"({"calls":[{"name":"f","arguments":{"x":1}}],"mode":"superset","argumentMode":"exact"})", passed},
       {R"({"calls":[{"name":"f","arguments":{"x":1,"y":2}},{"name":"f","arguments":{"x":1,"y":0}}],)"
        R"("argumentMode":"exact","defaults":{"y":0},"mode":"strict"})",
        passed}});
  const auto result =
      judge_one(made.subject(), assertion("tool-set", R"({"names":["f","g"],"mode":"subset"})"));
  EXPECT_EQ(result.reason,
            "Expected: no tool calls but: \"f\", \"g\". Found: the calls \"f\", \"f\"; 1 expected call of 2 "
            "made, not so "
            "\"g\", 1 other.");
  EXPECT_EQ(result.evidence, std::vector<std::string>{made.id(1)});
}

TEST(ToolSet, is_checked_when_written) {
  const std::vector<BadRow> shared{
      {R"({"threshold":0.5})", "/names"},
      {R"({"threshold":0.5,"names":["a"],"calls":[{"name":"a"}]})", "/calls"},
      {R"({"threshold":0.5,"calls":[{"name":"a"},{}]})", "/calls/1/name"},
      {R"({"threshold":0.5,"calls":[7]})", "/calls/0"},
      {R"({"threshold":0.5,"calls":[{"name":"a","arguments":[]}]})", "/calls/0/arguments"},
      {R"({"threshold":0.5,"calls":[{"name":"a","args":{}}]})", "/calls/0/args"},
      {R"({"threshold":0.5,"names":["a"],"argumentMode":"some"})", "/argumentMode"}};
  expect_faults("tool-f1", shared);
  expect_faults("tool-f1", {{R"({"names":["a"]})", "/threshold"},
                            {R"({"names":["a"],"threshold":0})", "/threshold"},
                            {R"({"names":["a"],"threshold":1.5})", "/threshold"}});
  expect_faults("tool-set", {{R"({"names":["a"],"mode":"loose"})", "/mode"},
                             {R"({"names":["a"],"threshold":1})", "/threshold"}});
}

TEST(ToolF1, is_the_harmonic_mean) {
  const auto made = calling({{"a", "{}"}, {"b", "{}"}, {"x", "{}"}});  // 2 of 3 calls, 2 of 4 expected: 4/7
  expect_rows(made, "tool-f1",
              {{R"({"names":["a","b","c","d"],"threshold":0.57})", passed},
               {R"({"names":["a","b","c","d"],"threshold":0.58})", failed},
               {R"({"names":["a","b","x"],"threshold":1})", passed},
               {R"({"names":["a","b"],"threshold":1,"ignore":["x"]})", passed},
               {R"({"names":["z"],"threshold":0.01})", failed}});
  const auto third = calling({{"a", "{}"}, {"b", "{}"}, {"c", "{}"}});
  expect_rows(third, "tool-f1",
              {{R"({"names":["a","x","y"],"threshold":0.3333333333333333})", passed},
               {R"({"names":["a","x","y"],"threshold":0.333333333334})", failed}});
}

TEST(ToolLists, allow_and_deny) {
  const auto made = calling({{"a", "{}"}, {"b", "{}"}});
  expect_rows(
      made, "tools-allowed",
      {{R"({"names":["a","b","c"]})", passed}, {R"({"names":["a"]})", failed}, {R"({"names":[]})", failed}});
  expect_rows(Builder(), "tools-allowed", {{R"({"names":[]})", passed}});
  expect_rows(made, "tools-denied", {{R"({"names":["c"]})", passed}, {R"({"names":["c","b"]})", failed}});
  expect_faults("tools-allowed", {{"{}", "/names"}, {R"({"names":"a"})", "/names"}});
  expect_faults("tools-denied", {{"{}", "/names"}, {R"({"names":[]})", "/names"}});
}

TEST(NoLoop, finds_rounds_of_calls) {
  expect_rows(calling({{"a", "{}"}, {"a", "{}"}, {"a", "{}"}}), "no-loop",
              {{"{}", failed}, {R"({"repeats":4})", passed}, {R"({"of":"messages"})", passed}});
  expect_rows(calling({{"a", R"({"n":1})"}, {"a", R"({"n":2})"}, {"a", R"({"n":1})"}}), "no-loop",
              {{R"({"repeats":2})", passed}});
  const auto turns =
      calling({{"z", "{}"}, {"a", "{}"}, {"b", "{}"}, {"a", "{}"}, {"b", "{}"}, {"a", "{}"}, {"b", "{}"}});
  expect_rows(turns, "no-loop", {{"{}", failed}, {R"({"period":1})", passed}, {R"({"repeats":4})", passed}});
  const auto result = judge_one(turns.subject(), assertion("no-loop", ""));
  EXPECT_EQ(result.evidence.size(), 6u);
  EXPECT_EQ(result.evidence.front(), turns.id(1));
  expect_rows(Builder(), "no-loop", {{"{}", passed}});
}

TEST(NoLoop, compares_arguments_as_tool_called_does_D31) {
  const Row loop{R"({"repeats":2})", failed};
  const Row none{R"({"repeats":2})", passed};
  const auto twice = [](const std::string& one, const std::string& other) {
    return Builder().tool("a", one).tool("a", other);
  };
  const std::vector<std::pair<const char*, const char*>> same{
      {R"({"arguments":{"a":1,"b":2}})", R"({"arguments":{"b":2,"a":1}})"},
      {R"({"arguments":{"a":1}})", R"({"arguments":{"a":10e-1}})"},
      {R"({"arguments":{"a":[{"x":"\u0041"}]}})", R"({"arguments":{"a":[{"x":"A"}]}})"},
      {R"({"arguments":{"a":0}})", R"({"arguments":{"a":-0.0}})"},
      {R"({"arguments":{}})", "{}"},
      {R"({"arguments":null})", R"({"arguments":"{}"})"},
      {R"({"arguments":{"a":1}})", R"({"arguments":"{\"a\": 1}"})"},
      {R"({"arguments":"a, b"})", R"({"arguments":"a, b"})"},
      {R"({"arguments":{"a":1}})", R"({"arguments":{"a":1},"result":5})"}};
  for (const auto& [one, other] : same) expect_rows(twice(one, other), "no-loop", {loop});
  const std::vector<std::pair<const char*, const char*>> others{
      {R"({"arguments":{"a":1}})", R"({"arguments":{"a":"1"}})"},
      {R"({"arguments":{"a":1}})", R"({"arguments":{"a":1.0000000000000001}})"},
      {R"({"arguments":{"a":12}})", R"({"arguments":{"a":120}})"},
      {R"({"arguments":{"a":1}})", R"({"arguments":{"a":-1}})"},
      {R"({"arguments":{"a":[1,2]}})", R"({"arguments":{"a":[2,1]}})"},
      {R"({"arguments":{"a":[1],"b":[2]}})", R"({"arguments":{"a":[1,2],"b":[]}})"},
      {R"({"arguments":{"a":null}})", "{}"},
      {R"({"arguments":{"a":false}})", R"({"arguments":{"a":0}})"},
      {R"({"arguments":[]})", "{}"},
      {R"({"arguments":"null"})", "{}"},
      {R"({"arguments":"a, b"})", R"({"arguments":"a,b"})"}};
  for (const auto& [one, other] : others) expect_rows(twice(one, other), "no-loop", {none});
  expect_rows(Builder().tool("a\n", "{}").tool("a", "{}"), "no-loop", {none});
}

Builder saying(std::initializer_list<const char*> texts) {
  Builder made;
  for (const char* text : texts) made.chatbot(text).tester("x");
  return made;
}

TEST(NoLoop, finds_messages_said_again) {
  const Row loop{R"({"of":"messages"})", failed};
  const Row none{R"({"of":"messages"})", passed};
  expect_rows(saying({"Which size?", " Which size?\n", "Which size?\u00a0", ""}), "no-loop",
              {loop, {"{}", passed}});
  expect_rows(saying({"a", "", "a", " ", "a"}), "no-loop", {loop});  // an empty message is not a step
  expect_rows(saying({"", "", ""}), "no-loop", {none});
  expect_rows(saying({"OK", "ok", "Ok"}), "no-loop", {none});
  expect_rows(saying({"a b", "ab", "a  b"}), "no-loop", {none});
  expect_faults("no-loop", {{R"({"of":"words"})", "/of"},
                            {R"({"repeats":1})", "/repeats"},
                            {R"({"period":0})", "/period"},
                            {R"({"period":21})", "/period"}});
}

Builder form() {
  Builder made;
  made.event(EntryType::public_event, "form",
             R"({"actions":[{"name":"confirm"},{"name":"cancel"}],"page":{"n":1,"of":2}})");
  made.action("confirm", R"({"arguments":{"n":1}})");
  made.event(EntryType::internal_event, "form", R"({"actions":[{"name":"confirm"}]})").action("confirm");
  made.tool("fake", R"({"actions":[{"name":"never"}]})");
  return made;
}

TEST(ActionOffered, counts_registrations_by_events) {
  expect_rows(form(), "action-offered",
              {{R"({"name":"confirm"})", passed},
               {R"({"name":"confirm","min":3})", failed},
               {R"({"name":"cancel","max":1})", passed},
               {R"({"name":"confirm","max":1})", failed},
               {R"({"name":"never"})", failed},
               {R"({"name":"never","max":0})", passed}});
  expect_faults("action-offered",
                {{"{}", "/name"}, {R"({"name":""})", "/name"}, {R"({"name":"a","min":2,"max":1})", "/max"}});
}

TEST(EventRecorded, can_ask_for_number_visibility_and_metadata) {
  expect_rows(form(), "event-recorded",
              {{R"({"name":"form","min":2})", passed},
               {R"({"name":"form","max":1})", failed},
               {R"({"name":"form","visibility":"public","max":1})", passed},
               {R"({"name":"form","visibility":"internal","metadata":{"page":{}}})", failed},
               {R"({"name":"form","metadata":{"page":{"n":1}}})", passed},
               {R"({"name":"form","metadata":{"page":{"n":2}}})", failed}});
  expect_faults("event-recorded", {{R"({"name":"a","visibility":"secret"})", "/visibility"},
                                   {R"({"name":"a","metadata":[]})", "/metadata"},
                                   {R"({"name":"a","min":2,"max":1})", "/max"}});
}

TEST(ActionInvoked, can_ask_for_number_and_mode) {
  expect_rows(form(), "action-invoked",
              {{R"({"name":"confirm","min":2})", passed},
               {R"({"name":"confirm","min":3})", failed},
               {R"({"name":"confirm","arguments":{"n":1},"max":1})", passed},
               {R"({"name":"confirm","arguments":{},"mode":"exact","max":1})", passed},
               {R"({"name":"confirm","arguments":{"n":2},"tolerance":1})", passed}});
  expect_faults("action-invoked",
                {{R"({"name":"a","mode":"loose"})", "/mode"}, {R"({"name":"a","min":2,"max":1})", "/max"}});
}

}  // namespace
}  // namespace parley::scoring
