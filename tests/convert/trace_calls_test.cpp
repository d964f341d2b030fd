// Which model calls of a trace form its conversation, and which tool calls belong to it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/traces/times.hpp"
#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

struct GivenSpan {
  std::string id;
  std::string parent;
  std::string begin;
  std::string attributes;  ///< the members of the object
};

std::string spans_json(const std::vector<GivenSpan>& spans) {
  std::string text = "[";
  for (const GivenSpan& each : spans) {
    text += text.size() > 1 ? "," : "";
    text += R"({"trace_id":"t1","span_id":")" + each.id + R"(","parent_span_id":")" + each.parent +
            R"(","name":"step","start_time":)" + each.begin + R"(,"attributes":{)" + each.attributes + "}}";
  }
  return text + "]";
}

std::string model(const std::string& input, const std::string& output) {
  return R"("gen_ai.input.messages":)" + input + R"(,"gen_ai.output.messages":)" + output;
}

std::string tool(const std::string& name, const std::string& arguments, const std::string& result) {
  return R"("gen_ai.operation.name":"execute_tool","gen_ai.tool.name":")" + name +
         R"(","gen_ai.tool.call.arguments":)" + arguments + R"(,"gen_ai.tool.call.result":)" + result;
}

std::string text_of(const std::string& role, const std::string& text) {
  return R"({"role":")" + role + R"(","content":")" + text + R"("})";
}

TEST(Times, are_read_in_every_spelling) {
  const std::string nanoseconds = "1769864400500000000";
  for (const std::string text :
       {"2026-01-31T13:00:00.5Z", "2026-01-31 13:00:00.500", "2026-01-31T13:00:00.500000000+00:00",
        "2026-01-31T14:30:00.5+01:30", "2026-01-31T10:00:00.5-0300", "1769864400500", "1769864400500000"}) {
    EXPECT_EQ(time_of(text), nanoseconds) << text;
  }
  for (const std::string text : {"", "1769864400500000000", "2026-02-30T13:00:00Z", "2026-01-31T13:00:00X",
                                 "2026-01-31", "20260131T130000000000Z3f"}) {
    EXPECT_EQ(time_of(text), text);
  }
  EXPECT_EQ(milliseconds_between(nanoseconds, time_of("2026-01-31T13:00:02Z")), 1500.0);
  EXPECT_EQ(milliseconds_between(time_of("2026-01-31T13:00:02Z"), nanoseconds), std::nullopt);
}

TEST(Traces, know_how_long_a_tool_took_from_dates_and_pairs) {
  for (const auto& [begin, end] : {std::pair(R"("2026-01-31T13:00:00Z")", R"("2026-01-31T13:00:01.25Z")"),
                                   std::pair("[1769864400, 5000000]", "[1769864401, 255000000]")}) {
    const Converted out = convert_text(
        "otel", "spans.json",
        std::string(
            R"([{"spanContext":{"traceId":"t1","spanId":"s1"},"name":"execute_tool dice","startTime":)") +
            begin + R"(,"endTime":)" + end + R"(,"attributes":{)" + tool("dice", R"({"sides":6})", "4") +
            "}}]");
    EXPECT_THAT(out.logs, HasSubstr(R"("responseTime":1250)"));
  }
}

TEST(Traces, recognize_spans_of_javascript) {
  const Converted out = convert_recognized(
      "spans.json", R"([{"name":"chat","spanContext":{"traceId":"t1","spanId":"s1"},"attributes":{)" +
                        model("[" + text_of("user", "Hi") + "]", "[" + text_of("assistant", "Hello") + "]") +
                        "}}]");
  EXPECT_EQ(out.prepared.totals.format, "otel");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"t1")"));
}

/// As in the data frames and the API of Phoenix.
TEST(Traces, have_attributes_in_columns_or_nested) {
  for (
      const std::string span :
      {R"({"name":"llm","context.trace_id":"t1","context.span_id":"s1","attributes.llm.model_name":"m","attributes.x":null,)"
       R"("attributes.llm.input_messages":[{"message.role":"user","message.content":"Hi"}],)"
       R"("attributes.llm.output_messages":[{"message.role":"assistant","message.content":"Hello"}]})",
       R"({"name":"llm","context":{"trace_id":"t1","span_id":"s1"},"attributes":{"llm":{"model_name":"m",)"
       R"("input_messages":[{"message":{"role":"user","content":"Hi"}}],)"
       R"("output_messages":[{"message":{"role":"assistant","content":"Hello"}}]}}})"}) {
    const Converted out = convert_recognized("spans.jsonl", span + "\n");
    EXPECT_EQ(out.prepared.totals.format, "otel") << span;
    EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"t1")")) << span;
    EXPECT_THAT(out.logs,
                HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello",)"
                          R"("metadata":{"model":"m"}}])"))
        << span;
  }
}

