#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

constexpr const char* model_span =
    R"({"traceId":"t1","spanId":"s1","name":"chat","startTimeUnixNano":1,"endTimeUnixNano":2,"attributes":[)"
    R"({"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Any news?\"}]}]"}},)"
    R"({"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"None.\"}]}]"}}]})";

TEST(Traces, read_both_exports_of_tempo) {
  const std::string batch =
      std::string(R"({"resource":{},"instrumentationLibrarySpans":[{"spans":[)") + model_span + "]}]}";
  const std::string resource =
      std::string(R"({"resource":{},"scopeSpans":[{"spans":[)") + model_span + "]}]}";
  for (const std::string& text :
       {R"({"batches":[)" + batch + "]}", R"({"trace":{"resourceSpans":[)" + resource + "]}}"}) {
    const Converted out = convert_recognized("trace.json", text);
    EXPECT_EQ(out.prepared.totals.format, "otel");
    EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Any news?"})"));
  }
}

TEST(Traces, read_the_spans_of_google_adk) {
  const Converted out = convert_recognized(
      "spans.json",
      R"({"spans":[{"trace_id":"t1","span_id":"s2","name":"execute_tool dice","attributes":{)"
      R"("gen_ai.operation.name":"execute_tool","gcp.vertex.agent.tool_call_args":"{\"sides\":6}",)"
      R"("gcp.vertex.agent.tool_response":"{\"result\":4}"}},)"
      R"({"trace_id":"t1","span_id":"s1","name":"call_llm","attributes":{"gen_ai.system":"gcp.vertex.agent",)"
      R"("gcp.vertex.agent.llm_request":"{\"config\":{\"system_instruction\":\"Be kind.\"},)"
      R"(\"contents\":[{\"parts\":[{\"text\":\"Roll\"}],\"role\":\"user\"},)"
      R"({\"parts\":[{\"function_call\":{\"args\":{\"sides\":6},\"name\":\"dice\"}}],\"role\":\"model\"},)"
      R"({\"parts\":[{\"function_response\":{\"name\":\"dice\",\"response\":{\"result\":4}}}],\"role\":\"user\"}]}",)"
      R"("gcp.vertex.agent.llm_response":"{\"content\":{\"parts\":[{\"text\":\"A four.\"}],\"role\":\"model\"}}"}}]})");
  EXPECT_EQ(out.prepared.totals.format, "otel");
  EXPECT_EQ(out.prepared.totals.entries.tool, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"("system":"Be kind.")"));
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Roll"},)"));
  EXPECT_THAT(out.logs, HasSubstr(R"("content":"A four.")"));
  EXPECT_THAT(out.report, testing::Not(HasSubstr("not_mapped")));
}

TEST(Traces, recognize_spans_whose_ids_are_in_their_context) {
  const Converted out = convert_recognized(
      "spans.jsonl",
      R"({"name":"chat","context":{"trace_id":"0x1","span_id":"0x2","trace_state":"[]"},"parent_id":null,)"
      R"("attributes":{"gen_ai.input.messages":"[{\"role\":\"user\",\"content\":\"Any news?\"}]",)"
      R"("gen_ai.output.messages":"[{\"role\":\"assistant\",\"content\":\"None.\"}]"}})"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "otel");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"0x1")"));
}

/// The console exporters of OpenTelemetry print each span on several lines.
TEST(Traces, read_spans_that_follow_each_other) {
  const std::string spans =
      R"({
    "name": "chat",
    "context": {"trace_id": "0x1", "span_id": "0x2"},
    "attributes": {
        "gen_ai.input.messages": "[{\"role\":\"user\",\"content\":\"Any news?\"}]",
        "gen_ai.output.messages": "[{\"role\":\"assistant\",\"content\":\"None.\"}]"
    }
}
{
    "name": "workflow",
    "context": {"trace_id": "0x1", "span_id": "0x3"},
    "attributes": {}
}
)";
  for (const std::string path : {"spans.json", "spans.jsonl"}) {
    const Converted out = convert_recognized(path, spans);
    EXPECT_EQ(out.prepared.totals.format, "otel") << path;
    EXPECT_THAT(
        out.logs,
        HasSubstr(R"([{"role":"tester","content":"Any news?"},{"role":"chatbot","content":"None."}])"))
        << path;
  }
}

