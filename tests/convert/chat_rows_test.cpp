#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

constexpr const char* tea =
    R"("conversation":[{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."},)"
    R"({"role":"tester","content":"Now?"},{"role":"chatbot","content":"Soon."}])";

/// Each row contains the same two exchanges.
TEST(ChatRows, read_a_conversation_in_each_of_its_shapes) {
  constexpr std::array rows{
      R"({"conversation":[{"human":"Tea?","assistant":"Yes."},{"human":"Now?","assistant":"Soon."}]})",
      R"({"conversations":[["Tea?","Yes."],["Now?","Soon."]]})",
      R"({"conversations":["Tea?","Yes.","Now?","Soon."]})",
      R"({"conversations":[{"role":"user","content":"Tea?"},{"role":"assistant","content":"Yes."},)"
      R"({"role":"user","content":"Now?"},{"role":"assistant","content":"Soon."}]})",
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"Tea?"}]},)"
      R"({"role":"assistant","content":[{"type":"text","text":"Yes."}]},)"
      R"({"role":"user","content":"Now?"},{"role":"assistant","content":"Soon."}]})",
      R"({"query":"Now?","response":"Soon.","history":[["Tea?","Yes."]]})",
      R"([{"role":"user","content":"Tea?"},{"role":"assistant","content":"Yes."},)"
      R"({"role":"user","content":"Now?"},{"role":"assistant","content":"Soon."}])",
      R"({"role":"user","content":"Tea?"})"
      "\n"
      R"({"role":"assistant","content":"Yes."})"
      "\n"
      R"({"role":"user","content":"Now?"})"
      "\n"
      R"({"role":"assistant","content":"Soon."})",
      R"({"prompt":[{"role":"user","content":"Tea?"},{"role":"assistant","content":"Yes."},)"
      R"({"role":"user","content":"Now?"}],"completion":[{"role":"assistant","content":"Soon."}]})",
  };
  for (const char* row : rows) {
    const Converted out = convert_recognized("a.jsonl", std::string(row) + "\n");
    EXPECT_EQ(out.prepared.totals.format, "openai-jsonl") << row;
    EXPECT_THAT(out.logs, HasSubstr(tea)) << row;
    EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U) << row;
  }
}

TEST(ChatRows, may_be_a_question_with_its_answer_under_any_usual_names) {
  for (const auto& [user, assistant] : {std::pair("prompt", "response"), std::pair("input", "output"),
                                        std::pair("user", "assistant"), std::pair("question", "answer"),
                                        std::pair("query", "answer"), std::pair("instruction", "response")}) {
    const Converted out =
        convert_text("openai-jsonl", "a.jsonl",
                     std::string("{\"") + user + R"(":"Tea?",")" + assistant + "\":\"Yes.\"}\n");
    EXPECT_THAT(out.logs,
                HasSubstr(R"([{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."}])"));
    EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U) << user;
  }
}

TEST(ChatRows, may_be_stored_calls_of_a_model) {
  const std::string asked = R"([{"role":"user","content":"Tea?"}])";
  const std::string choices = R"([{"message":{"role":"assistant","content":"Yes."}}])";
  for (
      const std::string& row :
      {R"({"messages":)" + asked + R"(,"choices":)" + choices + "}",
       R"({"request":{"model":"m","messages":)" + asked + R"(},"response":{"choices":)" + choices + "}}",
       R"({"custom_id":"c","body":{"messages":)" + asked + R"(},"response":{"body":{"choices":)" + choices +
           "}}}",
       std::string(
           R"({"request":{"input":"Tea?"},"response":{"role":"assistant","content":[{"type":"text","text":"Yes."}]}})"),
       R"({"id":"r","input":)" + asked +
           R"(,"output":[{"type":"message","role":"assistant","content":[{"type":"output_text",)"
           R"("text":"Yes."}]}]})"}) {
    const Converted out = convert_recognized("a.jsonl", row + "\n");
    EXPECT_EQ(out.prepared.totals.format, "openai-jsonl") << row;
    EXPECT_THAT(
        out.logs,
        HasSubstr(
            R"("conversation":[{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."}])"))
        << row;
    EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U) << row;
  }
  const Converted instructed = convert_text(
      "openai-jsonl", "a.jsonl",
      R"({"instructions":"Be kind.","input":"Tea?","output":[{"type":"function_call","name":"boil","arguments":"{}"}]})"
      "\n");
  EXPECT_THAT(instructed.logs, HasSubstr(R"("system":"Be kind.")"));
  EXPECT_EQ(instructed.prepared.totals.entries.tool, 1U);
}

TEST(ChatRows, may_have_only_one_side) {
  for (const std::string row : {R"({"query":"Tea?"})", R"({"prompt":[{"role":"user","content":"Tea?"}]})"}) {
    const Converted out = convert_text("openai-jsonl", "a.jsonl", row + "\n");
    EXPECT_THAT(out.logs, HasSubstr(R"("conversation":[{"role":"tester","content":"Tea?"}])")) << row;
  }
}

