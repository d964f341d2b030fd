// The dialects of chat messages: roles of frameworks, wrappers, and values printed by Python.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/reading/python_literal.hpp"
#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string row_of(const std::string& messages) {
  return R"({"messages":[{"role":"user","content":"Weather?"},)" + messages + "]}\n";
}

TEST(PythonLiterals, become_json) {
  EXPECT_EQ(json_of_python(R"({'a': True, "b": [None, False, 1.5], 'c': 'it\'s \n "x"'})"),
            R"({"a": true, "b": [null, false, 1.5], "c": "it's \n \"x\""})");
  EXPECT_EQ(json_of_python(R"(["True", 'None'])"), R"(["True", "None"])");
  for (const std::string text : {"{'a': Place(1)}", "{'a': 'b}", R"({'a': '\x41'})", "{1: 2}", "plain"})
    EXPECT_EQ(json_of_python(text), std::nullopt) << text;
}

TEST(ChatMessages, may_be_calls_by_their_role) {
  for (const std::string call :
       {R"({"role":"tool_call","content":"{\"name\":\"sky\",\"arguments\":{\"at\":\"Bern\"}}"})",
        R"({"role":"function_call","content":{"name":"sky","arguments":{"at":"Bern"}}})",
        R"({"role":"tool-call","content":[{"type":"text","text":"Calling tools:\n)"
        R"([{'type': 'function', 'function': {'name': 'sky', 'arguments': {'at': 'Bern'}}}]"}]})",
        R"({"from":"tool_call","name":"sky","arguments":"{'at': 'Bern'}"})"}) {
    for (const std::string role : {"tool_response", "tool-response", "observation"}) {
      const Converted out =
          convert_text("openai-jsonl", "a.jsonl",
                       row_of(call + R"(,{"role":")" + role +
                              R"(","content":"rain"},{"role":"assistant","content":"It rains."})"));
      EXPECT_THAT(out.logs,
                  HasSubstr(R"("name":"sky","metadata":{"arguments":{"at":"Bern"},"result":"rain"}},)"
                            R"({"role":"chatbot","content":"It rains."}])"))
          << call;
      EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
    }
  }
  const Converted out =
      convert_text("openai-jsonl", "a.jsonl", row_of(R"({"role":"tool_call","content":"sky"})"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"tool_call")"));
}

/// LangChain callbacks append the definitions of an agent's tools to its messages.
TEST(ChatMessages, of_a_tool_may_be_definitions) {
  const std::string definition =
      R"({"role":"tool","content":{"type":"function","function":{"name":"sky","description":"Looks up."}}})";
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(
          R"({"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"sky","arguments":"{}"}}]},)" +
          definition + "," + definition + R"(,{"role":"tool","tool_call_id":"c1","content":"rain"})"));
  EXPECT_THAT(
      out.logs,
      HasSubstr(R"("tools":[{"type":"function","function":{"name":"sky","description":"Looks up."}}]})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("metadata":{"arguments":{},"id":"c1","result":"rain"})"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
}

TEST(ChatMessages, may_have_the_classes_of_langchain_as_their_types) {
  const Converted out = convert_text(
      "langsmith", "runs.json",
      R"([{"id":"r1","run_type":"llm","inputs":{"messages":[[{"type":"HumanMessage","content":"Weather?"}]]},)"
      R"("outputs":{"generations":[[{"text":"Rain.","message":{"lc":1,"type":"constructor","id":["AIMessageChunk"],)"
      R"("kwargs":{"type":"AIMessageChunk","content":"Rain."}}}]]}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Weather?"},{"role":"chatbot","content":"Rain."}])"));
}

TEST(ChatMessages, may_have_their_text_under_other_names) {
  const Converted out =
      convert_text("openai-jsonl", "a.jsonl",
                   row_of(R"({"role":"assistant","text":"It rains."},{"role":"user","message":"And now?"},)"
                          R"({"type":"assistant","message":{"role":"assistant","content":"The sun."}})"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"({"role":"chatbot","content":"It rains."},{"role":"tester","content":"And now?"},)"
                        R"({"role":"chatbot","content":"The sun."}])"));
}

