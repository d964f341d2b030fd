// The webhook of an HTTP agent (D71, F19, I36), and how a turn of any hosted agent begins.

#include "outbound/agents/http_agent.hpp"

#include "outbound/agents/agent.hpp"
#include "outbound/agents/http_answer.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;
using testing::code_of;
using testing::entry_of;
using testing::HostileBody;
using testing::task_of;
using testing::value_of;

HttpRequest webhook(const std::string& config, const Secrets& secrets, const AgentTask& task) {
  return std::get<HttpRequest>(
      http_agent_request(std::get<HttpConfig>(http_config({config})), secrets, task));
}

TEST(HttpAgent, receives_turn_message_conversation_and_metadata_D71) {
  const Entry greeting = entry_of(EntryType::message, Role::chatbot, "Hi \"you\"");
  const AgentTask task = task_of({greeting}, "Where is it?");
  const HttpRequest request = webhook(R"({"url":"http://x/h"})", {}, task);
  const std::string id = to_text(task.result);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://x/h");
  EXPECT_EQ(request.body, R"({"testResultId":")" + id +
                              R"(","turn":3,"message":"Where is it?","conversation":[)" +
                              entry_json(greeting) + R"(],"metadata":{"k":1.0}})");
  EXPECT_EQ(*value_of(request, "Content-Type"), "application/json");
  EXPECT_EQ(*value_of(request, "Idempotency-Key"), id + "-3");
  EXPECT_FALSE(request.is_trusted);
}