TEST(Traces, read_instructions_that_are_a_string_of_json) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"trace_id":"t1","span_id":"s1","name":"chat","attributes":{)"
      R"("gen_ai.system_instructions":"\"Be kind.\\nAnd brief.\"",)"
      R"("gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"text\":\"Any news?\"}]}]"}}])");
  EXPECT_THAT(out.logs, HasSubstr(R"("system":"Be kind.\nAnd brief.")"));
}

TEST(Traces, have_the_calls_of_the_ai_sdk) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"trace_id":"t1","span_id":"s1","name":"ai.generateText.doGenerate","attributes":{)"
      R"("ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Weather?\"}]}]",)"
      R"("ai.response.text":"I look.",)"
      R"("ai.response.toolCalls":"[{\"toolCallId\":\"c1\",\"toolName\":\"weather\",\"input\":{\"city\":\"Bern\"}}]"}},)"
      R"({"trace_id":"t1","span_id":"s2","name":"ai.toolCall","attributes":{"ai.toolCall.id":"c1",)"
      R"("ai.toolCall.name":"weather","ai.toolCall.args":"{\"city\":\"Bern\"}","ai.toolCall.result":"Rain."}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Weather?"},{"role":"chatbot","content":"I look."},)"
                        R"({"type":"tool","role":"chatbot","name":"weather",)"
                        R"("metadata":{"arguments":{"city":"Bern"},"id":"c1","result":"Rain."}}])"));
}

TEST(Traces, have_the_objects_that_the_ai_sdk_generates) {
  const Converted out =
      convert_text("otel", "spans.json",
                   R"([{"trace_id":"t1","span_id":"s1","name":"ai.generateObject","attributes":{)"
                   R"("ai.prompt.messages":"[{\"role\":\"user\",\"content\":\"Any news?\"}]",)"
                   R"("ai.response.object":"{\"count\":0}"}}])");
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"{\"count\":0}"}])"));
}

TEST(Traces, read_the_values_of_langwatch_and_logfire) {
  constexpr std::array attributes{
      R"("langwatch.input":"{\"type\":\"chat_messages\",\"value\":[{\"role\":\"user\",\"content\":\"Any news?\"}]}",)"
      R"("langwatch.output":"{\"type\":\"text\",\"value\":\"None.\"}")",
      R"("request_data":{"model":"m","messages":[{"role":"user","content":"Any news?"}]},)"
      R"("response_data":{"message":{"role":"assistant","content":"None."},"usage":{}})",
      R"("request_data":"{\"messages\":[{\"role\":\"user\",\"content\":\"Any news?\"}]}",)"
      R"("response_data":"{\"combined_chunk_content\":\"None.\",\"chunk_count\":2}")",
  };
  for (const std::string each : attributes) {
    const Converted out = convert_text(
        "otel", "spans.json",
        R"([{"trace_id":"t1","span_id":"s1","name":"chat","attributes":{"gen_ai.operation.name":"chat",)" +
            each + "}}]");
    EXPECT_THAT(
        out.logs,
        HasSubstr(R"([{"role":"tester","content":"Any news?"},{"role":"chatbot","content":"None."}])"))
        << each;
  }
}

TEST(Traces, read_otlp_whose_names_are_those_of_protobuf) {
  const Converted out = convert_recognized(
      "trace.json",
      R"({"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"t1","span_id":"s1","name":"chat","attributes":[)"
      R"({"key":"gen_ai.prompt.0.role","value":{"string_value":"user"}},)"
      R"({"key":"gen_ai.prompt.0.content","value":{"string_value":"Any news?"}},)"
      R"({"key":"gen_ai.completion.0.role","value":{"string_value":"assistant"}},)"
      R"({"key":"gen_ai.completion.0.content","value":{"string_value":"None."}},)"
      R"({"key":"gen_ai.usage.prompt_tokens","value":{"int_value":"15"}}]}]}]}]})");
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Any news?"},{"role":"chatbot",)"));
  EXPECT_THAT(out.logs, HasSubstr(R"("inputTokens":15)"));
}

