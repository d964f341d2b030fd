// The model tester (D61, F21, I36) and the actions of a reply's events.

#include "tester/model_prompt.hpp"

#include <gtest/gtest.h>

#include "tester/actions.hpp"

namespace parley::tester {
namespace {

Entry spoken(EntryType type, Role role, std::string text, std::string metadata = "{}") {
  Entry entry;
  entry.type = type;
  entry.role = role;
  (type == EntryType::message ? entry.content : entry.name) = std::move(text);
  entry.metadata.text = std::move(metadata);
  return entry;
}

const VisibleEntries nothing_said;

ChatAnswer calls(std::string name, std::string arguments) {
  ChatAnswer answer;
  answer.calls = {{"c", std::move(name), {std::move(arguments)}}};
  return answer;
}

ChatAnswer says(std::string text) {
  ChatAnswer answer;
  answer.content = std::move(text);
  return answer;
}

std::string code_of(const ModelTurn& turn) {
  const auto* fault = std::get_if<CallFault>(&turn);
  return fault == nullptr ? "" : fault->code;
}

TEST(ModelPrompt, swaps_the_roles_and_hides_internal_events_and_tools_I36) {
  const VisibleEntries conversation({
      spoken(EntryType::message, Role::chatbot, "Hi"),
      spoken(EntryType::message, Role::tester, "Order 42?"),
      spoken(EntryType::internal_event, Role::chatbot, "canary", R"({"canary":1})"),
      spoken(EntryType::tool, Role::chatbot, "canary_tool"),
      spoken(EntryType::message, Role::chatbot, "Sent."),
      spoken(EntryType::public_event, Role::chatbot, "form", R"({"actions":[]})"),
      spoken(EntryType::action, Role::tester, "confirm", R"({"arguments":{"n":1.0}})"),
      spoken(EntryType::message, Role::chatbot, ""),
  });
  const ChatRequest request = tester_request({"Ask.", {}, {}, conversation});
  const std::vector<ChatMessage> wanted{
      {ChatRole::user, "Hi"},
      {ChatRole::assistant, "Order 42?"},
      {ChatRole::user, "Sent.\n\n(On the screen: form)"},
      {ChatRole::assistant, "", {{"call_1", "confirm", {R"({"n":1.0})"}}}},
      {ChatRole::tool, "Done.", {}, "call_1"},
      {ChatRole::user, "(The chatbot's message is empty.)"},
  };
  ASSERT_EQ(request.messages.size(), wanted.size() + 1);
  EXPECT_EQ(request.messages.front().role, ChatRole::system);
  EXPECT_EQ(std::vector<ChatMessage>(request.messages.begin() + 1, request.messages.end()), wanted);
  for (const ChatMessage& message : request.messages) {
    EXPECT_EQ(message.content.find("canary"), std::string::npos) << message.content;
  }
}

TEST(ModelPrompt, shows_what_is_in_a_form_but_not_its_actions_twice) {
  const VisibleEntries conversation({
      spoken(EntryType::public_event, Role::chatbot, "form",
             R"({"title":"Pay","actions":[{"name":"a","description":"d"}],"fields":["card"]})"),
      spoken(EntryType::public_event, Role::chatbot, "wide",
             R"({"t":")" + std::string(20'000, 'x') + R"("})"),
  });
  const ChatRequest request = tester_request({"Ask.", {}, {}, conversation});
  const std::string& shown = request.messages.at(1).content;
  EXPECT_EQ(shown.find(R"((On the screen: form {"title":"Pay","fields":["card"]}))"), 0U)
      << shown.substr(0, 200);
  EXPECT_LT(shown.size(), 9'000U);
}

TEST(ModelPrompt, describes_person_and_task_but_not_its_settings_D61) {
  const Persona persona{"Ada", "A hurried customer.", "Write short."};
  const ChatRequest request =
      tester_request({"Buy two.\n max turns: 3\nBe polite.", persona, {}, nothing_said});
  const std::string& system = request.messages.front().content;
  EXPECT_NE(system.find("The person:\nAda\nA hurried customer.\nWrite short.\n"), std::string::npos)
      << system;
  EXPECT_NE(system.find("The task:\nBuy two.\nBe polite.\n"), std::string::npos) << system;
  EXPECT_EQ(request.messages.back().role, ChatRole::user);
  EXPECT_FALSE(request.response);
}

TEST(ModelPrompt, shows_invisible_characters_of_the_chatbot_as_escapes) {
  const VisibleEntries conversation(
      {spoken(EntryType::message, Role::chatbot, "a\u202eb\u200bc\U000e0041\nd")});
  const ChatRequest request = tester_request({"Ask.", {}, {}, conversation});
  EXPECT_EQ(request.messages.back().content, "a\\u202eb\\u200bc\\udb40\\udc41\nd");
}

TEST(ModelPrompt, offers_actions_and_the_end_as_tools) {
  const std::vector<ActionDefinition> actions{
      {"confirm",
       "Confirms.",
       {{"n", PropertyType::integer, "How many."}, {"note", PropertyType::string, ""}},
       {"n"}},
      {std::string(65, 'x'), "Long.", {}, {}},
      {"end_conversation", "A trap.", {}, {}},
      {"action_1", "Taken.", {}, {}},
  };
  const ChatRequest request = tester_request({"Buy.", {}, actions, nothing_said});
  ASSERT_EQ(request.tools.size(), 5u);
  const ChatTool wanted{
      "confirm",
      "Confirms.",
      {R"({"type":"object","properties":{"n":{"type":"integer","description":"How many."},"note":{"type":"string"}},)"
       R"("required":["n"],"additionalProperties":false})"}};
  EXPECT_EQ(request.tools[0], wanted);
  EXPECT_EQ(request.tools[1].name, "action_2");
  EXPECT_EQ(request.tools[2].name, "action_3");
  EXPECT_EQ(request.tools[3].name, "action_1");
  EXPECT_EQ(request.tools[4].name, end_tool);
  for (const ChatTool& tool : request.tools) EXPECT_TRUE(json::parse(tool.parameters.text).ok());

  const Scene scene{"Buy.", {}, actions, nothing_said};
  const auto name_of = [&](const char* tool) {
    return std::get<Invoke>(std::get<Turn>(read_tester(calls(tool, "{}"), scene))).name;
  };
  EXPECT_EQ(name_of("action_2"), std::string(65, 'x'));
  EXPECT_EQ(name_of("action_3"), "end_conversation");
  EXPECT_EQ(name_of("action_1"), "action_1");
}

/// The names under which the request sends the calls, in order.
std::vector<std::string> called_in(const ChatRequest& request) {
  std::vector<std::string> names;
  for (const ChatMessage& message : request.messages)
    for (const ChatCall& call : message.calls) names.push_back(call.name);
  return names;
}

TEST(ModelPrompt, shows_no_action_that_was_invoked_as_the_tool_of_another) {
  const std::string longest(65, 'x');
  const std::string cut(64, 'x');
  const auto invoked = [](const std::string& name) { return spoken(EntryType::action, Role::tester, name); };
  const VisibleEntries conversation({invoked(longest + "y"), invoked(longest), invoked(cut),
                                     invoked("action_1"), invoked("end_conversation"), invoked("gone")});
  const std::vector<ActionDefinition> actions{{longest, "", {}, {}}, {cut, "", {}, {}}};
  const ChatRequest request = tester_request({"Buy.", {}, actions, conversation});
  ASSERT_EQ(request.tools.size(), 3u);
  EXPECT_EQ(request.tools[0].name, "action_1");
  EXPECT_EQ(request.tools[1].name, cut);
  const std::vector<std::string> wanted{std::string(62, 'x') + "_2", "action_1", cut, "action_1_2",
                                        "end_conversation_2",        "gone"};
  EXPECT_EQ(called_in(request), wanted)
      << "an action that is offered is called as its tool, every other by no tool's name";
}

TEST(ModelPrompt, reads_what_is_said_invoked_or_ended) {
  const VisibleEntries conversation({spoken(EntryType::message, Role::chatbot, "Hi")});
  const Scene scene{"Buy.", {}, {}, conversation};
  EXPECT_EQ(read_tester(says("Two, please."), scene), ModelTurn(Say{"Two, please."}));
  EXPECT_EQ(read_tester(calls("confirm", R"({"n":1.0})"), scene),
            ModelTurn(Invoke{"confirm", {R"({"n":1.0})"}}));
  EXPECT_EQ(read_tester(calls("end_conversation", R"({"reason":"goal_reached"})"), scene),
            ModelTurn(End{EndReason::goal_reached}));
  EXPECT_EQ(read_tester(calls("end_conversation", R"({"reason":"tester_ended"})"), scene),
            ModelTurn(End{EndReason::tester_ended}));
}

TEST(ModelPrompt, reads_a_turn_without_the_thoughts_and_the_fence_around_it_D105) {
  const VisibleEntries conversation({spoken(EntryType::message, Role::chatbot, "Hi")});
  const Scene scene{"Buy.", {}, {}, conversation};
  EXPECT_EQ(read_tester(says("<think>What now?</think>\n\nTwo, please.\n"), scene),
            ModelTurn(Say{"Two, please."}));
  EXPECT_EQ(read_tester(says("```\nTwo, please.\n```"), scene), ModelTurn(Say{"Two, please."}));
  EXPECT_EQ(code_of(read_tester(says("<think>Two, please."), scene)), "empty_answer");
  const std::string ends = R"({"name":"end_conversation","arguments":{"reason":"goal_reached"}})";
  EXPECT_EQ(read_tester(says("I am done.\n<tool_call>" + ends + "</tool_call>"), scene),
            ModelTurn(End{EndReason::goal_reached}));
  EXPECT_EQ(code_of(read_tester(
                says(ends + R"({"name":"end_conversation","arguments":{"reason":"tester_ended"}})"), scene)),
            "wrong_shape");
  const std::string form = R"({"name":"Ann","arguments":{"n":1}})";
  EXPECT_EQ(read_tester(says(form), scene), ModelTurn(Say{form})) << "no tool of that name is offered";
}

// Every answer that may_end() excludes is read the same with and without the entries.
TEST(ModelPrompt, knows_which_answers_need_the_conversation) {
  const VisibleEntries conversation({spoken(EntryType::message, Role::chatbot, "Hi")});
  const Scene whole{"Buy.", {}, {}, conversation}, bare{"Buy.", {}, {}, nothing_said};
  const std::string escaped = R"({"name":"end\u005fconversation","arguments":{"reason":"goal_reached"}})";
  for (const ChatAnswer& answer : {says("Two, please."), calls("confirm", "{}"), says(""),
                                   says("I will end_conversation now."), ChatAnswer{}}) {
    EXPECT_FALSE(may_end(answer));
    EXPECT_EQ(read_tester(answer, whole), read_tester(answer, bare));
  }
  for (const ChatAnswer& answer :
       {calls("end_conversation", R"({"reason":"goal_reached"})"), says("Done. " + escaped)}) {
    EXPECT_TRUE(may_end(answer));
  }
}

TEST(ModelPrompt, reaches_no_goal_before_the_chatbot_has_spoken) {
  const Scene scene{"Buy.", {}, {}, nothing_said};
  EXPECT_EQ(read_tester(calls("end_conversation", R"({"reason":"goal_reached"})"), scene),
            ModelTurn(End{EndReason::tester_ended}));
}

TEST(ModelPrompt, treats_no_invalid_answer_as_a_turn_F21) {
  const Scene scene{"Buy.", {}, {}, nothing_said};
  EXPECT_EQ(code_of(read_tester({}, scene)), "empty_answer");
  EXPECT_EQ(code_of(read_tester(says(""), scene)), "empty_answer");
  EXPECT_EQ(code_of(read_tester(says(" \n\t"), scene)), "empty_answer");
  EXPECT_EQ(code_of(read_tester(says(std::string(limits::content_bytes_max + 1, 'x')), scene)), "too_large");
  ChatAnswer cut = says("Two, pl");
  cut.finish_reason = "length";
  EXPECT_EQ(code_of(read_tester(cut, scene)), "cut_off");
  cut.finish_reason = "content_filter";
  EXPECT_EQ(code_of(read_tester(cut, scene)), "refusal");
  ChatAnswer refused;
  refused.refusal = "I cannot.";
  EXPECT_EQ(code_of(read_tester(refused, scene)), "refusal");
  ChatAnswer twice = calls("confirm", "{}");
  twice.calls.push_back(twice.calls.front());
  EXPECT_EQ(code_of(read_tester(twice, scene)), "wrong_shape");
  for (const char* arguments : {"[]", R"("text")", "7"})
    EXPECT_EQ(code_of(read_tester(calls("confirm", arguments), scene)), "wrong_shape") << arguments;
}

TEST(ModelPrompt, ends_as_tester_ended_if_no_valid_reason_is_given_D61) {
  const VisibleEntries conversation({spoken(EntryType::message, Role::chatbot, "Hi")});
  const Scene scene{"Buy.", {}, {}, conversation};
  for (const char* arguments :
       {"{}", R"({"reason":1})", R"({"reason":null})", R"({"reason":""})", R"({"reason":"won"})",
        R"({"reason":"max_turns"})", "[]", R"("goal_reached")", ""}) {
    EXPECT_EQ(read_tester(calls("end_conversation", arguments), scene),
              ModelTurn(End{EndReason::tester_ended}))
        << arguments;
  }
}

TEST(ModelPrompt, ends_at_the_turn_limit_of_the_instruction_or_else_of_the_server_D61) {
  EXPECT_FALSE(is_out_of_turns(Script::parse("Buy."), 29, 30));
  EXPECT_TRUE(is_out_of_turns(Script::parse("Buy."), 30, 30));
  EXPECT_FALSE(is_out_of_turns(Script::parse("Buy.\nmax turns: 3"), 2, 1));
  EXPECT_TRUE(is_out_of_turns(Script::parse("Buy.\nmax turns: 3"), 3, 30));
  EXPECT_FALSE(is_out_of_turns(Script::parse("Buy.\nmax turns: 3\n\nmax turns: 5"), 4, 30))
      << "the last one holds";
}

TEST(EventActions, are_read_for_each_event_of_a_reply_D53) {
  const std::vector<json::Text> events{
      {R"({"actions":[{"name":"a","description":"A."}]})"}, {R"({"x":1})"}, {R"({"actions":[]})"}};
  const auto read = actions_of_events(events);
  const std::vector<EventActions> wanted{std::vector<ActionDefinition>{{"a", "A.", {}, {}}}, std::nullopt,
                                         std::vector<ActionDefinition>{}};
  ASSERT_TRUE(std::holds_alternative<std::vector<EventActions>>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<std::vector<EventActions>>(read), wanted);
}

TEST(EventActions, say_why_they_cannot_be_registered) {
  const std::vector<std::pair<std::vector<json::Text>, std::string>> rows{
      {{{R"({"actions":{}})"}}, "event 0"},
      {{{"{}"}, {R"({"actions":[{"name":"1","description":"x"}]})"}}, "event 1"},
      {{{R"({"actions":[{"name":"a","description":"","other":1}]})"}}, "/metadata/actions/0/other"},
      {{{R"({"actions":[{"name":"a","description":""},{"name":"a","description":""}]})"}},
       "'a' is registered twice"},
      {{{R"({"actions":[{"name":"a","description":""}]})"},
        {R"({"actions":[{"name":"a","description":""}]})"}},
       "'a' is registered twice"},
  };
  for (const auto& [events, words] : rows) {
    const auto read = actions_of_events(events);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << words;
    EXPECT_NE(std::get<std::string>(read).find(words), std::string::npos) << std::get<std::string>(read);
  }
}

}  // namespace
}  // namespace parley::tester
