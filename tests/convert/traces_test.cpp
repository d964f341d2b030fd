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

}  // namespace
}  // namespace parley::convert
