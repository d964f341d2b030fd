#include "convert/traces/pushed_traces.hpp"

#include <gtest/gtest.h>

#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

std::string attribute(const std::string& key, const std::string& value) {
  std::string quoted;
  json::append_quoted(quoted, value);
  return R"({"key":")" + key + R"(","value":{"stringValue":)" + quoted + "}}";
}

std::string span(const std::string& trace, const std::string& attributes, const std::string& more = {}) {
  return R"({"traceId":")" + trace +
         R"(","spanId":"01","name":"chat","startTimeUnixNano":"1","attributes":[)" + attributes + "]" + more +
         "}";
}

std::string request(const std::string& spans) {
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + spans + "]}]}]}";
}

// The four generations of the conventions express the same conversation.
TEST(PushedTraces, read_all_generations_alike) {
  const std::string newest = span(
      "t1",
      attribute("gen_ai.input.messages", R"([{"role":"user","parts":[{"type":"text","content":"hi"}]}])") +
          "," +
          attribute("gen_ai.output.messages",
                    R"([{"role":"assistant","parts":[{"type":"text","content":"hello"}]}])"));
  const std::string events =
      span("t1", attribute("gen_ai.operation.name", "chat"),
           R"(,"events":[{"name":"gen_ai.user.message","attributes":[)" + attribute("content", "hi") +
               R"(]},{"name":"gen_ai.choice","attributes":[)" +
               attribute("message", R"({"role":"assistant","content":"hello"})") + "]}]");
  const std::string openllmetry = span("t1", attribute("gen_ai.prompt.0.role", "user") + "," +
                                                 attribute("gen_ai.prompt.0.content", "hi") + "," +
                                                 attribute("gen_ai.completion.0.role", "assistant") + "," +
                                                 attribute("gen_ai.completion.0.content", "hello"));
  const std::string openinference =
      span("t1", attribute("llm.input_messages.0.message.role", "user") + "," +
                     attribute("llm.input_messages.0.message.content", "hi") + "," +
                     attribute("llm.output_messages.0.message.role", "assistant") + "," +
                     attribute("llm.output_messages.0.message.content", "hello"));
  for (const std::string& each : {newest, events, openllmetry, openinference}) {
    const PushedTraces pushed = read_pushed_traces(request(each));
    EXPECT_EQ(pushed.fault, "");
    ASSERT_EQ(pushed.logs.size(), 1U) << each;
    EXPECT_EQ(pushed.logs[0].line,
              R"({"externalId":"t1","externalSource":"otel","description":"OpenTelemetry trace",)"
              R"("conversation":[{"role":"tester","content":"hi"},{"role":"chatbot","content":"hello"}]})")
        << each;
  }
}

TEST(PushedTraces, keep_the_traces_of_a_conversation_apart_under_its_id) {
  const auto turn = [](const std::string& trace, const std::string& said) {
    return span(trace, attribute("gen_ai.conversation.id", "talk") + "," +
                           attribute("gen_ai.prompt.0.role", "user") + "," +
                           attribute("gen_ai.prompt.0.content", said));
  };
  const PushedTraces pushed = read_pushed_traces(request(turn("t1", "one") + "," + turn("t2", "two")));
  ASSERT_EQ(pushed.logs.size(), 2U);
  EXPECT_EQ(pushed.logs[0].conversation, "talk");
  EXPECT_EQ(pushed.logs[1].conversation, "talk");
  EXPECT_NE(pushed.logs[0].trace, pushed.logs[1].trace);
}

TEST(PushedTraces, count_spans_without_content_and_ignore_other_ones) {
  const PushedTraces pushed = read_pushed_traces(request(span("t1", attribute("gen_ai.request.model", "m")) +
                                                         "," + span("t2", attribute("http.route", "/"))));
  EXPECT_EQ(pushed.spans, 2U);
  EXPECT_EQ(pushed.without_content, 1U);
  EXPECT_TRUE(pushed.logs.empty());
}

TEST(PushedTraces, refuse_other_documents) {
  EXPECT_EQ(read_pushed_traces("{}").fault, "");
  for (const std::string bad : {"", "[]", "7", "{\"spans\": []}", "{", "\xff", "{\"resourceSpans\": [}"})
    EXPECT_NE(read_pushed_traces(bad).fault, "") << bad;
  EXPECT_NE(read_pushed_traces(request(std::string(pushed_values_max + 1, ','))).fault, "");
}

}  // namespace
}  // namespace parley::convert
