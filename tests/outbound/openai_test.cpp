// Chat completions for agent, tester and judge (D70, F21).

#include "outbound/agents/openai.hpp"

#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;
using testing::code_of;
using testing::entry_of;
using testing::HostileBody;
using testing::task_of;
using testing::value_of;

HttpRequest asked(const ChatEndpoint& endpoint, const ChatRequest& request) {
  return std::get<HttpRequest>(chat_request(endpoint, request));
}

std::string completion(const std::string& message) {
  return R"({"id":"c","model":"m-1","choices":[{"index":0,"message":)" + message +
         R"(,"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}})";
}

TEST(OpenAi, calls_below_the_base_url_however_it_ends) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"http://x/v1", "http://x/v1/chat/completions"},
      {"http://x/v1/", "http://x/v1/chat/completions"},
      {"http://x/v1//", "http://x/v1/chat/completions"},
      {"http://x/v1/chat/completions", "http://x/v1/chat/completions"},
      {"http://x/v1?api-version=2#f", "http://x/v1/chat/completions?api-version=2"},
  };
  for (const auto& [base, url] : rows) EXPECT_EQ(asked({base, "m"}, {}).url, url);
}

TEST(OpenAi, asks_with_key_messages_tools_schema_and_parameters) {
  ChatEndpoint endpoint{"http://x/v1", "m \"1\"", "key"};
  endpoint.parameters.text =
      R"({"temperature":0.0,"model":"other","stream":true,"response_format":{"type":"text"}})";
  endpoint.tools.text = R"([{"type":"function","function":{"name":"own"}}])";
  endpoint.is_trusted = true;
  ChatRequest request;
  request.messages = {{ChatRole::system, "s"},
                      {ChatRole::assistant, "", {{"c1", "f", {R"({"a":1})"}}}},
                      {ChatRole::tool, "r", {}, "c1"}};
  request.tools = {{"act", "Acts.", {R"({"type":"object"})"}}};
  request.response = ChatSchema{"verdict", {R"({"type":"object"})"}};
  const HttpRequest call = asked(endpoint, request);
  EXPECT_EQ(call.body,
            R"({"model":"m \"1\"","messages":[{"role":"system","content":"s"},)"
            R"({"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":)"
            R"({"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool","content":"r","tool_call_id":"c1"}],)"
            R"("tools":[{"type":"function","function":{"name":"own"}},{"type":"function","function":)"
            R"({"name":"act","description":"Acts.","parameters":{"type":"object"}}}],)"
            R"("response_format":{"type":"json_schema","json_schema":{"name":"verdict","strict":true,)"
            R"("schema":{"type":"object"}}},"temperature":0.0})");
  EXPECT_EQ(*value_of(call, "Authorization"), "Bearer key");
  EXPECT_TRUE(call.is_trusted);
  EXPECT_EQ(call.body_bytes_max, model_body_bytes_max);
}

TEST(OpenAi, asks_without_what_is_not_given) {
  const HttpRequest call = asked({"http://x/v1", "m"}, {{{ChatRole::user, "u"}}});
  EXPECT_EQ(call.body, R"({"model":"m","messages":[{"role":"user","content":"u"}]})");
  EXPECT_EQ(value_of(call, "Authorization"), std::nullopt);
  EXPECT_EQ(code_of(chat_request({"http://x/v1", "m", "key\n"}, {})), "invalid_secret");
}

TEST(OpenAi, reads_content_calls_refusal_and_usage) {
  const auto read = read_chat(answer_of(
      R"({"model":"m-1","choices":[{"message":{"role":"assistant","content":"Hi","refusal":"","tool_calls":[)"
      R"({"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1.0}"}},)"
      R"({"function":{"name":"g","arguments":""}},{"function":{"name":"h","arguments":{"b":2}}}]},)"
      R"("finish_reason":"tool_calls"},{"message":{"content":"second choice"}}],)"
      R"("usage":{"prompt_tokens":10,"completion_tokens":2.0,"cost":0.25}})"));
  ChatAnswer wanted;
  wanted.content = "Hi";
  wanted.calls = {{"c1", "f", {R"({"a":1.0})"}}, {"", "g", {}}, {"", "h", {R"({"b":2})"}}};
  wanted.finish_reason = "tool_calls";
  wanted.model = "m-1";
  wanted.usage = {10, 2, 0.25};
  ASSERT_TRUE(std::holds_alternative<ChatAnswer>(read)) << code_of(read);
  EXPECT_EQ(std::get<ChatAnswer>(read), wanted);
}