TEST(Traces, keep_the_conversation_with_the_user_and_not_that_of_a_tool) {
  const std::string asked = text_of("user", "What is the sum?");
  const Converted out = convert_text(
      "otel", "spans.json",
      spans_json({{"s1", "", "1",
                   model("[" + asked + "]", R"([{"role":"assistant","tool_calls":[{"id":"c1",)"
                                            R"("name":"ask_math","arguments":{}}]}])")},
                  {"s2", "", "2", tool("ask_math", "{}", R"("4")")},
                  {"s3", "s2", "3", R"("openinference.span.kind":"CHAIN")"},
                  {"s4", "s3", "4",
                   model("[" + text_of("system", "You add.") + "," + text_of("user", "2+2") + "," +
                             text_of("assistant", "I add.") + "," + text_of("user", "Go on.") + "]",
                         "[" + text_of("assistant", "It is 4.") + "]")}}));
  EXPECT_EQ(out.prepared.totals.entries.tester, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"What is the sum?"},)"));
  EXPECT_THAT(out.logs, Not(HasSubstr("You add.")));
}

/// An agent's exporter may give its later calls the wrong parent.
TEST(Traces, keep_calls_inside_tools_that_go_on_with_the_conversation) {
  const std::string asked = text_of("user", "What is the sum?");
  const Converted out = convert_text(
      "otel", "spans.json",
      spans_json({{"s1", "", "1",
                   model("[" + asked + "]", R"([{"role":"assistant","tool_calls":[{"id":"c1",)"
                                            R"("name":"add","arguments":{}}]}])")},
                  {"s2", "", "2", tool("add", "{}", "4")},
                  {"s3", "s2", "3",
                   model("[" + asked +
                             R"(,{"role":"assistant","tool_calls":[{"id":"c1","name":"add",)"
                             R"("arguments":{}}]},{"role":"tool","tool_call_id":"c1","content":"4"}])",
                         "[" + text_of("assistant", "It is 4.") + "]")}}));
  EXPECT_THAT(out.logs, HasSubstr("It is 4."));
  EXPECT_EQ(out.prepared.totals.entries.tool, 1U);
}

TEST(Traces, join_calls_that_repeat_the_answer_before_the_results) {
  const std::string call =
      R"({"role":"assistant","parts":[{"type":"tool_call","id":["r","c"],"name":"dice","arguments":{}}]})";
  const Converted out = convert_text(
      "otel", "spans.json",
      spans_json({{"s1", "", "1", model("[" + text_of("user", "Roll") + "]", "[" + call + "]")},
                  {"s2", "", "2",
                   model("[" + call +
                             R"(,{"role":"tool","parts":[{"type":"tool_call_response","id":["r","c"],)"
                             R"("response":"6"}]}])",
                         "[" + text_of("assistant", "A six.") + "]")}}));
  EXPECT_THAT(
      out.logs,
      HasSubstr(R"([{"role":"tester","content":"Roll"},{"type":"tool","role":"chatbot","name":"dice",)"
                R"("metadata":{"arguments":{},"result":"6"}},{"role":"chatbot","content":"A six."}])"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
}

TEST(Traces, of_calls_alike_keep_one_that_begins_as_the_others) {
  const std::string asked = "[" + text_of("user", "How cold is it?") + "]";
  const Converted out = convert_text(
      "otel", "spans.json",
      spans_json({{"s1", "", "1", model(asked, "[" + text_of("assistant", "Let me see.") + "]")},
                  {"s2", "", "2", model(asked, "[" + text_of("assistant", "Five degrees.") + "]")},
                  {"s3", "", "3",
                   model("[" + text_of("user", "edge") + "]", "[" + text_of("assistant", "end") + "]")}}));
  EXPECT_THAT(out.logs, HasSubstr("Five degrees."));
}

TEST(Traces, give_results_to_the_calls_with_the_same_arguments) {
  const std::string call = R"({"name":"weather","arguments":{"city":)";
  const Converted out =
      convert_text("otel", "spans.json",
                   spans_json({{"s1", "", "1",
                                model("[" + text_of("user", "Rome or Oslo?") + "]",
                                      R"([{"role":"assistant","tool_calls":[)" + call + R"("Rome"}},)" +
                                          call + R"("Oslo"}}]}])")},
                               {"s2", "", "2", tool("weather", R"({"city":"Oslo"})", R"("snow")")},
                               {"s3", "", "3", tool("weather", R"({"city":"Rome"})", R"("sun")")}}));
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"city":"Rome"},"result":"sun"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"city":"Oslo"},"result":"snow"})"));
}

/// Most exporters write a span when it ends, and an API may return the newest first.
TEST(Langfuse, has_the_calls_of_tools_as_they_began) {
  const auto observation = [](const std::string& second, const std::string& result) {
    return R"({"id":"o)" + second +
           R"(","traceId":"t1","type":"TOOL","name":"roll","startTime":"2026-01-31T13:00:0)" + second +
           R"(Z","input":{},"output":")" + result + R"("})";
  };
  const Converted out = convert_text("langfuse", "trace.json",
                                     R"({"trace":{"id":"t1","input":"Roll twice"},"observations":[)" +
                                         observation("2.5", "six") + "," + observation("1", "five") + "]}");
  EXPECT_LT(out.logs.find("five"), out.logs.find("six"));
}

}  // namespace
}  // namespace parley::convert
