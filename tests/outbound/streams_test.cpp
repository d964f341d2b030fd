// Answers as server-sent events: the parser, chat completions in chunks, and HTTP agents.

#include "outbound/agents/agent.hpp"
#include "outbound/agents/http_answer.hpp"
#include "outbound/agents/openai.hpp"
#include "outbound/formats/event_stream.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::code_of;

HttpAnswer stream_of(std::string body) {
  HttpAnswer answer = testing::answer_of(std::move(body));
  answer.content_type = "text/event-stream; charset=utf-8";
  return answer;
}

TEST(EventStream, is_read_line_by_line) {
  const auto stream = events_of(
      "\xef\xbb\xbf: hello\r\nevent: say\r\ndata: a\r\ndata:b\r\nid: 7\r\n\r\ndata\n\n\n\nretry: 5\n\rdata:  "
      "c\rdata\r\rdata: [DONE]\n\ndata: d\n\n");
  const std::vector<StreamEvent> wanted{{"say", "a\nb"}, {"", ""}, {"", " c\n"}};
  EXPECT_EQ(stream.events, wanted);
  EXPECT_TRUE(stream.is_done);
  EXPECT_EQ(events_of("data: cut").events, (std::vector<StreamEvent>{{"", "cut"}}));
  EXPECT_TRUE(events_of("").events.empty());
  EXPECT_TRUE(is_event_stream("Text/Event-Stream;charset=utf-8"));
  EXPECT_FALSE(is_event_stream("application/json"));
}

std::string chunk(const std::string& delta, const std::string& rest = "") {
  return R"(data: {"model":"m-1","choices":[{"index":0,"delta":)" + delta + rest + "}]}\n\n";
}

TEST(CompletionStream, is_put_together) {
  const auto read = read_chat(stream_of(
      chunk(R"({"role":"assistant","content":""})") + chunk(R"({"content":"One "})") +
      chunk(R"({"content":"latte."})") +
      chunk(R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"buy","arguments":"{\"n\""}}]})") +
      chunk(
          R"({"tool_calls":[{"index":0,"function":{"arguments":":1}"}},{"index":1,"id":"c2","function":{"name":"pay","arguments":""}}]})") +
      chunk("{}", R"(,"finish_reason":"tool_calls")") +
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n"));
  ASSERT_EQ(code_of(read), "");
  const auto& answer = std::get<ChatAnswer>(read);
  EXPECT_EQ(answer.content, "One latte.");
  ASSERT_EQ(answer.calls.size(), 2u);
  EXPECT_EQ(answer.calls[0], (ChatCall{"c1", "buy", {R"({"n":1})"}}));
  EXPECT_EQ(answer.calls[1], (ChatCall{"c2", "pay", {}}));
  EXPECT_EQ(answer.finish_reason, "tool_calls");
  EXPECT_EQ(answer.model, "m-1");
  EXPECT_EQ(answer.usage.output_tokens, 4);
}

TEST(CompletionStream, fails_with_a_reason) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {chunk(R"({"content":"Half"})"), "broken"},
      {"", "broken"},
      {"data: [DONE]\n\n", ""},
      {"data: nonsense\n\n", "not_json"},
      {chunk(R"({"content":"a"})") + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n", "provider_error"},
      {"event: error\ndata: {\"message\":\"overloaded\"}\n\n", "wrong_shape"},
  };
  for (const auto& [body, code] : rows) EXPECT_EQ(code_of(read_chat(stream_of(body))), code) << body;
  HttpAnswer refused = stream_of("data: x\n\n");
  refused.status = 500;
  EXPECT_EQ(code_of(read_chat(refused)), "bad_status");
}

TEST(CompletionStream, is_asked_for) {
  Agent agent;
  agent.type = "OPENAI";
  agent.config.text = R"({"url":"http://x/v1","model":"m","stream":true})";
  const auto step = begin_turn(agent, {}, testing::task_of({}, "Hi"));
  const HttpRequest& request = std::get<AgentCall>(step).request;
  EXPECT_NE(request.body.find(R"("stream":true,"stream_options":{"include_usage":true})"), std::string::npos);
  EXPECT_EQ(testing::value_of(request, "Accept"), "text/event-stream");
}

