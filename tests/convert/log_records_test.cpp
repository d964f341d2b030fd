#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* news =
    R"([{"role":"tester","content":"Any news?"},{"role":"chatbot","content":"None."}])";

/// One OTLP log record.
std::string record(const std::string& name, const std::string& body) {
  return R"({"timeUnixNano":"1","traceId":"t1","spanId":"s1","attributes":[{"key":"event.name","value":{"stringValue":")" +
         name + R"("}}],"body":{"kvlistValue":{"values":[)" + body + "]}}}";
}

std::string pair(const std::string& key, const std::string& value) {
  return R"({"key":")" + key + R"(","value":{"stringValue":")" + value + R"("}})";
}

TEST(LogRecords, are_the_events_of_their_span) {
  const std::string file = R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[)" +
                           record("gen_ai.user.message", pair("content", "Any news?")) + "," +
                           record("gen_ai.choice", R"({"key":"message","value":{"kvlistValue":{"values":[)" +
                                                       pair("content", "None.") + "]}}}") +
                           "]}]}]}";
  const Converted out = convert_recognized("logs.json", file);
  EXPECT_EQ(out.prepared.totals.format, "otel");
  EXPECT_THAT(out.logs, HasSubstr(news));
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"t1")"));
}

TEST(LogRecords, are_joined_with_the_spans_of_the_same_file) {
  const Converted out = convert_recognized(
      "both.jsonl",
      R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[)" +
          record("gen_ai.user.message", pair("content", "Any news?")) + "," +
          record("gen_ai.choice", pair("message", "None.")) + "]}]}]}\n" +
          R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1","spanId":"s1","name":"chat","attributes":[)"
          R"({"key":"gen_ai.request.model","value":{"stringValue":"m1"}}]}]}]}]})"
          "\n");
  EXPECT_EQ(out.prepared.totals.logs, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"None.","metadata":{"model":"m1"}})"));
}

TEST(LogRecords, without_ids_are_calls_that_end_with_an_answer) {
  const Converted out = convert_recognized(
      "events.json", R"([{"event_name":"gen_ai.user.message","body":{"content":"Any news?"}},)"
                     R"({"event_name":"gen_ai.choice","body":{"message":{"content":"None."}}},)"
                     R"({"event_name":"gen_ai.user.message","body":{"content":"Any news?"}},)"
                     R"({"event_name":"gen_ai.assistant.message","body":{"content":"None."}},)"
                     R"({"event_name":"gen_ai.user.message","body":{"content":"And now?"}},)"
                     R"({"event_name":"gen_ai.choice","body":{"message":{"content":"Rain."}}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"({"role":"chatbot","content":"None."},{"role":"tester","content":"And now?"},)"
                        R"({"role":"chatbot","content":"Rain."}])"));
}

constexpr const char* adot =
    R"({"timeUnixNano":1,"severityNumber":9,"traceId":"t1","spanId":"s1","attributes":{"event.name":"x","session.id":"c1"},)"
    R"("body":{"input":{"messages":[{"role":"user","content":{"content":"[{\"text\": \"Any news?\"}]"}}]},)"
    R"("output":{"messages":[{"role":"assistant","content":{"message":"None.","finish_reason":"end_turn"}}]}}})";

TEST(LogRecords, of_adot_have_the_whole_call) {
  const Converted out = convert_recognized("adot.jsonl", std::string(adot) + "\n");
  EXPECT_THAT(out.logs, HasSubstr(news));
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"c1")"));
}

TEST(LogRecords, of_adot_may_have_the_messages_of_langchain_in_a_text) {
  const Converted out = convert_recognized(
      "adot.jsonl",
      R"({"timeUnixNano":1,"traceId":"t1","spanId":"s1","attributes":{"event.name":"x"},"body":{)"
      R"("input":{"messages":[{"role":"user","content":"{\"messages\": [{\"content\": \"Any news?\", \"type\": \"human\"}]}"}]},)"
      R"("output":{"messages":[{"role":"assistant","content":"{\"generations\": [[{\"text\": \"None.\"}]]}"}]}}})"
      "\n");
  EXPECT_THAT(out.logs, HasSubstr(news));
}

