// A custom format of an HTTP agent (D100): templates of requests, pointers into answers, proposals.

#include "outbound/agents/http_agent.hpp"
#include "outbound/agents/http_answer.hpp"
#include "outbound/formats/reply_form.hpp"
#include "outbound/formats/reply_proposal.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;
using testing::code_of;
using testing::entry_of;
using testing::task_of;
using testing::value_of;

HttpConfig config_of(const std::string& rest) {
  const auto read = http_config({R"({"url":"http://x/h",)" + rest + "}"});
  EXPECT_EQ(code_of(read), "") << rest;
  return std::get<HttpConfig>(read);
}

HttpRequest request_of(const std::string& rest, const AgentTask& task) {
  return std::get<HttpRequest>(http_agent_request(config_of(rest), {}, task));
}

AgentTask a_task() {
  AgentTask task = task_of(
      {entry_of(EntryType::message, Role::tester, "Hello"), entry_of(EntryType::tool, Role::chatbot, "look"),
       entry_of(EntryType::message, Role::chatbot, "Hi \"you\"")},
      "Where is 42?");
  task.metadata.text = R"({"k":1.0,"who":"Ann","deep":{"a":[1]}})";
  task.fields.text = R"({"city":"Bern","none":null})";
  return task;
}

TEST(OwnFormat, puts_values_into_any_json_D100) {
  const AgentTask task = a_task();
  const std::string id = to_text(task.result);
  struct Row {
    std::string form;
    std::string body;
  };
  const std::vector<Row> rows{
      {R"("{{message}}")", R"("Where is 42?")"},
      {R"({"sender":"{{testResultId}}","message":"{{message}}"})",
       R"({"sender":")" + id + R"(","message":"Where is 42?"})"},
      {R"({"q":" {{ message }} ","n":"{{turn}}","t":"turn {{turn}}, {{metadata.who}}/{{fields.city}}"})",
       R"({"q":" Where is 42? ","n":3,"t":"turn 3, Ann/Bern"})"},
      {R"(["{{messages}}"])",
       R"([[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi \"you\""},)"
       R"({"role":"user","content":"Where is 42?"}]])"},
      {R"(["{{metadata.k}}","{{metadata.deep}}","{{metadata.no}}","{{fields.none}}","x{{fields.none}}y","x{{metadata.deep}}"])",
       R"([1.0,{"a":[1]},null,null,"xy","x{\"a\":[1]}"])"},
      {R"({"a":"{{action}}","b":"{{arguments}}","c":true,"d":[1e2,null],"{{message}}":"{{metadata}}"})",
       R"({"a":null,"b":null,"c":true,"d":[1e2,null],"{{message}}":{"k":1.0,"who":"Ann","deep":{"a":[1]}}})"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(request_of("\"request\":" + row.form, task).body, row.body) << row.form;
}

TEST(OwnFormat, names_an_action_where_a_message_is_expected) {
  AgentTask task = a_task();
  task.message.reset();
  task.action = AgentAction{"confirm", {R"({"n":1})"}};
  EXPECT_EQ(request_of(R"("request":["{{message}}","{{action}}","{{arguments}}"])", task).body,
            R"(["confirm",{"name":"confirm","arguments":{"n":1}},{"n":1}])");
}

TEST(OwnFormat, searches_no_value_again) {
  AgentTask task = a_task();
  task.message = "{{metadata.who}}";
  EXPECT_EQ(request_of(R"("request":"say {{message}}")", task).body, R"("say {{metadata.who}}")");
}

TEST(OwnFormat, sends_text_query_and_method) {
  const AgentTask task = a_task();
  const auto text = request_of(
      R"("method":"PUT","headers":{"Content-Type":"text/plain"},"request":"Q: {{message}}")", task);
  EXPECT_EQ(text.method, "PUT");
  EXPECT_EQ(text.body, "Q: Where is 42?");
  EXPECT_EQ(*value_of(text, "Content-Type"), "text/plain");
  const auto query =
      request_of(R"("query":{"q":"{{message}}","n":2,"gone":"{{action}}","ü":"a&{{turn}}"})", task);
  EXPECT_EQ(query.url, "http://x/h?q=Where%20is%2042%3F&n=2&%C3%BC=a%263");
  AgentTask loud = a_task();
  loud.message = std::string(9'000, 'x');
  EXPECT_EQ(code_of(http_agent_request(config_of(R"("query":{"q":"{{message}}"})"), {}, loud)), "too_large");
}

TEST(OwnFormat, puts_values_into_the_path) {
  AgentTask task = a_task();
  task.message = "a/b?c";
  const auto config = http_config({R"({"url":"http://x/s/{{turn}}/{{message}}?k=1"})"});
  const auto request = http_agent_request(std::get<HttpConfig>(config), {}, task);
  EXPECT_EQ(std::get<HttpRequest>(request).url, "http://x/s/3/a%2Fb%3Fc?k=1");
  for (const char* url : {"http://{{metadata.host}}/", "http://x:{{turn}}/", "http://x/{{host}}"})
    EXPECT_EQ(code_of(http_config({R"({"url":")" + std::string(url) + R"("})"})), "invalid_config") << url;
}

TEST(OwnFormat, refuses_meaningless_configs) {
  struct Row {
    std::string rest;
    std::string pointer;
  };
  const std::vector<Row> rows{
      {R"("method":"GET")", "/config/method"},
      {R"("request":{"a":["{{mesage}}"]})", "/config/request/a/0"},
      {R"("request":"{{metadata.}}")", "/config/request"},
      {R"("query":[])", "/config/query"},
      {R"("query":{"a":[]})", "/config/query/a"},
      {R"("reply":7)", "/config/reply"},
      {R"("reply":"json")", "/config/reply"},
      {R"("reply":{})", "/config/reply"},
      {R"("reply":{"end":"/done"})", "/config/reply"},
      {R"("reply":{"mesage":"/a","message":"/b"})", "/config/reply/mesage"},
      {R"("reply":{"message":"answer"})", "/config/reply/message"},
      {R"("reply":{"message":["/a","b"]})", "/config/reply/message/1"},
      {R"("reply":{"message":[]})", "/config/reply/message"},
      {R"("reply":{"message":"/a","metadata":{"cost":1}})", "/config/reply/metadata/cost"},
  };
  for (const Row& row : rows) {
    Agent agent;
    agent.type = "HTTP";
    agent.config.text = R"({"url":"http://x",)" + row.rest + "}";
    Findings findings;
    check_agent_config(agent, findings);
    ASSERT_EQ(findings.faults.size(), 1u) << row.rest;
    EXPECT_EQ(findings.faults.front().pointer, row.pointer);
  }
}

AgentAnswer read(const std::string& reply, std::string body) {
  return read_http_agent(config_of("\"reply\":" + reply), answer_of(std::move(body)));
}

TEST(OwnFormat, finds_the_message_of_many_chatbots) {
  struct Row {
    std::string reply;
    std::string body;
    std::string message;
  };
  const std::vector<Row> rows{
      {R"({"message":"/output"})", R"({"output":"Hi","metadata":{}})", "Hi"},
      {R"({"message":["/a/b","/text"]})", R"({"a":{"b":null},"text":"Hi"})", "Hi"},
      {R"({"message":"/*/text"})", R"([{"text":"One"},{"image":"x"},{"text":"Two"}])", "One\nTwo"},
      {R"({"message":"/output/*/content/*/text"})",
       R"({"output":[{"type":"reasoning"},{"content":[{"text":"A"},{"text":"B"}]}]})", "A\nB"},
      {R"({"message":""})", R"("Hi")", "Hi"},
      {R"({"message":"/n"})", R"({"n":12.50})", "12.50"},
      {R"({"message":"/lines"})", R"({"lines":["a","b"]})", "a\nb"},
      {R"({"message":"/a~1b/~0"})", R"({"a/b":{"~":"Hi"}})", "Hi"},
      {R"({"message":"/*"})", R"({"*":"star"})", "star"},
      {R"("text")", "Hi there\r\n", "Hi there"},
      {R"("text")", "\xef\xbb\xbf{\"not\": read", "{\"not\": read"},
  };
  for (const Row& row : rows) {
    const auto answer = read(row.reply, row.body);
    ASSERT_EQ(code_of(answer), "") << row.body;
    EXPECT_EQ(std::get<AgentReply>(answer).message, row.message) << row.body;
  }
}

TEST(OwnFormat, finds_tools_events_metadata_and_the_end) {
  const auto answer = read(
      R"({"message":"/say","tools":"/steps","toolName":"/tool/id","toolArguments":["/in","/args"],"toolResult":"/out",)"
      R"("events":"/shown","end":"/done","metadata":{"cost":"/usage/usd","model":["/m","/model"]}})",
      R"({"say":"Done","steps":[{"tool":{"id":"find"},"args":"{\"n\":1}","out":[2]},{"tool":{"id":"b"},"in":"x"}],)"
      R"("shown":[{"name":"form","public":true,"metadata":{"a":1}},"note"],"done":true,"usage":{"usd":0.50},"model":"m"})");
  AgentReply wanted;
  wanted.message = "Done";
  wanted.tools = {{"find", {R"({"arguments":{"n":1},"result":[2]})"}}, {"b", {R"({"arguments":"x"})"}}};
  wanted.events = {{"form", true, {R"({"a":1})"}}, {"note", false, {}}};
  wanted.metadata.text = R"({"cost":0.50,"model":"m","responseTime":12})";
  wanted.ends = true;
  ASSERT_EQ(code_of(answer), "");
  EXPECT_EQ(std::get<AgentReply>(answer), wanted);
}

TEST(OwnFormat, fails_with_a_reason_where_nothing_is_found) {
  struct Row {
    std::string reply;
    std::string body;
    std::string code;
  };
  const std::vector<Row> rows{
      {R"({"message":"/a"})", R"({"b":"x"})", "empty_answer"},
      {R"({"message":"/a"})", R"({"a":null})", "empty_answer"},
      {R"({"message":"/*/text"})", "[]", "empty_answer"},
      {R"({"message":"/a"})", R"({"a":{"b":1}})", "wrong_shape"},
      {R"({"message":"/a"})", R"({"a":[["x"]]})", "wrong_shape"},
      {R"({"message":"/a","end":"/e"})", R"({"a":"x","e":"yes"})", "wrong_shape"},
      {R"({"tools":"/t"})", R"({"t":[{"title":"x"}]})", "empty_answer"},
      {R"({"tools":"/t"})", R"({"t":[{"name":7}]})", "wrong_shape"},
      {R"({"tools":"/t"})", R"({"t":[1]})", "wrong_shape"},
      {R"({"message":"/a"})", "<html>", "not_json"},
      {R"("text")", "", "empty_answer"},
      {R"("text")", "\n", "empty_answer"},
      {R"("text")", "\xff\xfe", "wrong_shape"},
  };
  for (const Row& row : rows) EXPECT_EQ(code_of(read(row.reply, row.body)), row.code) << row.body;
  EXPECT_EQ(code_of(read(R"({"message":"/a","end":"/e"})", R"({"e":true})")), "") << "it hung up";
}

TEST(OwnFormat, names_the_keys_and_proposes_a_place_without_secrets) {
  const auto config = config_of(R"("reply":{"message":["/answer","/text"]})");
  const auto read =
      read_http_agent(config, answer_of(R"({"id":"s3cret-key","data":{"reply_text":"All is well"}})"),
                      {{"X-Key", "s3cret-key"}});
  EXPECT_EQ(
      std::get<AgentFault>(read).detail,
      "The agent's answer has neither a message nor a tool nor an event where config.reply looks (message: "
      "/answer or /text). It has the keys id, data. The message may be found with \"reply\": {\"message\": "
      "\"/data/reply_text\"} in the agent's config.");
}

TEST(OwnFormat, proposes_the_likely_place) {
  struct Row {
    std::string body;
    std::string pointer;
  };
  const std::vector<Row> rows{
      {R"([{"recipient_id":"u1","text":"Hi, how can I help?"}])", "/*/text"},
      {R"({"output":"Hi","metadata":{"run_id":"00000000-0000-0000-0000-000000000000"}})", "/output"},
      {R"({"id":"resp_1","status":"completed","output":[{"type":"reasoning","id":"r"},{"type":"message","role":"assistant",)"
       R"("content":[{"type":"output_text","text":"Hello there"}]}]})",
       "/output/1/content/0/text"},
      {R"({"responses":[{"type":"text","text":"Good day to you"}],"conversationId":"abc def"})",
       "/responses/0/text"},
      {R"({"a/b":"A long sentence with many words in it."})", "/a~1b"},
      {R"("Hello there")", ""},
  };
  for (const Row& row : rows) {
    const auto document = json::parse(row.body);
    const auto pointer = likely_pointer(document->root());
    ASSERT_TRUE(pointer) << row.body;
    EXPECT_EQ(*pointer, row.pointer);
  }
  for (const char* body : {"{}", "[]", R"({"ok":true,"id":"x","url":"https://x/y"})", "7",
                           R"({"error":{"message":"rate limited, try again"}})"}) {
    EXPECT_FALSE(likely_pointer(json::parse(body)->root())) << body;
  }
  HttpAnswer text = answer_of("Hello");
  EXPECT_FALSE(proposed_reply(text));
  text.content_type = "text/plain; charset=utf-8";
  EXPECT_EQ(proposed_reply(text), "\"text\"");
}

}  // namespace
}  // namespace parley::outbound