TEST(OpenAi, reads_text_parts_and_leaves_out_usage_that_is_not_a_number) {
  const auto read = read_chat(answer_of(
      R"({"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}],)"
      R"("usage":{"prompt_tokens":-1,"completion_tokens":"2","cost":-0.5}})"));
  ChatAnswer wanted;
  wanted.content = "ab";
  ASSERT_TRUE(std::holds_alternative<ChatAnswer>(read)) << code_of(read);
  EXPECT_EQ(std::get<ChatAnswer>(read), wanted);
}

ChatAnswer read_message(const std::string& message) {
  const auto read = read_chat(answer_of(R"({"choices":[{"message":)" + message + "}]}"));
  EXPECT_TRUE(std::holds_alternative<ChatAnswer>(read)) << code_of(read) << message;
  return std::holds_alternative<ChatAnswer>(read) ? std::get<ChatAnswer>(read) : ChatAnswer{};
}

TEST(OpenAi, leaves_out_parts_that_are_not_text) {
  EXPECT_EQ(read_message(R"({"content":[{"type":"thinking","text":"hm"},{"type":"output_text","text":"a"},7,)"
                         R"({"type":"image_url","image_url":{}},{"text":"b"},{"type":"text","text":"c"}]})")
                .content,
            "abc");
  EXPECT_EQ(read_message(R"({"content":[{"type":"audio","text":7},{}]})").content, "");
}

