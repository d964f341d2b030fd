#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* check = R"(- contains: {"value": "Ada", "scope": "turn:0"})";

TEST(DatasetRows, become_tests_in_each_shape_of_input_and_output) {
  constexpr std::array rows{
      R"({"inputs":{"question":"Who?"},"outputs":{"answer":"Ada"}})",
      R"({"inputs":{"input":"Who?"},"outputs":{"output":"Ada"}})",
      R"({"inputs":{"topic":"Who?"},"outputs":{"label":"Ada"}})",
      R"({"inputs":{"messages":[{"role":"user","content":"Who?"}]},"outputs":{"messages":[{"role":"assistant","content":"Ada"}]}})",
      R"({"inputs":{"messages":[{"type":"human","content":"Who?"}]},"outputs":{"output":{"type":"ai","content":"Ada"}}})",
      R"({"inputs":{"input":[{"type":"human","data":{"content":"Who?"}}]},"outputs":{"output":{"type":"ai","data":{"content":"Ada"}}}})",
      R"({"inputs":{"question":"Who?"},"reference_outputs":{"expected":"Ada"},"outputs":{"answer":"Bob"}})",
      R"({"inputs":{"question":"Who?"},"expectations":{"expected_response":"Ada"}})",
      R"({"examples":[{"inputs":{"question":"Who?"},"outputs":{"answer":"Ada"}}]})",
  };
  for (const char* row : rows) {
    const Converted out = convert_recognized("a.jsonl", std::string(row) + "\n");
    EXPECT_EQ(out.prepared.totals.format, "langsmith") << row;
    EXPECT_THAT(out.suite, HasSubstr("say: \"Who?\"")) << row;
    EXPECT_THAT(out.suite, HasSubstr(check)) << row;
    EXPECT_EQ(out.prepared.totals.disabled, 0U) << row;
  }
}

TEST(DatasetRows, read_the_items_of_langfuse) {
  constexpr std::array files{
      R"([{"id":"1","input":{"question":"Who?"},"expectedOutput":{"answer":"Ada"},"status":"ACTIVE"}])",
      R"([{"id":"1","input":"Who?","expectedOutput":"Ada"}])",
      R"([{"id":"1","datasetId":"d","input":"\"Who?\"","expectedOutput":"\"Ada\""}])",
      R"({"data":[{"id":"1","input":[{"role":"user","content":"Who?"}],)"
      R"("expectedOutput":{"role":"assistant","content":"Ada"}}],"meta":{"page":1}})",
      R"([{"id":"1","input":{"args":["Who?"],"kwargs":{"user":"u1"}},"expectedOutput":"Ada"}])",
  };
  for (const char* file : files) {
    const Converted out = convert_recognized("a.json", file);
    EXPECT_EQ(out.prepared.totals.format, "langfuse") << file;
    EXPECT_THAT(out.suite, HasSubstr("say: \"Who?\"")) << file;
    EXPECT_THAT(out.suite, HasSubstr(check)) << file;
  }
}

TEST(DatasetRows, are_read_from_csv) {
  constexpr std::array files{
      "inputs,outputs\n\"{\"\"question\"\": \"\"Who?\"\"}\",\"{\"\"answer\"\": \"\"Ada\"\"}\"\n",
      "input_question,output_answer,id\nWho?,Ada,1\n", "inputs.topic,outputs.name\nWho?,Ada\n",
      "id,input,expectedOutput\n1,\"\"\"Who?\"\"\",\"\"\"Ada\"\"\"\n"};
  for (const char* file : files) {
    const Converted out = convert_recognized("a.csv", file);
    EXPECT_THAT(out.suite, HasSubstr("say: \"Who?\"")) << file;
    EXPECT_THAT(out.suite, HasSubstr(check)) << file;
  }
}

TEST(DatasetRows, keep_metadata_history_and_other_inputs) {
  const Converted out = convert_recognized(
      "a.jsonl", R"({"id":"e1","inputs":{"question":"Now?","chat_history":[["Tea?","Yes."]],"city":"Bern"},)"
                 R"("outputs":{"answer":"Soon"},"metadata":{"level":2},"created_at":"2024-01-01"})"
                 "\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(metadata: {"level": 2})"));
  EXPECT_THAT(out.suite, HasSubstr(R"("city": "Bern")"));
  EXPECT_THAT(out.suite, HasSubstr(R"({role: chatbot, content: "Yes."})"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"created_at","text":"2024-01-01","outcome":"ignored")"));
}

TEST(DatasetRows, judge_outputs_of_which_none_is_known_to_be_the_answer) {
  const Converted out =
      convert_recognized("a.jsonl", R"({"inputs":{"question":"Who?"},"outputs":{"mood":"calm","size":3}})"
                                    "\n");
  EXPECT_THAT(out.suite, HasSubstr("says in substance: mood: calm"));
  EXPECT_THAT(out.suite, HasSubstr("says in substance: size: 3"));
}