TEST(Traces, take_the_input_of_a_span_whose_messages_have_only_answers) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"trace_id":"t1","span_id":"s1","name":"query","attributes":{"openinference.span.kind":"AGENT",)"
      R"("input.value":"Any news?","llm.output_messages.0.message.role":"assistant",)"
      R"("llm.output_messages.0.message.content.0":"None."}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Any news?"},{"role":"chatbot","content":"None."}])"));
}

TEST(Traces, with_no_more_than_the_name_of_a_tool_are_reported) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"trace_id":"t1","span_id":"s1","name":"execute_tool add","start_time":1,"end_time":9000000,)"
      R"("attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"add","gen_ai.tool.call.id":"c1"}},)"
      R"({"trace_id":"t1","span_id":"s2","name":"invoke_agent","attributes":{"gen_ai.operation.name":"invoke_agent"}}])");
  EXPECT_EQ(out.prepared.totals.logs, 0U);
  EXPECT_THAT(out.report, HasSubstr("the spans have no messages; recording content is off"));
}

TEST(Traces, take_the_input_of_a_tool_rather_than_its_schema) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"trace_id":"t1","span_id":"s1","name":"search","attributes":{"openinference.span.kind":"TOOL",)"
      R"("input.value":"{\"query\":\"tea\"}","tool.parameters":"{\"query\":{\"type\":\"string\"}}"}}])");
  EXPECT_THAT(out.logs, HasSubstr(R"("arguments":{"query":"tea"})"));
}

TEST(Traces, have_the_whole_milliseconds_of_a_tool) {
  const Converted out = convert_text(
      "otel", "spans.json",
      R"([{"traceId":"t1","spanId":"s1","name":"search","startTimeUnixNano":"1000000000000000001",)"
      R"("endTimeUnixNano":"1000000000005000001","attributes":[{"key":"openinference.span.kind",)"
      R"("value":{"stringValue":"TOOL"}},{"key":"output.value","value":{"stringValue":"tea"}}]}])");
  EXPECT_THAT(out.logs, HasSubstr(R"("responseTime":5)"));
}

TEST(Traces, join_calls_that_send_only_what_is_new) {
  const Converted out = convert_text(
      "langfuse", "trace.json",
      R"({"trace":{"id":"t1"},"observations":[)"
      R"({"type":"GENERATION","startTime":"3","input":[{"role":"tool","parts":[{"type":"tool_call_response",)"
      R"("id":"c1","response":"Rain."}]}],"output":[{"role":"assistant","content":"It rains."}]},)"
      R"({"type":"TOOL","name":"running tool: weather","startTime":"2","input":{"city":"Bern"},"output":"Rain."},)"
      R"({"type":"GENERATION","startTime":"1","input":[{"role":"user","content":"Weather?"}],)"
      R"("output":[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"weather",)"
      R"("arguments":{"city":"Bern"}}]}]}]})");
  EXPECT_EQ(out.prepared.totals.entries.tool, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Weather?"},{"type":"tool",)"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"It rains."}])"));
  EXPECT_THAT(out.report, testing::Not(HasSubstr("not_mapped")));
}

TEST(Traces, of_langsmith_may_be_an_answer_of_its_api) {
  const Converted out = convert_recognized(
      "runs.json",
      R"({"runs":[{"id":"r1","trace_id":"t1","run_type":"llm","start_time":"1","prompt_tokens":3,"completion_tokens":4,)"
      R"("extra":{"metadata":{"ls_model_name":"m1"}},"inputs":{"messages":[[{"type":"human","content":"Tea?"}]]},)"
      R"("outputs":{"generations":[[{"text":"Yes.","message":{"type":"ai","content":"Yes."}}]]}}],"cursors":{}})");
  EXPECT_EQ(out.prepared.totals.format, "langsmith");
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"Yes.",)"
                                  R"("metadata":{"model":"m1","inputTokens":3,"outputTokens":4}})"));
}