TEST(OpenAi, keeps_arguments_as_the_model_gave_them) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {R"("{\"a\": 1}")", R"({"a":1})"},
      {R"({"a":1})", R"({"a":1})"},
      {R"("")", "{}"},
      {"null", "{}"},
      {R"("[1, 2]")", "[1,2]"},
      {"[1]", "[1]"},
      {"7", "7"},
      {R"("7")", "7"},
      {R"("{")", R"("{")"},
      {R"("{} {}")", R"("{} {}")"},
      {R"("two")", R"("two")"},
  };
  for (const auto& [given, kept] : rows) {
    const auto function = R"({"name":"f","arguments":)" + given + "}";
    const std::vector<ChatCall> wanted{{"", "f", {kept}}};
    EXPECT_EQ(read_message(R"({"tool_calls":[{"function":)" + function + "}]}").calls, wanted) << given;
    EXPECT_EQ(read_message(R"({"content":null,"function_call":)" + function + "}").calls, wanted) << given;
  }
}

TEST(OpenAi, reads_the_legacy_function_call_if_no_tool_is_called) {
  EXPECT_EQ(read_message(R"({"tool_calls":[],"function_call":{"name":"f"}})").calls.size(), 1U);
  EXPECT_EQ(
      read_message(R"({"tool_calls":[{"id":"c","function":{"name":"g"}}],"function_call":{"name":"f"}})")
          .calls,
      (std::vector<ChatCall>{{"c", "g", {}}}));
  EXPECT_TRUE(read_message(R"({"content":"a","function_call":null})").calls.empty());
}

TEST(OpenAi, asks_without_a_schema_once_the_endpoint_has_refused_it) {
  ChatEndpoint endpoint{"http://x/v1", "m"};
  endpoint.parameters.text = R"({"response_format":{"type":"json_object"}})";
  ChatRequest request;
  request.messages = {{ChatRole::user, "u"}};
  request.response = ChatSchema{"verdict", {R"({"type":"object"})"}};
  const ChatEndpoint copy = endpoint;
  EXPECT_NE(asked(copy, request).body.find("json_schema"), std::string::npos);
  endpoint.habits->refuses_schema = true;
  EXPECT_EQ(
      asked(copy, request).body,
      R"({"model":"m","messages":[{"role":"user","content":"u"}],"response_format":{"type":"json_object"}})");
  EXPECT_TRUE(refuses_schema(answer_of(R"({"error":{"message":"Unknown field: response_format"}})", 400)));
  EXPECT_TRUE(refuses_schema(answer_of("json_schema is not supported", 400)));
  EXPECT_TRUE(refuses_schema(answer_of(
      R"({"detail":[{"loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]})", 422)));
  EXPECT_FALSE(refuses_schema(answer_of("bad key", 400)));
  EXPECT_FALSE(refuses_schema(answer_of("bad key", 422)));
  EXPECT_FALSE(refuses_schema(answer_of("response_format", 500)));
}

TEST(OpenAi, fails_with_a_reason_on_any_malformed_answer_F21) {
  std::vector<HostileBody> rows = testing::hostile_bodies();
  const auto function = [](const std::string& text) {
    return completion(R"({"tool_calls":[{"function":)" + text + "}]}");
  };
  const std::vector<HostileBody> shapes{
      {"{}", "wrong_shape"},
      {R"({"choices":[]})", "wrong_shape"},
      {R"({"choices":{}})", "wrong_shape"},
      {R"({"choices":[1]})", "wrong_shape"},
      {R"({"choices":[{}]})", "wrong_shape"},
      {R"({"choices":[{"message":null}]})", "wrong_shape"},
      {completion("\"text\""), "wrong_shape"},
      {completion(R"({"content":1})"), "wrong_shape"},
      {completion(R"({"content":[{"type":"text"}]})"), "wrong_shape"},
      {completion(R"({"refusal":{}})"), "wrong_shape"},
      {completion(R"({"content":[{"type":"refusal"}]})"), "wrong_shape"},
      {completion(R"({"tool_calls":{}})"), "wrong_shape"},
      {completion(R"({"tool_calls":[1]})"), "wrong_shape"},
      {completion(R"({"tool_calls":[{"function":"f"}]})"), "wrong_shape"},
      {function("{}"), "wrong_shape"},
      {function(R"({"name":""})"), "wrong_shape"},
      {function(R"({"name":1})"), "wrong_shape"},
      {completion(R"({"function_call":"f"})"), "wrong_shape"},
      {completion(R"({"function_call":{}})"), "wrong_shape"},
      {completion(R"({"content":")" + std::string(limits::content_bytes_max + 1, 'x') + R"("})"),
       "too_large"},
      {R"({"choices":[{"message":{"content":"a"},"finish_reason":3}]})", "wrong_shape"},
      {R"({"model":3,"choices":[{"message":{"content":"a"}}]})", "wrong_shape"},
  };
  rows.insert(rows.end(), shapes.begin(), shapes.end());
  for (const HostileBody& row : rows) {
    EXPECT_EQ(code_of(read_chat(answer_of(row.body))), row.code) << row.body.substr(0, 80);
    EXPECT_EQ(code_of(read_openai_agent(answer_of(row.body))), row.code) << row.body.substr(0, 80);
  }
  for (const int status : {400, 401, 429, 500, 529}) {
    EXPECT_EQ(code_of(read_chat(answer_of(R"({"error":{"message":"no"}})", status))), "bad_status");
  }
}

struct ReportedError {
  std::string body;
  std::string words;
};

/// A body with one choice that has a complete message and the given further members.
std::string beside(const std::string& members) {
  return R"({"choices":[{"message":{"content":"Your order is"},)" + members + "}]}";
}

TEST(OpenAi, treats_an_error_within_a_success_as_an_error_with_the_providers_text_D35_D48) {
  const std::string down = R"({"code":502,"message":"UPSTREAM DOWN"})";
  const std::vector<ReportedError> rows{
      {beside(R"("finish_reason":"error","error":)" + down),
       "The model answered with an error: UPSTREAM DOWN"},
      {beside(R"("finish_reason":"stop","error":)" + down),
       "The model answered with an error: UPSTREAM DOWN"},
      {beside(R"("finish_reason":"error")"), "The model answered with an error without a message."},
      {R"({"error":)" + down + R"(,"choices":[{"message":{"content":""},"finish_reason":null}]})",
       "The model answered with an error: UPSTREAM DOWN"},
      {R"({"error":{"code":429,"message":"Rate limit exceeded: per-min"}})",
       "The model answered with an error: Rate limit exceeded: per-min"},
      {R"({"error":"busy","choices":[]})", "The model answered with an error: busy"},
      {R"({"error":{"code":502},"choices":[]})", R"(The model answered with an error: {"code":502})"},
      {beside(R"("error":true)"), "The model answered with an error: true"},
      {beside(R"("error":1)"), "The model answered with an error: 1"},
      {beside(R"("error":[null])"), "The model answered with an error: [null]"},
      {beside(R"("error":{"code":null,"message":null,"type":"server_error"})"),
       R"(The model answered with an error: {"code":null,"message":null,"type":"server_error"})"},
      {beside(R"("error":{"code":0,"message":null})"),
       R"(The model answered with an error: {"code":0,"message":null})"},
      {R"({"error":{"message":"bad key sk-canary"}})", "The model answered with an error: bad key ***"},
      {R"({"error":["bad key sk\u002dcanary"]})", R"(The model answered with an error: ["bad key ***"])"},
  };
  for (const ReportedError& row : rows) {
    const auto read = read_chat(answer_of(row.body), {{"apiKey", "sk-canary"}});
    ASSERT_TRUE(std::holds_alternative<CallFault>(read)) << row.body;
    EXPECT_EQ(std::get<CallFault>(read), (CallFault{"provider_error", row.words})) << row.body;
    EXPECT_EQ(code_of(read_openai_agent(answer_of(row.body))), "provider_error") << row.body;
  }
  for (const std::string nothing : {"null", "false", "0", "0.0", R"("")", "{}", "[ ]",
                                    R"({"code":null, "message":null})", R"({"message":null})"}) {
    const auto read = read_chat(answer_of(R"({"error":)" + nothing + R"(,"choices":[{"error":)" + nothing +
                                          R"(,"finish_reason":"stop","message":{"content":"a"}}]})"));
    ASSERT_TRUE(std::holds_alternative<ChatAnswer>(read)) << nothing;
    EXPECT_EQ(std::get<ChatAnswer>(read).content, "a");
  }
}

TEST(OpenAiAgent, sees_the_conversation_from_its_side_I36) {
  const OpenAiConfig config =
      std::get<OpenAiConfig>(openai_config({R"({"url":"http://x/v1","model":"m","system":"Sell."})"}));
  const AgentTask task =
      task_of({entry_of(EntryType::message, Role::chatbot, "Hi"),
               entry_of(EntryType::message, Role::tester, "Order 42?"),
               entry_of(EntryType::internal_event, Role::chatbot, "canary"),
               entry_of(EntryType::tool, Role::chatbot, "lookup",
                        R"({"arguments":{"order":42},"result":{"status":"sent"}})"),
               entry_of(EntryType::tool, Role::chatbot, "log", R"({"arguments":"text"})"),
               entry_of(EntryType::message, Role::chatbot, "Sent."),
               entry_of(EntryType::public_event, Role::chatbot, "form"),
               entry_of(EntryType::action, Role::tester, "confirm", R"({"arguments":{"n":1}})"),
               entry_of(EntryType::message, Role::chatbot, "Confirmed.")},
              "Thanks");
  ChatRequest wanted;
  wanted.messages = {
      {ChatRole::system, "Sell."},
      {ChatRole::assistant, "Hi"},
      {ChatRole::user, "Order 42?"},
      {ChatRole::assistant, "", {{"call_1", "lookup", {R"({"order":42})"}}, {"call_2", "log", {"{}"}}}},
      {ChatRole::tool, R"({"status":"sent"})", {}, "call_1"},
      {ChatRole::tool, "No result was recorded.", {}, "call_2"},
      {ChatRole::assistant, "Sent."},
      {ChatRole::user,
       "(Event shown in the chat: form {})\n\nI invoke the action confirm with the arguments {\"n\":1}."},
      {ChatRole::assistant, "Confirmed."},
      {ChatRole::user, "Thanks"},
  };
  EXPECT_EQ(agent_chat(config, task), wanted);
}

TEST(OpenAiAgent, sends_recorded_names_as_every_endpoint_takes_them_D54) {
  const OpenAiConfig config = std::get<OpenAiConfig>(openai_config({R"({"url":"http://x/v1","model":"m"})"}));
  const AgentTask task = task_of({entry_of(EntryType::tool, Role::chatbot, "look up"),
                                  entry_of(EntryType::tool, Role::chatbot, "multi_tool_use.parallel"),
                                  entry_of(EntryType::tool, Role::chatbot, "look_up"),
                                  entry_of(EntryType::tool, Role::chatbot, "look up")},
                                 "Thanks");
  std::vector<std::string> sent;
  const auto chat = agent_chat(config, task);
  for (const ChatMessage& message : chat.messages)
    for (const ChatCall& call : message.calls) sent.push_back(call.name);
  EXPECT_EQ(sent, (std::vector<std::string>{"look_up_2", "multi_tool_use_parallel", "look_up", "look_up_2"}));
}

TEST(OpenAiAgent, sends_no_recorded_name_as_that_of_another_tool_that_it_has_D54) {
  const OpenAiConfig config = std::get<OpenAiConfig>(openai_config(
      {R"({"url":"http://x/v1","model":"m","tools":[{"type":"function","function":{"name":"look_up"}},{"type":"x"},)"
       R"({"function":{"name":7}}]})"}));
  const AgentTask task = task_of({entry_of(EntryType::tool, Role::chatbot, "look up")}, "Thanks");
  const auto chat = agent_chat(config, task);
  EXPECT_EQ(chat.messages.at(0).calls.at(0).name, "look_up_2");
}

TEST(OpenAiAgent, is_called_with_its_key_tools_and_a_key_for_the_turn) {
  const OpenAiConfig config = std::get<OpenAiConfig>(openai_config(
      {R"({"url":"http://x/v1","model":"m","parameters":{"seed":1},"tools":[{"type":"function"}]})"}));
  const AgentTask task = task_of({}, "Hi");
  const auto call = std::get<HttpRequest>(openai_agent_request(config, {{"apiKey", "k"}}, task));
  EXPECT_EQ(
      call.body,
      R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function"}],"seed":1})");
  EXPECT_EQ(*value_of(call, "Authorization"), "Bearer k");
  EXPECT_EQ(*value_of(call, "Idempotency-Key"), to_text(task.result) + "-3");
  EXPECT_FALSE(call.is_trusted);
  EXPECT_EQ(code_of(openai_agent_request(config, {{"apiKey", "k\n"}}, task)), "invalid_secret");
}

TEST(OpenAiAgent, answers_with_text_tools_and_what_it_used) {
  const auto read = read_openai_agent(answer_of(completion(
      R"({"content":"Hi","tool_calls":[{"id":"c9","function":{"name":"f","arguments":"{\"a\":1}"}}]})")));
  AgentReply wanted;
  wanted.message = "Hi";
  wanted.tools = {{"f", {R"({"arguments":{"a":1},"id":"c9"})"}}};
  wanted.metadata.text =
      R"({"model":"m-1","inputTokens":10,"outputTokens":2,"finishReason":"stop","responseTime":12})";
  ASSERT_TRUE(std::holds_alternative<AgentReply>(read)) << code_of(read);
  EXPECT_EQ(std::get<AgentReply>(read), wanted);
}

TEST(OpenAiAgent, records_a_call_whose_arguments_are_not_an_object) {
  const auto read =
      read_openai_agent(answer_of(completion(R"({"function_call":{"name":"f","arguments":"{\"a\":"}})")));
  ASSERT_TRUE(std::holds_alternative<AgentReply>(read)) << code_of(read);
  EXPECT_EQ(std::get<AgentReply>(read).tools,
            (std::vector<AgentTool>{{"f", {R"({"arguments":"{\"a\":"})"}}}));
}

TEST(OpenAiAgent, says_a_refusal_or_nothing_at_all_D47) {
  const auto refused = read_openai_agent(answer_of(completion(R"({"content":null,"refusal":"I cannot."})")));
  EXPECT_EQ(std::get<AgentReply>(refused).message, "I cannot.");
  EXPECT_NE(std::get<AgentReply>(refused).metadata.text.find(R"("refused":true)"), std::string::npos);
  for (const auto& [content, message] : std::vector<std::pair<std::string, std::string>>{
           {R"([{"type":"refusal","refusal":"I cannot."}])", "I cannot."},
           {R"([{"type":"refusal","refusal":"I "},{"type":"image"},{"type":"refusal","refusal":"cannot."}])",
            "I cannot."},
           {R"([{"type":"text","text":"Sorry."},{"type":"refusal","refusal":"I cannot."}])", "Sorry."}}) {
    const auto read = read_openai_agent(answer_of(completion(R"({"content":)" + content + "}")));
    ASSERT_TRUE(std::holds_alternative<AgentReply>(read)) << code_of(read);
    EXPECT_EQ(std::get<AgentReply>(read).message, message) << content;
    EXPECT_NE(std::get<AgentReply>(read).metadata.text.find(R"("refused":true)"), std::string::npos)
        << content;
  }
  for (const std::string silent : {R"({"content":null})", "{}", R"({"content":null,"tool_calls":[]})"}) {
    const auto read = read_openai_agent(answer_of(completion(silent)));
    ASSERT_TRUE(std::holds_alternative<AgentReply>(read)) << code_of(read);
    EXPECT_EQ(std::get<AgentReply>(read).message, std::nullopt) << "which is recorded as an empty message";
  }
  EXPECT_EQ(std::get<AgentReply>(read_openai_agent(answer_of(completion(R"({"content":""})")))).message, "");
  const std::string huge(limits::metadata_bytes_max, 'x');
  EXPECT_EQ(code_of(read_openai_agent(answer_of(completion(
                R"({"tool_calls":[{"function":{"name":"f","arguments":{"a":")" + huge + R"("}}}]})")))),
            "too_large");
}

}  // namespace
}  // namespace parley::outbound
