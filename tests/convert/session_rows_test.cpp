// Sessions of coding agents: one event per row.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* conversation =
    R"("conversation":[{"role":"tester","content":"List the files"},{"role":"chatbot","content":"I look."},)"
    R"({"type":"tool","role":"chatbot","name":"ls","metadata":{"arguments":{"path":"."},"id":"c1","result":"a b"}},)"
    R"({"role":"chatbot","content":"There are two."}])";

TEST(SessionRows, of_claude_code_are_one_conversation) {
  const std::string text =
      R"({"type":"progress","data":{},"uuid":"u0","parentUuid":null,"sessionId":"s1"})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"<note>"},"isMeta":true,"sessionId":"s1"})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"List the files"},"isSidechain":false,"sessionId":"s1"})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I look."}]},"sessionId":"s1"})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ls",)"
      R"("input":{"path":"."}}]},"sessionId":"s1"})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"Inner"},"isSidechain":true,"sessionId":"s1"})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a b"}]},)"
      R"("sessionId":"s1"})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":"There are two."},"sessionId":"s1"})"
      "\n";
  const Converted out = convert_recognized("session.jsonl", text);
  EXPECT_EQ(out.prepared.totals.format, "openai-jsonl");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"s1")"));
  EXPECT_THAT(out.logs, HasSubstr(conversation));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"progress")"));
  EXPECT_THAT(out.report, Not(HasSubstr("not_mapped")));
  EXPECT_EQ(out.prepared.report.count(Outcome::ignored), 3U);
}

TEST(SessionRows, of_codex_have_their_events_in_payloads) {
  const auto row = [](const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-01-31T13:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
  };
  const Converted out = convert_recognized(
      "rollout.jsonl",
      row("session_meta", R"({"id":"s2"})") +
          row("response_item",
              R"({"type":"message","role":"user","content":[{"type":"input_text","text":"List the files"}]})") +
          row("event_msg", R"({"type":"user_message","message":"List the files"})") +
          row("response_item",
              R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]})") +
          row("response_item",
              R"({"type":"custom_tool_call","call_id":"c1","name":"ls","input":"{\"path\":\".\"}"})") +
          row("response_item", R"({"type":"custom_tool_call_output","call_id":"c1","output":"a b"})") +
          row("response_item",
              R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"There are two."}]})"));
  EXPECT_EQ(out.prepared.totals.format, "openai-jsonl");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"s2")"));
  EXPECT_THAT(out.logs, HasSubstr(conversation));
  EXPECT_EQ(out.prepared.report.count(Outcome::ignored), 2U);
}

/// The rows as the command line of an agent prints them.
TEST(SessionRows, need_not_all_name_the_session) {
  const Converted out = convert_recognized(
      "stream.jsonl",
      R"({"type":"system","subtype":"init","session_id":"s3"})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"Hi"}})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":"Hello"},"session_id":"s3"})"
      "\n"
      R"({"type":"result","is_error":false})"
      "\n");
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"s3")"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello"}])"));
  EXPECT_EQ(out.prepared.report.count(Outcome::ignored), 2U);
}

TEST(SingleMessages, are_conversations_by_the_ids_that_they_name) {
  const auto row = [](const std::string& id, const std::string& role, const std::string& text) {
    return R"({"id":"m","conversation_id":")" + id + R"(","role":")" + role + R"(","content":")" + text +
           "\"}\n";
  };
  const Converted out = convert_text("openai-jsonl", "messages.jsonl",
                                     row("a", "user", "Hi") + row("b", "user", "Tea?") +
                                         row("a", "assistant", "Hello") + row("b", "assistant", "Yes."));
  EXPECT_EQ(out.prepared.totals.logs, 2U);
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"a")"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."}])"));
}

TEST(SessionRows, do_not_take_rows_with_conversations_of_their_own) {
  const Converted out =
      convert_text("openai-jsonl", "rows.jsonl",
                   R"({"type":"chat","sessionId":"s1","query":"Any news?","response":"None."})"
                   "\n"
                   R"({"type":"chat","sessionId":"s2","query":"And now?","response":"Rain."})"
                   "\n");
  EXPECT_EQ(out.prepared.totals.logs, 2U);
}

}  // namespace
}  // namespace parley::convert