TEST(DatasetRows, are_disabled_where_the_text_of_the_user_is_not_known) {
  const std::string text = R"({"inputs":{"topic":"tea","mood":"calm"},"outputs":{"answer":"Ada"}})";
  const Converted out = convert_recognized("a.jsonl", text);
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.report, HasSubstr("cannot determine which member is the user's text; name it with --say"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"answer","text":"Ada","outcome":"not_mapped")"));
  Options options;
  options.format = "langsmith";
  options.paths = {"a.jsonl"};
  options.say = {"topic"};
  options.expect = {"answer:equals"};
  const Converted named = convert_text(options, text);
  EXPECT_THAT(named.suite, HasSubstr("say: \"tea\""));
  EXPECT_THAT(named.suite, HasSubstr(R"(- equals: {"value": "Ada", "scope": "turn:0"})"));
}

TEST(DatasetRows, are_not_instructions_whose_input_is_json) {
  const Converted out =
      convert_recognized("a.json", R"([{"instruction":"Add.","input":"{\"a\":1,\"b\":2}","output":"3"},)"
                                   R"({"instruction":"Greet.","input":"","output":"Hi"}])");
  EXPECT_EQ(out.prepared.totals.format, "table");
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
  EXPECT_THAT(out.suite, HasSubstr("say: \"Greet.\""));
}

TEST(DatasetRows, are_not_runs) {
  for (const char* mark : {R"("run_type":"llm")", R"("trace_id":"t1")", R"("dotted_order":"2024Z")"}) {
    const Converted out =
        convert_text("langsmith", "a.jsonl",
                     "{" + std::string(mark) +
                         R"(,"id":"r1","inputs":{"messages":[{"role":"user","content":"Who?"}]},)"
                         R"("outputs":{"messages":[{"role":"assistant","content":"Ada"}]}})"
                         "\n");
    EXPECT_EQ(out.prepared.totals.tests, 0U) << mark;
    EXPECT_THAT(out.logs, HasSubstr(R"([{"role":"tester","content":"Who?"})")) << mark;
  }
}

TEST(GivenMessages, leave_calls_and_what_follows_the_last_turn_out_of_the_history) {
  const Converted out = convert_recognized(
      "a.jsonl",
      R"({"input":[{"role":"user","content":"Tea?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1"}]},)"
      R"({"role":"tool","content":"none"},{"role":"user","content":"Now?"},{"role":"assistant","content":"No."}],"target":"No"})"
      "\n");
  EXPECT_THAT(out.suite, HasSubstr("    history:\n      - {role: tester, content: \"Tea?\"}\n    script"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"tool_calls")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"recorded answer","text":"No.","outcome":"ignored")"));
  EXPECT_THAT(out.suite, Not(HasSubstr("none")));
}

TEST(DatasetRows, expect_the_tool_calls_of_the_reference) {
  const Converted out = convert_text(
      "langsmith", "a.jsonl",
      R"({"inputs":{"messages":[{"role":"user","content":"Book"}]},"outputs":{"messages":[)"
      R"({"role":"user","content":"Book"},{"role":"assistant","content":"","tool_calls":[)"
      R"({"id":"c","type":"function","function":{"name":"book","arguments":"{\"n\":2}"}}]},)"
      R"({"role":"tool","tool_call_id":"c","content":"ok"},{"role":"assistant","content":"Booked"}]}})"
      "\n"
      R"({"inputs":{"question":"Again"},"outputs":{"message":{"role":"assistant","content":null,"tool_calls":[)"
      R"({"name":"look","args":{}}]}}})"
      "\n");
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- tool-called: {"name": "book", "arguments": {"n": 2}, "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "Booked", "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- tool-called: {"name": "look", "arguments": {}, "scope": "turn:0"})"));
  EXPECT_THAT(out.report, HasSubstr(R"("needs":"tool calls as tool entries")"));
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
}

TEST(DatasetRows, report_reference_outputs_that_nothing_checks) {
  const Converted out = convert_text("langsmith", "a.jsonl",
                                     R"({"inputs":{"question":"Q"},"outputs":{"label":true,"count":3}})"
                                     "\n");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"count","text":"3","outcome":"not_mapped")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("count": "3")"));
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
}

TEST(DatasetRows, expect_a_refusal_as_the_answer) {
  const Converted out = convert_text(
      "langsmith", "a.jsonl",
      R"({"inputs":{"question":"Q"},"outputs":{"message":{"role":"assistant","content":null,"refusal":"No"}}})"
      "\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "No", "scope": "turn:0"})"));
}

}  // namespace
}  // namespace parley::convert