TEST(ChatRows, may_be_lists_of_messages) {
  const std::string list = R"([{"role":"user","content":"Tea?"},{"role":"assistant","content":"Yes."}])";
  for (const auto& [path, text] : {std::pair("a.jsonl", list + "\n" + list + "\n"),
                                   std::pair("a.json", "[" + list + "," + list + "]")}) {
    const Converted out = convert_recognized(path, text);
    EXPECT_EQ(out.prepared.totals.format, "openai-jsonl") << path;
    EXPECT_EQ(out.prepared.totals.logs, 2U) << path;
  }
}

TEST(ChatRows, may_have_the_contents_of_gemini) {
  const Converted out = convert_recognized(
      "a.jsonl",
      R"({"systemInstruction":{"parts":[{"text":"Be kind."}]},"contents":[{"role":"user","parts":[{"text":"Tea?"}]},)"
      R"({"role":"model","parts":[{"functionCall":{"name":"find","args":{"q":1}}}]},)"
      R"({"role":"user","parts":[{"functionResponse":{"name":"find","response":{"n":2}}}]},)"
      R"({"role":"model","parts":[{"text":"Yes."}]}]})"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "openai-jsonl");
  EXPECT_THAT(out.logs, HasSubstr(R"("system":"Be kind.")"));
  EXPECT_THAT(
      out.logs,
      HasSubstr(
          R"([{"role":"tester","content":"Tea?"},)"
          R"({"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":{"q":1},"result":{"n":2}}},)"
          R"({"role":"chatbot","content":"Yes."}])"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(ChatRows, do_not_mix_messages_with_conversations) {
  EXPECT_THAT(convert_text("openai-jsonl", "a.jsonl",
                           R"({"role":"user","content":"Tea?"})"
                           "\n"
                           R"({"messages":[{"role":"user","content":"Tea?"}]})"
                           "\n")
                  .prepared.faults,
              HasSubstr(R"(a.jsonl:1:1: error: the row has no "messages", "conversation" or "query")"));
}

TEST(ChatRows, end_with_the_answer_that_was_chosen) {
  constexpr std::array rows{
      R"({"conversations":[{"role":"user","content":"Tea?"}],"chosen":[{"role":"assistant","content":"Yes."}],"rejected":[]})",
      R"({"messages":[{"role":"user","content":"Tea?"}],"chosen":{"role":"assistant","content":"Yes."},"rejected":{}})",
      R"({"prompt":"Tea?","chosen":"Yes.","rejected":"No."})",
      R"({"question":"Tea?","chosen":"Yes.","rejected":"No."})",
      R"({"prompt":"Tea?","chosen":[{"role":"user","content":"Tea?"},{"role":"assistant","content":"Yes."}],"rejected":[]})",
      R"({"chosen":"\n\nHuman: Tea?\n\nAssistant: Yes.","rejected":"\n\nHuman: Tea?\n\nAssistant: No."})",
      R"({"instruction":"Tea?","input":"","chosen":"Yes.","rejected":"No."})",
      R"({"input":{"messages":[{"role":"user","content":"Tea?"}]},"preferred_output":[{"role":"assistant","content":"Yes."}]})",
      R"({"prompt":"Tea?","completion":"Yes.","label":true})",
  };
  for (const char* row : rows) {
    const Converted out = convert_recognized("a.jsonl", std::string(row) + "\n");
    EXPECT_THAT(out.logs,
                HasSubstr(R"([{"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."}])"))
        << row;
  }
}

TEST(ChatRows, join_an_instruction_with_its_input_after_the_history) {
  const Converted out = convert_text(
      "openai-jsonl", "a.json",
      R"([{"instruction":"Translate it.","input":"Tag","output":"day","system":"Be brief.","history":[["Hi","Hello."]]}])");
  EXPECT_THAT(out.logs, HasSubstr(R"("metadata":{"system":"Be brief."})"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello."},)"
                        R"({"role":"tester","content":"Translate it.\nTag"},)"
                        R"({"role":"chatbot","content":"day"}])"));
}

TEST(ChatRows, report_what_a_pair_has_besides_its_texts) {
  const Converted out = convert_recognized(
      "a.jsonl", R"({"conversation":[{"system":"Be kind.","human":"Tea?","assistant":"Yes.","score":3}]})"
                 "\n");
  EXPECT_THAT(out.logs, HasSubstr(R"("system":"Be kind.")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"score","text":"3","outcome":"not_mapped")"));
}

TEST(ChatRows, refuse_a_file_in_which_no_one_says_anything) {
  constexpr std::array files{R"({"messages":[]})", R"({"messages":[{"role":"customer","content":"Tea?"}]})",
                             R"({"conversation":[{"speaker":"A","line":"Tea?"}]})"};
  for (const char* file : files) {
    EXPECT_THAT(convert_text("openai-jsonl", "a.jsonl", file).prepared.faults,
                HasSubstr("a.jsonl:1:1: error: no row has a message of a user or an assistant"))
        << file;
  }
}

}  // namespace
}  // namespace parley::convert