TEST(ChatMessages, have_results_that_belong_to_their_calls) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(R"({"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"sky","arguments":"{}"}}]},)"
             R"({"role":"tool","tool_call_id":"zz","content":"orphan"},)"
             R"({"role":"tool","tool_call_id":"c1","content":"rain"},)"
             R"({"role":"tool","tool_call_id":"c1","content":"rain"},)"
             R"({"role":"tool","tool_call_id":"c1","content":"sun"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("metadata":{"arguments":{},"id":"c1","result":"rain"})"));
  EXPECT_THAT(out.report, HasSubstr(R"("why":"no matching tool call was found")"));
  EXPECT_THAT(out.report, HasSubstr(R"("why":"the call already has another result")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(ChatMessages, keep_refusals_and_transcripts_as_texts) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(R"({"role":"assistant","content":null,"refusal":"I cannot say."})") +
          row_of(R"({"role":"assistant","content":"","audio":{"id":"au","transcript":"It rains."}})") +
          row_of(R"({"role":"assistant","content":[{"type":"audio","transcript":"The sun."}]})"));
  for (const std::string text : {"I cannot say.", "It rains.", "The sun."})
    EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":")" + text + "\"}]")) << text;
  EXPECT_THAT(out.report, HasSubstr(R"("source":"audio")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);  // the sound
}

/// Services run some tools themselves; their calls have types and names of their own.
TEST(ChatMessages, read_calls_that_a_service_answers) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(R"({"type":"mcp_call","id":"m1","name":"look","arguments":"{\"k\":2}","output":"res"},)"
             R"({"type":"web_search_call","id":"w1","status":"completed","action":{"query":"rain"}},)"
             R"({"role":"assistant","content":[)"
             R"({"type":"server_tool_use","id":"s1","name":"web_fetch","input":{"url":"u"}},)"
             R"({"type":"web_fetch_tool_result","tool_use_id":"s1","content":"page"},)"
             R"({"type":"text","text":"It rains."}]})"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"("name":"look","metadata":{"arguments":{"k":2},"id":"m1","result":"res"}})"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"("name":"web_search","metadata":{"arguments":{"query":"rain"},"id":"w1"}})"));
  EXPECT_THAT(
      out.logs,
      HasSubstr(
          R"("name":"web_fetch","metadata":{"arguments":{"url":"u"},"id":"s1","result":"page"}},{"role":"chatbot","content":"It rains."}])"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(ChatMessages, join_results_with_calls_that_texts_precede) {
  std::string messages;
  for (const std::string id : {"c1", "c2", "c3"}) {
    messages += (messages.empty() ? "" : ",") +
                (R"({"role":"assistant","content":[)"
                 R"({"type":"tool_use","id":")" +
                 id + R"(","name":"sky","input":{}},{"type":"text","text":"Wait."}]})");
  }
  for (const std::string id : {"c3", "c1"})
    messages += R"(,{"role":"tool","tool_call_id":")" + id + R"(","content":"of )" + id + "\"}";
  messages += R"(,{"role":"tool","content":"of the first open call"})";
  const Converted out = convert_text("openai-jsonl", "a.jsonl", row_of(messages));
  EXPECT_THAT(out.logs, HasSubstr(R"("id":"c1","result":"of c1"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("id":"c2","result":"of the first open call"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("id":"c3","result":"of c3"})"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(ChatMessages, join_system_messages_and_definitions) {
  const auto definition = [](const std::string& name) {
    return R"({"role":"tool","content":{"type":"function","function":{"name":")" + name +
           R"(","description":"d"}}})";
  };
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(R"({"role":"system","content":"Be \"kind\"."},{"role":"system","content":"Be brief."},)" +
             definition("sky") + "," + definition("sea") + "," + definition("sky")));
  EXPECT_THAT(out.logs, HasSubstr(R"("system":"Be \"kind\".\nBe brief.")"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"("name":"sky","description":"d"}},{"type":"function","function":{"name":"sea")"));
}

TEST(ChatMessages, are_reported_with_their_text) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      row_of(R"({"role":"tool","tool_call_id":"zz","content":"orphan"},{"role":"critic","content":"bad"})"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"tool result","text":"{\"role\":\"tool\")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"message","text":"{\"role\":\"critic\")"));
}

TEST(ChatMessages, of_tests_are_reported_without_a_log) {
  Options options;
  options.format = "openai-jsonl";
  options.paths = {"a.jsonl"};
  options.as = "tests";
  const Converted out = convert_text(
      options, R"({"messages":[{"role":"user","content":"Hi"},{"role":"critic","content":"bad"}],"extra":1})"
               "\n");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"extra")"));
  EXPECT_THAT(out.report, Not(HasSubstr(R"("log":)")));
}

}  // namespace
}  // namespace parley::convert