TEST(Traces, of_a_graph_repeat_the_input_in_the_output) {
  const Converted out = convert_recognized(
      "runs.json",
      R"([{"id":"r1","trace_id":"t1","run_type":"chain","start_time":"1",)"
      R"("inputs":{"messages":[{"role":"user","content":"Now?"}]},)"
      R"("outputs":{"messages":[{"type":"human","content":"Tea?"},{"type":"ai","content":"Yes."},)"
      R"({"type":"human","content":"Now?"},{"type":"ai","content":"Soon."}]}}])");
  EXPECT_EQ(out.prepared.totals.format, "langsmith");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."},)"
                        R"({"role":"tester","content":"Now?"},{"role":"chatbot","content":"Soon."}])"));
}

TEST(Traces, of_langfuse_may_lack_their_observations) {
  const Converted out = convert_recognized(
      "traces.jsonl",
      R"({"id":"t1","timestamp":"2025-05-01T10:00:00Z","name":"chat","userId":null,"sessionId":"s1","bookmarked":false,)"
      R"("input":{"messages":[{"role":"user","content":"Any news?"}]},"output":{"role":"assistant","content":"None."}})"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "langfuse");
  EXPECT_EQ(out.prepared.totals.tests, 0U);
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"t1")"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Any news?"},{"role":"chatbot","content":"None."}])"));
}

TEST(Traces, of_langfuse_may_be_observations) {
  const Converted out = convert_recognized(
      "observations.json",
      R"({"data":[{"id":"o1","traceId":"t1","type":"GENERATION","startTime":"1",)"
      R"("input":[{"role":"user","content":"Any news?"}],"output":{"role":"assistant","content":"None."}},)"
      R"({"id":"o2","traceId":"t2","type":"GENERATION","startTime":"1",)"
      R"("input":[{"role":"user","content":"Tea?"}],"output":{"role":"assistant","content":"Yes."}},)"
      R"({"id":"o3","traceId":"t1","type":"SPAN","startTime":"2","input":null,"output":null}],"meta":{"page":1}})");
  EXPECT_EQ(out.prepared.totals.format, "langfuse");
  EXPECT_EQ(out.prepared.totals.logs, 2U);
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"t2")"));
}

TEST(Traces, recognize_a_chat_file_by_its_header) {
  const Converted out = convert_recognized("a.chat", "user=Ann\nbot=Desk\n\nAnn: Hi\nDesk: Hello\n");
  EXPECT_EQ(out.prepared.totals.format, "botframework");
  EXPECT_EQ(out.prepared.totals.entries.chatbot, 1U);
}

TEST(ChatMessages, take_texts_under_value) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      R"({"messages":[{"role":"user","content":[{"type":"text","value":"hi"}]},)"
      R"({"role":"assistant","content":[{"type":"reasoning","value":"hm"},{"type":"text","value":"Hello."}]}]})"
      "\n");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"hi"},{"role":"chatbot","content":"Hello."}])"));
}

TEST(Traces, know_the_users_of_a_chat_file_and_report_what_is_before_it) {
  const Converted out = convert_text("botframework", "a.chat",
                                     "users=Ann,Ben\nbot=Desk\n\nEve: Oh\nAnn: Hi\nDesk: Hello\nBen: Bye\n");
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello"},)"
                                  R"({"role":"tester","content":"Bye"}])"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"several users")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"line before the first message","text":"Eve: Oh")"));
}