/// LangChain writes the result of a tool as a message, and its arguments as printed by Python.
TEST(LogRecords, of_adot_may_be_calls_of_tools) {
  const auto row = [](const std::string& span, const std::string& input, const std::string& output) {
    return R"({"timeUnixNano":)" + span + R"(,"traceId":"t1","spanId":")" + span +
           R"(","attributes":{"event.name":"x"},"body":{"input":{"messages":[{"role":"user","content":")" +
           input + R"("}]},"output":{"messages":[{"role":"assistant","content":")" + output + "\"}]}}}\n";
  };
  const Converted out = convert_recognized(
      "adot.jsonl",
      row("1", "Any news?",
          R"({\"generations\": [[{\"text\": \"I ask.\", \"message\": {\"tool_calls\": []}}]]})") +
          row("2", "{'at': 'Bern'}",
              R"({\"type\": \"tool\", \"name\": \"paper\", \"tool_call_id\": \"c1\", \"content\": \"empty\"})") +
          row("3", "Any news?", R"({\"generations\": [[{\"text\": \"None.\"}]]})"));
  EXPECT_THAT(
      out.logs,
      HasSubstr(R"([{"role":"tester","content":"Any news?"},{"type":"tool","role":"chatbot","name":"paper",)"
                R"("metadata":{"id":"c1","arguments":{"at":"Bern"},"result":"empty"}},)"
                R"({"role":"chatbot","content":"None."}])"));
}

TEST(LogRecords, are_read_from_the_messages_of_cloudwatch) {
  std::string quoted;
  for (const char c : std::string(adot)) quoted += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
  const Converted out = convert_recognized("events.json", R"({"events":[{"message":")" + quoted + "\"}]}");
  EXPECT_THAT(out.logs, HasSubstr(news));
}

TEST(LogRecords, of_a_tool_do_not_become_answers) {
  const Converted out = convert_text(
      "otel", "adot.jsonl",
      R"({"traceId":"t1","spanId":"s1","timeUnixNano":1,"attributes":{"event.name":"x"},"body":{)"
      R"("input":{"messages":[{"role":"user","content":"Weather?"}]},"output":{"messages":[{"role":"assistant",)"
      R"("content":{"message":"[{\"toolUse\":{\"toolUseId\":\"u1\",\"name\":\"sky\",\"input\":{\"at\":\"Bern\"}}}]"}}]}}})"
      "\n"
      R"({"traceId":"t1","spanId":"s2","timeUnixNano":2,"attributes":{"event.name":"x"},"body":{)"
      R"("input":{"messages":[{"role":"tool","content":{"content":"{}","role":"tool","id":"u1"}}]},)"
      R"("output":{"messages":[{"role":"assistant","content":{"message":"rain","id":"u1"}}]}}})"
      "\n"
      R"({"traceId":"t1","spanId":"s3","timeUnixNano":3,"attributes":{"event.name":"x"},"body":{)"
      R"("input":{"messages":[{"role":"user","content":"Weather?"},{"role":"assistant",)"
      R"("content":{"content":"[{\"toolUse\":{\"toolUseId\":\"u1\",\"name\":\"sky\",\"input\":{\"at\":\"Bern\"}}}]"}},)"
      R"({"role":"tool","content":{"content":"[{\"toolResult\":{\"toolUseId\":\"u1\",\"content\":[{\"text\":\"rain\"}]}}]"}}]},)"
      R"("output":{"messages":[{"role":"assistant","content":{"message":"It rains."}}]}}})"
      "\n");
  EXPECT_THAT(
      out.logs,
      HasSubstr(R"([{"role":"tester","content":"Weather?"},{"type":"tool","role":"chatbot","name":"sky",)"
                R"("metadata":{"arguments":{"at":"Bern"},"id":"u1","result":"rain"}},)"
                R"({"role":"chatbot","content":"It rains."}])"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
}

TEST(Traces, report_calls_that_are_not_of_the_conversation) {
  const Converted out = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1"},"observations":[)"
      R"({"type":"GENERATION","startTime":"1","input":[{"role":"user","content":"Any news?"}],"output":"None."},)"
      R"({"type":"GENERATION","startTime":"0","input":[{"role":"user","content":"Name the topic."}],"output":"News"}]})");
  EXPECT_THAT(out.logs, HasSubstr(news));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"model call")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::ignored), 1U);
}