TEST(HttpAgent, receives_an_action_instead_of_a_message) {
  AgentTask task = task_of({}, "");
  task.message.reset();
  task.action = AgentAction{"confirm", {R"({"quantity":1e2})"}};
  const HttpRequest request = webhook(R"({"url":"http://x"})", {}, task);
  EXPECT_NE(
      request.body.find(R"("action":{"name":"confirm","arguments":{"quantity":1e2}},"conversation":[])"),
      std::string::npos)
      << request.body;
  EXPECT_EQ(request.body.find("\"message\""), std::string::npos);
}

TEST(HttpAgent, never_sees_an_internal_event_I36) {
  const std::vector<Entry> entries{
      entry_of(EntryType::internal_event, Role::chatbot, "canary-name", R"({"canary":1})"),
      entry_of(EntryType::public_event, Role::chatbot, "form"),
      entry_of(EntryType::message, Role::tester, "Hello"),
      entry_of(EntryType::internal_event, Role::chatbot, "canary-late"),
  };
  const auto task = agent_task(testing::id_of(1), testing::texts_of(entries), {});
  ASSERT_TRUE(task);
  const HttpRequest request = webhook(R"({"url":"http://x"})", {}, *task);
  EXPECT_EQ(request.body.find("canary"), std::string::npos) << request.body;
  EXPECT_NE(request.body.find("form"), std::string::npos);
}

TEST(HttpAgent, is_asked_for_the_last_tester_turn) {
  Entry action = entry_of(EntryType::action, Role::tester, "confirm", R"({"arguments":{"n":1}})");
  action.turn = 5;
  const Entry first = entry_of(EntryType::message, Role::tester, "first");
  const Entry tool = entry_of(EntryType::tool, Role::chatbot, "late");
  const auto task = agent_task(testing::id_of(1), testing::texts_of({first, action, tool}), {R"({"m":1})"});
  ASSERT_TRUE(task);
  AgentTask wanted;
  wanted.result = testing::id_of(1);
  wanted.turn = 5;
  wanted.action = AgentAction{"confirm", {R"({"n":1})"}};
  wanted.conversation = VisibleTexts(testing::texts_of({first, tool}));
  wanted.metadata.text = R"({"m":1})";
  wanted.trace = trace_of(wanted.result, action.id, std::nullopt);
  EXPECT_EQ(*task, wanted);
  EXPECT_FALSE(agent_task(testing::id_of(1), testing::texts_of({tool}), {}));
}

TEST(HttpAgent, gets_headers_of_the_config_and_secrets_under_their_names) {
  const Secrets secrets{
      {"authorization", "Bearer s"}, {"X-Two", "secret"}, {"not a header", "x"}, {"Host", "y"}};
  const HttpRequest request = webhook(
      R"({"url":"http://x","headers":{"x-two":"config","Accept":"text/plain"}})", secrets, task_of({}, "a"));
  EXPECT_EQ(*value_of(request, "authorization"), "Bearer s");
  EXPECT_EQ(*value_of(request, "x-two"), "config");
  EXPECT_EQ(*value_of(request, "Accept"), "text/plain");
  for (const std::string_view absent : {"X-Two", "not a header", "Host"}) {
    EXPECT_EQ(value_of(request, absent), std::nullopt) << absent;
  }
  EXPECT_EQ(code_of(http_agent_request({}, {{"a", "b\r\nC: d"}}, task_of({}, "a"))), "invalid_secret");
}

TEST(HttpAgent, is_called_by_its_timeout_and_retries) {
  Agent agent;
  agent.type = "HTTP";
  agent.config.text = R"({"url":"http://x","timeoutMs":700,"retries":2})";
  const AgentTask task = task_of({}, "a");
  const auto step = begin_turn(agent, {}, task);
  const auto& call = std::get<AgentCall>(step);
  EXPECT_EQ(call.request.total_ms, 700);
  EXPECT_EQ(call.request.first_byte_ms, 700);
  EXPECT_EQ(call.request.connect_ms, 700);
  EXPECT_EQ(call.retries.attempts, 3);
  EXPECT_TRUE(call.retries.repeats_after_send);
  agent.config.text = R"({"url":"http://x"})";
  EXPECT_FALSE(std::get<AgentCall>(begin_turn(agent, {}, task)).retries.repeats_after_send);
  agent.config.text = "{}";
  EXPECT_EQ(code_of(begin_turn(agent, {}, task)), "invalid_config");
  agent.type = "DEMO";
  EXPECT_TRUE(std::holds_alternative<AgentReply>(begin_turn(agent, {}, task)));
}

TEST(HttpAgent, answers_with_all_that_a_turn_can_hold) {
  const auto read = read_http_agent(
      {},
      answer_of(
          R"( {"message":"Done.","tools":[{"name":"book","metadata":{"arguments":{"n":1.0}}},{"name":"b"}],)"
          R"("events":[{"name":"form","public":true,"metadata":{"actions":[]}},{"name":"note","public":null}],)"
          R"("metadata":{"responseTime":99999,"cost":0.5},"end":true,"unknown":[1]} )",
          201));
  AgentReply wanted;
  wanted.message = "Done.";
  wanted.tools = {{"book", {R"({"arguments":{"n":1.0}})"}}, {"b", {}}};
  wanted.events = {{"form", true, {R"({"actions":[]})"}}, {"note", false, {}}};
  wanted.metadata.text = R"({"responseTime":12,"cost":0.5})";
  wanted.ends = true;
  ASSERT_TRUE(std::holds_alternative<AgentReply>(read)) << code_of(read);
  EXPECT_EQ(std::get<AgentReply>(read), wanted);
}

TEST(HttpAgent, that_says_nothing_fails_the_turn_unless_it_ends_D100) {
  for (const char* body :
       {"{}", R"({"message":null,"tools":null,"events":[],"end":false})", R"({"answer":"Hi"})"}) {
    EXPECT_EQ(code_of(read_http_agent({}, answer_of(body))), "empty_answer") << body;
  }
  for (const char* body : {R"({"end":true})", R"({"message":""})"}) {
    EXPECT_TRUE(std::holds_alternative<AgentReply>(read_http_agent({}, answer_of(body)))) << body;
  }
  const auto read = read_http_agent({}, answer_of(R"({"answer":"You are welcome","session":"s"})"));
  EXPECT_EQ(
      std::get<AgentFault>(read).detail,
      "The agent's answer has neither a message nor a tool nor an event. It has the keys answer, session. "
      "The message may be found with \"reply\": {\"message\": \"/answer\"} in the agent's config.");
}

TEST(HttpAgent, may_begin_with_a_byte_order_mark) {
  const auto read = read_http_agent({}, answer_of("\xef\xbb\xbf{\"message\":\"Hi\"}"));
  EXPECT_EQ(std::get<AgentReply>(read).message, "Hi");
}

TEST(HttpAgent, that_redirects_is_reported_with_the_place) {
  HttpAnswer answer = answer_of("", 308);
  answer.location = "https://bot.example/turn?key=s3cret-key";
  const auto read = read_http_agent({}, answer, {{"X-Key", "s3cret-key"}});
  EXPECT_EQ(std::get<AgentFault>(read).detail,
            "The agent answered 308 and points to https://bot.example/turn?key=***. Redirects are not "
            "followed: use "
            "that URL in the config if it is right.");
}

TEST(HttpAgent, fails_with_a_reason_on_any_malformed_answer_F19) {
  std::vector<HostileBody> rows = testing::hostile_bodies();
  const std::string huge(limits::metadata_bytes_max, 'x');
  const std::vector<HostileBody> shapes{
      {R"({"message":1})", "wrong_shape"},
      {R"({"message":["a"]})", "wrong_shape"},
      {R"({"tools":{}})", "wrong_shape"},
      {R"({"tools":[1]})", "wrong_shape"},
      {R"({"tools":[{}]})", "wrong_shape"},
      {R"({"tools":[{"name":""}]})", "wrong_shape"},
      {R"({"tools":[{"name":7}]})", "wrong_shape"},
      {R"({"tools":[{"name":")" + std::string(257, 'n') + R"("}]})", "wrong_shape"},
      {R"({"tools":[{"name":"a","metadata":[]}]})", "wrong_shape"},
      {R"({"tools":[{"name":"a","metadata":{"k":")" + huge + R"("}}]})", "too_large"},
      {R"({"events":"form"})", "wrong_shape"},
      {R"({"events":[{"name":"a","public":"yes"}]})", "wrong_shape"},
      {R"({"events":[null]})", "wrong_shape"},
      {R"({"metadata":"x"})", "wrong_shape"},
      {R"({"metadata":{"k":")" + huge + R"("}})", "too_large"},
      // Fits by itself, but not together with the measured time.
      {R"({"message":"","metadata":{"k":")" + huge.substr(0, huge.size() - 10) + R"("}})", "too_large"},
      {R"({"message":")" + std::string(limits::content_bytes_max + 1, 'm') + R"("})", "too_large"},
      {R"({"end":"true"})", "wrong_shape"},
      {R"({"end":1})", "wrong_shape"},
  };
  rows.insert(rows.end(), shapes.begin(), shapes.end());
  std::string many = R"({"tools":[)";
  for (std::size_t i = 0; i <= reply_entries_max; ++i)
    many += i == 0 ? R"({"name":"a"})" : R"(,{"name":"a"})";
  rows.push_back({many + "]}", "too_large"});
  for (const HostileBody& row : rows) {
    EXPECT_EQ(code_of(read_http_agent({}, answer_of(row.body))), row.code) << row.body.substr(0, 80);
  }
}

TEST(HttpAgent, fails_on_any_status_but_2xx_with_the_text_of_the_answer_F18) {
  for (const int status : {0, 100, 199, 300, 302, 400, 404, 429, 500, 503, 999}) {
    const auto read = read_http_agent({}, answer_of(R"({"message":"fine"})", status));
    EXPECT_EQ(code_of(read), "bad_status") << status;
  }
  const auto detail = [](std::string body) {
    return std::get<AgentFault>(read_http_agent({}, answer_of(std::move(body), 500))).detail;
  };
  EXPECT_EQ(detail(R"({"error":{"message":"no\nquota"}})"), "The agent answered 500: no quota");
  EXPECT_EQ(detail(R"({"error":"down"})"), "The agent answered 500: down");
  EXPECT_EQ(detail(""), "The agent answered 500 without a message.");
  EXPECT_EQ(detail("\xff\x01 oops\xc0\xaf\xed\xa0\x80"), "The agent answered 500: ? oops?????");
  EXPECT_EQ(detail(std::string(5'000, 'x')), "The agent answered 500: " + std::string(300, 'x') + "...");
}

TEST(HttpAgent, does_not_reveal_a_secret_that_the_answer_repeats_D23) {
  Agent agent;
  agent.type = "HTTP";
  agent.config.text = R"({"url":"http://x","model":"m"})";
  const Secrets secrets{{"Authorization", "Bearer s3cret"}, {"short", "abc"}};
  const auto read = finish_turn(agent, answer_of("abc: 'Bearer s3cret' and 'Bearer s3cret'", 401), secrets);
  EXPECT_EQ(std::get<AgentFault>(read).detail, "The agent answered 401: abc: '***' and '***'");
  const std::string words(285, 'x');  // so long that truncation would cut the secret in two
  const std::string deep = R"({"error":"{\"error\":\"{\\\"e\\\":\\\"sk\\\\\\/ab+def\\\"}\"}"})";
  struct Row {
    std::string body;
    int status;
    std::string detail;
  };
  const std::vector<Row> rows{
      {R"({"error":"bad key sk\/ab+def"})", 401, "The agent answered 401: bad key ***"},
      {R"({"error":"bad key sk\/ab\u002bdef"})", 401, "The agent answered 401: bad key ***"},
      {R"({"error":{"message":"bad key \u0073k\/ab\u002Bdef!"}})", 401,
       "The agent answered 401: bad key ***!"},
      {R"({"why":"sk\/ab\u002bdef"})", 401, R"(The agent answered 401: {"why":"***"})"},
      {R"({"why":"a\\sk\/ab\u002bdef"})", 401, R"(The agent answered 401: {"why":"a***"})"},
      {deep, 401, R"(The agent answered 401: {"error":"{\"e\":\"***\"}"})"},
      {R"({"error":")" + words + R"( sk\/ab+def and so on"})", 401,
       "The agent answered 401: " + words + " *** and so on"},
      {R"({"why":")" + words + R"(sk\/ab+def"})", 401,
       R"(The agent answered 401: {"why":")" + words + R"(***"})"},
      {R"({"error":"no s3cret here"})", 401, "The agent answered 401: no *** here"},
      {R"({"error":"Bearer\ns3cret"})", 401, "The agent answered 401: Bearer ***"},
      {R"({"error":"sk and /ab+def, sk-/ab+def"})", 401,
       "The agent answered 401: sk and /ab+def, sk-/ab+def"},
      {R"(["sk\/ab+def"])", 200, R"(The agent's answer is not a JSON object: ["***"])"},
      {R"({"sk\/ab+def":1,"sk\/ab+def":2})", 200,
       R"(The agent's answer is not valid JSON at byte 16: duplicate key '***': {"***":1,"***":2})"},
  };
  const Secrets escaped{{"Authorization", "Bearer s3cret"}, {"X-Key", "sk/ab+def"}};
  for (const char* type : {"HTTP", "OPENAI"}) {
    agent.type = type;
    for (const auto& [body, status, detail] : rows) {
      const auto fault = std::get<AgentFault>(finish_turn(agent, answer_of(body, status), escaped));
      const std::string who = agent.type == "HTTP" ? "The agent" : "The model";
      EXPECT_EQ(fault.detail, who + detail.substr(std::string_view("The agent").size())) << body;
    }
  }
  agent.type = "HTTP";
  const auto fine = finish_turn(agent, answer_of(R"({"message":"Bearer s3cret"})"), secrets);
  EXPECT_EQ(std::get<AgentReply>(fine).message, "***") << "in no transcript either (I67)";
}

}  // namespace
}  // namespace parley::outbound