TEST(Traces, know_who_speaks_in_a_transcript) {
  constexpr const char* said = R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello"},)"
                               R"({"role":"tester","content":"Bye"}])";
  const Converted named = convert_recognized(
      "a.transcript",
      R"([{"type":"message","from":{"id":"u1","name":"User"},"conversation":{"id":"c"},"text":"Hi"},)"
      R"({"type":"message","from":{"id":"b1","name":"Bot"},"conversation":{"id":"c"},"text":"Hello"},)"
      R"({"type":"message","from":{"id":"u1"},"conversation":{"id":"c"},"text":"Bye"}])");
  EXPECT_THAT(named.logs, HasSubstr(said));
  const Converted numbered = convert_recognized(
      "b.transcript",
      R"({"activities":[{"type":"message","from":{"id":"","role":1},"conversation":{"id":"c"},"text":"Hi"},)"
      R"({"type":"message","from":{"id":"","role":0},"conversation":{"id":"c"},"text":"Hello"},)"
      R"({"type":"message","from":{"id":"","role":1},"conversation":{"id":"c"},"text":"Bye"}]})");
  EXPECT_THAT(numbered.logs, HasSubstr(said));
}

TEST(Traces, read_transcripts_with_an_activity_on_each_line) {
  const Converted out = convert_recognized(
      "c.jsonl",
      R"({"type":"message","from_property":{"id":"u1","role":"user"},"conversation":{"id":"c"},"text":"Hi"})"
      "\n"
      R"({"type":"message","from_property":{"id":"b1","role":"bot"},"conversation":{"id":"c"},"text":"Hello"})"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "botframework");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello"}])"));
}

TEST(Traces, leave_out_attachments_that_no_message_can_hold) {
  const Converted out = convert_text(
      "botframework", "a.transcript",
      R"([{"type":"message","from":{"role":"bot"},"text":"Look","suggestedActions":{"actions":[1]},"attachments":[")" +
          std::string(120'000, 'x') + R"("]}])");
  EXPECT_TRUE(out.prepared.faults.empty());
  EXPECT_THAT(out.logs, HasSubstr(R"("metadata":{"suggestedActions":{"actions":[1]}}}])"));
  EXPECT_THAT(out.report, HasSubstr("message metadata is limited to 100 KB"));
}

TEST(Traces, take_cards_and_activities_out_of_the_text_of_a_chat_file) {
  const Converted out =
      convert_text("botframework", "a.chat",
                   "user=Ann\nbot=Desk\n\nAnn: Hi\nDesk: Sign in.\n[Signincard=\n  Title=Desk\n]\n"
                   "Ann: [Ping]\nDesk: Watch it.\n[Videocard=\n  Title=Film\n]\n");
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Sign in."},)"
                        R"({"role":"chatbot","content":"Watch it."}])"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"[signincard]")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"[videocard]")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"[ping]")"));
}

TEST(Inspect, reports_a_sample_in_which_no_one_says_anything) {
  const Converted out =
      convert_text("inspect", "a.json", R"({"eval":{"task":"t"},"samples":[{"uuid":"u1","messages":[]}]})");
  EXPECT_EQ(out.prepared.totals.logs, 0U);
  EXPECT_THAT(out.report, HasSubstr(R"("source":"sample","outcome":"not_mapped")"));
  EXPECT_THAT(out.prepared.notes, HasSubstr("a.json: note: nothing could be converted"));
}

TEST(BotFramework, reports_an_event_before_the_first_message_once) {
  const Converted out = convert_text("botframework", "a.chat",
                                     "user=Ann\nbot=Desk\n\n[ConversationUpdate=\nMembersAdded=Desk\n]\n"
                                     "stray\n\nAnn: Hi\nDesk: Hello\n");
  EXPECT_THAT(out.report,
              HasSubstr(R"("at":"a.chat:4:1","kind":"other","log":"a#1","source":"[conversationupdate]")"));
  EXPECT_THAT(
      out.report,
      HasSubstr(R"("at":"a.chat:7:1","kind":"other","log":"a#1","source":"line before the first message")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 2U);
}

}  // namespace
}  // namespace parley::convert