TEST(Traces, read_the_events_of_strands_and_azure) {
  constexpr std::array events{
      R"({"name":"gen_ai.user.message","attributes":{"content":"[{\"text\": \"Any news?\"}]"}},)"
      R"({"name":"gen_ai.choice","attributes":{"finish_reason":"end_turn","message":"[{\"text\": \"None.\"}]"}})",
      R"({"name":"gen_ai.user.message","attributes":{"gen_ai.event.content":"{\"content\":\"Any news?\"}"}},)"
      R"({"name":"gen_ai.choice","attributes":{"gen_ai.event.content":"{\"message\":{\"content\":\"None.\"}}"}})",
      R"({"name":"gen_ai.content.prompt","attributes":{"gen_ai.prompt":"[{\"role\":\"user\",\"content\":\"Any news?\"}]"}},)"
      R"({"name":"gen_ai.content.completion","attributes":{"gen_ai.completion":"[{\"role\":\"assistant\",\"content\":\"None.\"}]"}})"};
  for (const char* each : events) {
    const Converted out = convert_recognized(
        "spans.json",
        R"([{"traceId":"t1","spanId":"s1","name":"chat","attributes":{"gen_ai.operation.name":"chat"},"events":[)" +
            std::string(each) + "]}]");
    EXPECT_THAT(out.logs, HasSubstr(news)) << each;
  }
}

TEST(Traces, read_whole_inputs_and_outputs_under_their_own_names) {
  constexpr std::array attributes{
      R"("ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Any news?\"}]}]","ai.response.text":"None.")",
      R"("gen_ai.prompt":"Any news?","gen_ai.completion":"None.")",
      R"("gen_ai.system":"x","traceloop.entity.input":"{\"args\": [\"Any news?\"]}","traceloop.entity.output":"\"None.\"")",
  };
  for (const char* each : attributes) {
    const Converted out =
        convert_recognized("spans.json", R"([{"traceId":"t1","spanId":"s1","name":"x","attributes":{)" +
                                             std::string(each) + "}}]");
    EXPECT_THAT(out.logs, HasSubstr(news)) << each;
  }
}

TEST(Langfuse, reads_quoted_texts_and_the_arguments_of_functions) {
  const Converted quoted = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1","input":"\"Any news?\"","output":"\"None.\""},"observations":[{"type":"SPAN"}]})");
  EXPECT_THAT(quoted.logs, HasSubstr(news));
  const Converted arguments = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1"},"observations":[{"type":"GENERATION","input":"{\"args\": [\"Any news?\"]}",)"
      R"("output":"None."}]})");
  EXPECT_THAT(arguments.logs, HasSubstr(news));
  const Converted messages = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1"},"observations":[{"type":"GENERATION","input":{"kwargs":{"messages":)"
      R"([{"role":"user","content":"Any news?"}]}},"output":{"role":"assistant","content":"None."}}]})");
  EXPECT_THAT(messages.logs, HasSubstr(news));
}

TEST(Langfuse, knows_instructions_that_were_sent_as_the_user_by_the_input_of_the_trace) {
  const std::string call =
      R"("observations":[{"type":"GENERATION","input":[{"role":"user","content":"Be brief."},)"
      R"({"role":"user","content":"Any news?"}],"output":"None."}]})";
  const Converted known = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1","input":{"messages":[{"type":"human","content":"Any news?"}]}},)" + call);
  EXPECT_THAT(known.logs, HasSubstr(R"("metadata":{"system":"Be brief."})"));
  EXPECT_THAT(known.logs, HasSubstr(news));
  const Converted unknown = convert_text("langfuse", "a.json", R"({"trace":{"id":"t1"},)" + call);
  EXPECT_EQ(unknown.prepared.totals.entries.tester, 2U);
}

