// What is read from single spans: values of OpenInference, choices, decorated tools, errors and evaluations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

/// `more` are further members of the span.
std::string step(const std::string& id, const std::string& parent, const std::string& attributes,
                 const std::string& more = {}) {
  return R"({"trace_id":"t1","span_id":")" + id + R"(","parent_id":")" + parent +
         R"(","name":"step","start_time":)" + id + R"(,"attributes":{)" + attributes + "}" + more + "}\n";
}

constexpr const char* answered =
    R"("gen_ai.input.messages":[{"role":"user","content":"Q"}],"gen_ai.output.messages":[{"role":"assistant","content":"A"}])";

TEST(Traces, have_the_values_of_the_root_if_no_span_has_messages) {
  const Converted out = convert_text(
      "otel", "spans.jsonl",
      step("1", "",
           R"("openinference.span.kind":"CHAIN","input.value":"{\"question\":\"Rome?\"}",)"
           R"("output.value":"{\"answer\":\"Booked.\"}")") +
          step("2", "1",
               R"("openinference.span.kind":"CHAIN","input.value":"Answer: Rome?","output.value":"x")") +
          step("3", "1",
               R"("openinference.span.kind":"TOOL","tool.name":"book","tool.parameters":"{}",)"
               R"("output.value":"ok")"));
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Rome?"},{"type":"tool",)"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"Booked."}])"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
}

TEST(Traces, prefer_messages_to_the_values_of_the_root) {
  const Converted out =
      convert_text("otel", "spans.jsonl",
                   step("1", "",
                        R"("openinference.span.kind":"CHAIN","input.value":"{\"question\":\"Rome?\"}",)"
                        R"("output.value":"Done")") +
                       step("2", "1", answered));
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Q"},{"role":"chatbot","content":"A"}])"));
}

TEST(Traces, keep_the_first_choice) {
  constexpr const char* asked = R"("gen_ai.input.messages":[{"role":"user","content":"Q"}],)";
  for (const std::string output :
       {R"("gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"text","content":"A1"}]},)"
        R"({"role":"assistant","parts":[{"type":"text","content":"A2"}]}])",
        R"("gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"A1",)"
        R"("gen_ai.completion.1.role":"assistant","gen_ai.completion.1.content":"A2")"}) {
    const Converted out = convert_text("otel", "spans.jsonl", step("1", "", asked + output));
    EXPECT_THAT(out.logs,
                HasSubstr(R"([{"role":"tester","content":"Q"},{"role":"chatbot","content":"A1"}])"));
    EXPECT_THAT(out.report, HasSubstr(R"("source":"choice")")) << output;
  }
}

TEST(Traces, have_the_calls_of_the_former_api) {
  const Converted out = convert_text(
      "otel", "spans.jsonl",
      step("1", "",
           R"("llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"Q",)"
           R"("llm.output_messages.0.message.role":"assistant",)"
           R"("llm.output_messages.0.message.function_call_name":"f",)"
           R"("llm.output_messages.0.message.function_call_arguments_json":"{\"a\":1}")"));
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"f","metadata":{"arguments":{"a":1}})"));
}

TEST(Traces, have_the_tools_that_openllmetry_decorates) {
  const Converted out =
      convert_text("otel", "spans.jsonl",
                   step("1", "",
                        R"("traceloop.span.kind":"tool","traceloop.entity.name":"lookup",)"
                        R"("traceloop.entity.input":"{\"args\": [], \"kwargs\": {\"k\": 1}}",)"
                        R"("traceloop.entity.output":"\"res\"")") +
                       step("2", "", answered));
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"lookup","metadata":{"arguments":{"k":1},"result":"res"})"));
}

TEST(Traces, know_that_a_tool_failed) {
  constexpr const char* call = R"("gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f")";
  for (const auto& [attributes, status, error] :
       {std::tuple("", R"(,"status":{"status_code":"ERROR","description":"no seat"})", "no seat"),
        std::tuple("", R"(,"status":{"code":2,"message":"no seat"})", "no seat"),
        std::tuple(R"(,"otel.status_code":"ERROR","otel.status_description":"no seat")", "", "no seat"),
        std::tuple(R"(,"error":true)", "", "error"),
        std::tuple(R"(,"error.type":"timeout")", R"(,"status":{"status_code":"ERROR"})", "timeout")}) {
    const Converted out =
        convert_text("otel", "spans.jsonl",
                     step("1", "", std::string(call) + attributes, status) + step("2", "", answered));
    EXPECT_THAT(out.logs, HasSubstr(R"("error":")" + std::string(error) + "\"")) << attributes << status;
  }
}

TEST(Traces, report_errors_of_models_and_evaluations) {
  const Converted out = convert_text(
      "otel", "spans.jsonl",
      step(
          "1", "", answered,
          R"(,"status":{"status_code":"ERROR","description":"429"},"events":[{"name":"gen_ai.evaluation.result",)"
          R"("attributes":{"gen_ai.evaluation.name":"rel","gen_ai.evaluation.score.value":0.3}}])"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"status","text":"429","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"gen_ai.evaluation.result","text":"rel 0.3")"));
}

TEST(Langfuse, reports_what_a_log_cannot_hold) {
  const Converted out = convert_text(
      "langfuse", "a.json",
      R"({"trace":{"id":"t1","metadata":{"a":1},"tags":["x"],"scores":[{"name":"quality","value":0.9}]},"observations":[)"
      R"({"type":"GENERATION","level":"ERROR","statusMessage":"429","input":[{"role":"user","content":"Q"}]},)"
      R"({"type":"TOOL","name":"f","level":"ERROR","input":{}}]})");
  EXPECT_THAT(out.logs, HasSubstr(R"("error":"error")"));
  for (const std::string lost :
       {R"("source":"metadata","text":"{\"a\":1}")", R"("source":"tags")",
        R"("source":"score","text":"quality: 0.9")", R"("source":"level","text":"429")"})
    EXPECT_THAT(out.report, HasSubstr(lost));
  const Converted table =
      convert_recognized("traces.csv",
                         "id,timestamp,sessionId,bookmarked,input,output,metadata,quality\n"
                         "t1,2026-01-31,s,false,Any news?,None.,{},0.9\n");
  EXPECT_THAT(table.report, HasSubstr(R"("source":"quality","text":"0.9","outcome":"not_mapped")"));
  EXPECT_THAT(table.report, Not(HasSubstr(R"("source":"metadata")")));
}

TEST(Langsmith, reports_what_a_log_cannot_hold) {
  const Converted out = convert_text(
      "langsmith", "runs.json",
      R"([{"id":"r1","run_type":"llm","start_time":"1","inputs":{"messages":[{"role":"user","content":"Q"}]},)"
      R"("outputs":null,"error":"RateLimitError","tags":["a"],"feedback_stats":{"ok":{"n":1}}}])");
  for (const std::string lost :
       {R"("source":"error","text":"RateLimitError")", R"("source":"tags")", R"("source":"feedback_stats")"})
    EXPECT_THAT(out.report, HasSubstr(lost));
}

}  // namespace
}  // namespace parley::convert