AgentAnswer read_streamed(const std::string& rest, std::string body) {
  const auto config = http_config({R"({"url":"http://x")" + rest + "}"});
  return read_http_agent(std::get<HttpConfig>(config), stream_of(std::move(body)));
}

TEST(HttpAgentStream, joins_the_pieces_of_the_message) {
  struct Row {
    std::string rest;
    std::string body;
    std::string message;
  };
  const std::vector<Row> rows{
      {R"(,"reply":{"message":"/delta"})",
       "event: d\ndata: {\"delta\":\"Hel\"}\n\ndata: {\"delta\":\"lo\"}\n\ndata: "
       "{\"type\":\"done\",\"text\":\"Hello\"}\n\n",
       "Hello"},
      {"", "data: {\"message\":\"Hel\"}\n\ndata: {\"message\":\"lo\"}\n\ndata: [DONE]\n\n", "Hello"},
      {R"(,"reply":"text")", "data: Hel\n\ndata: lo\n\ndata: [DONE]\n\n", "Hello"},
      {R"(,"reply":{"message":["/text","/content/*/text"]})",
       "data: {\"content\":[{\"text\":\"a\"},{\"text\":\"b\"}]}\n\ndata: 7\n\ndata: {\"text\":\"c\"}",
       "a\nbc"},
  };
  for (const Row& row : rows) {
    const auto answer = read_streamed(row.rest, row.body);
    ASSERT_EQ(code_of(answer), "") << row.body;
    EXPECT_EQ(std::get<AgentReply>(answer).message, row.message);
  }
}

TEST(HttpAgentStream, gathers_tools_metadata_and_the_end) {
  const auto answer = read_streamed(
      R"(,"reply":{"message":"/t","tools":"/call","end":"/end","metadata":{"cost":"/cost","id":"/id"}})",
      "data: {\"id\":1,\"call\":{\"name\":\"a\"}}\n\ndata: {\"t\":\"Bye\",\"call\":[{\"name\":\"b\"}]}\n\n"
      "data: {\"end\":true,\"cost\":2,\"id\":3}\n\n");
  AgentReply wanted;
  wanted.message = "Bye";
  wanted.tools = {{"a", {}}, {"b", {}}};
  wanted.metadata.text = R"({"id":3,"cost":2,"responseTime":12})";
  wanted.ends = true;
  ASSERT_EQ(code_of(answer), "");
  EXPECT_EQ(std::get<AgentReply>(answer), wanted);
}

TEST(HttpAgentStream, fails_with_a_reason) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"", "empty_answer"},
      {": ping\n\n", "empty_answer"},
      {"data: {\"delta\":\"Hello\"}\n\n", "empty_answer"},
      {"data: Hello\n\n", "not_json"},
      {"event: error\ndata: no model\n\n", "provider_error"},
      {"data: {\"message\":1}\n\n", "wrong_shape"},
  };
  for (const auto& [body, code] : rows) EXPECT_EQ(code_of(read_streamed("", body)), code) << body;
  EXPECT_EQ(proposed_reply(stream_of("data: {\"id\":\"x\"}\n\ndata: {\"delta\":\"Hello\"}\n\n")),
            "{\"message\": \"/delta\"}");
  EXPECT_EQ(proposed_reply(stream_of("data: Hello\n\n")), "\"text\"");
}

TEST(OAuth, sends_the_token_and_not_the_client_secret) {
  Agent agent;
  agent.type = "HTTP";
  agent.config.text = R"({"url":"http://x","oauth":{"tokenUrl":"http://id/t","clientId":"c","scope":"s"}})";
  const auto task = testing::task_of({}, "Hi");
  EXPECT_EQ(code_of(begin_turn(agent, {}, task)), "invalid_secret");
  const auto step = begin_turn(agent, {{"clientSecret", "s3cret!"}}, task);
  const HttpRequest& request = std::get<AgentCall>(step).request;
  ASSERT_NE(request.grant, nullptr);
  EXPECT_EQ(*request.grant, (TokenGrant{"http://id/t", "c", "s3cret!", "s"}));
  EXPECT_FALSE(testing::value_of(request, "clientSecret"));
  HttpAnswer echo = testing::answer_of(R"({"message":"You sent tok-123456"})");
  echo.token = "tok-123456";
  EXPECT_EQ(std::get<AgentReply>(finish_turn(agent, echo, {})).message, "You sent ***");
}

}  // namespace
}  // namespace parley::outbound