TEST(Langfuse, takes_the_answer_of_the_trace_if_no_call_has_one) {
  const Converted out = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1","output":"{'role': 'assistant', 'text': 'None.'}"},"observations":[)"
      R"({"type":"GENERATION","input":[{"role":"user","content":"Any news?"}],"output":null}]})");
  EXPECT_THAT(out.logs, HasSubstr(news));
}

TEST(Langfuse, reads_its_tables_of_traces_and_observations) {
  const Converted traces = convert_recognized(
      "traces.csv",
      "id,timestamp,name,userId,sessionId,bookmarked,input,output\n"
      R"(t1,"""2026-01-31T13:00:00Z""",chat,u,s,false,"{""messages"":[{""role"":""user"",""content"":""Any news?""}]}",None.)"
      "\n");
  EXPECT_EQ(traces.prepared.totals.format, "langfuse");
  EXPECT_THAT(traces.logs, HasSubstr(R"("externalId":"t1")"));
  EXPECT_THAT(traces.logs, HasSubstr(news));
  const Converted observations =
      convert_recognized("observations.csv",
                         "id,traceId,type,startTime,name,input,output\n"
                         "o1,t1,GENERATION,2026-01-31T13:00:00Z,chat,Any news?,None.\n"
                         "o0,t1,SPAN,2026-01-31T13:00:00Z,root,,\n");
  EXPECT_EQ(observations.prepared.totals.format, "langfuse");
  EXPECT_THAT(observations.logs, HasSubstr(news));
  EXPECT_EQ(observations.prepared.totals.logs, 1U);
}

TEST(Langsmith, has_the_history_before_the_input_of_a_chain) {
  const Converted out = convert_text(
      "langsmith", "runs.json",
      R"([{"id":"r1","run_type":"chain","inputs":{"input":"And now?","chat_history":[{"type":"human","content":"Any news?"},)"
      R"({"type":"ai","content":"None."}]},"outputs":{"output":"Rain."}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"({"role":"chatbot","content":"None."},{"role":"tester","content":"And now?"},)"
                        R"({"role":"chatbot","content":"Rain."}])"));
}

TEST(Langsmith, reads_its_table_of_runs) {
  const Converted out = convert_recognized(
      "runs.csv",
      "id,name,run_type,start_time,inputs,outputs,error\n"
      R"(r1,chat,llm,2026-01-31,"{""messages"":[{""role"":""user"",""content"":""Any news?""}]}",)"
      R"("{""choices"":[{""message"":{""role"":""assistant"",""content"":""None.""}}]}",)"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "langsmith");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"r1")"));
  EXPECT_THAT(out.logs, HasSubstr(news));
}

TEST(Langfuse, takes_calls_and_results_whose_roles_are_of_tools) {
  const Converted out = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1"},"observations":[{"type":"GENERATION","input":[{"role":"user","content":"Weather?"},)"
      R"({"role":"tool","content":"[{\"function\":{\"name\":\"sky\",\"arguments\":\"{}\"},\"id\":\"u1\"}]"},)"
      R"({"role":"sky","content":"rain"}],"output":{"role":"assistant","content":"It rains."}}]})");
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"sky","metadata":{"arguments":{},"id":"u1","result":"rain"})"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
}

TEST(Promptfoo, is_recognized_by_any_of_its_columns) {
  const Converted out = convert_recognized("a.csv", "q,__description,__metadata:area\nWhere?,first,maps\n");
  EXPECT_EQ(out.prepared.totals.format, "promptfoo");
  EXPECT_THAT(out.suite, HasSubstr("name: \"first\""));
  EXPECT_THAT(out.suite, HasSubstr("say: \"Where?\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(metadata: {"area": "maps"})"));
}

}  // namespace
}  // namespace parley::convert
