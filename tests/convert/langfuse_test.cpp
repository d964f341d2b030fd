#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Langfuse, splits_an_input_that_labels_its_messages) {
  const Converted out = convert_text("langfuse", "a.json", R"json({"trace":{"id":"t1"},"observations":[
    {"id":"o1","type":"GENERATION","startTime":"2025-06-06T10:00:00Z",
     "input":"system: You help.\nuser: Say hi\nto all","output":"Hello!"}]})json");
  EXPECT_THAT(out.logs, HasSubstr(R"("content":"Say hi\nto all")"));
  EXPECT_THAT(out.logs, Not(HasSubstr("system: You help.")));
  EXPECT_THAT(out.logs, HasSubstr("Hello!"));
}

TEST(Langfuse, adds_the_answer_of_a_trace_once) {
  const Converted out = convert_text(
      "langfuse", "a.json", R"json({"trace":{"id":"t1","output":"\"{'role': 'assistant', 'text': 'Yo'}\""},
    "observations":[
    {"id":"o1","type":"GENERATION","startTime":"2025-06-06T10:00:00Z","input":"hi"},
    {"id":"o2","type":"GENERATION","startTime":"2025-06-06T10:00:01Z","input":null},
    {"id":"o3","type":"GENERATION","startTime":"2025-06-06T10:00:02Z","input":null}]})json");
  EXPECT_EQ(out.prepared.totals.entries.tester, 1U);
  EXPECT_EQ(out.prepared.totals.entries.chatbot, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"("content":"Yo")"));
}

TEST(Langfuse, reads_an_input_that_is_encoded_twice) {
  const Converted out = convert_text("langfuse", "a.json", R"json({"trace":{"id":"t1",
    "input":"\"{\\\"messages\\\": [{\\\"role\\\": \\\"user\\\", \\\"content\\\": \\\"Hi\\\"}]}\""},
    "observations":[{"id":"o1","type":"GENERATION","startTime":"2025-06-06T10:00:00Z","output":"Hello!",
     "input":[{"role":"user","content":"Be helpful!"},{"role":"user","content":"Hi"}]}]})json");
  EXPECT_EQ(out.prepared.totals.entries.tester, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"("content":"Hi")"));
}

}  // namespace
}  // namespace parley::convert
