#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Tables, say_the_last_message_of_the_user_and_keep_the_earlier_ones) {
  const Converted out = convert_recognized(
      "rows.jsonl",
      R"({"input":[{"role":"system","content":"Be short."},{"role":"user","content":"A"},)"
      R"({"role":"assistant","content":"B"},{"role":"user","content":[{"type":"text","text":"C?"},)"
      R"({"type":"image","image":"c.png"}]}],"target":"D"})"
      "\n");
  EXPECT_EQ(out.prepared.totals.format, "table");
  EXPECT_THAT(out.suite, HasSubstr("name: \"C?\""));
  EXPECT_THAT(out.suite, HasSubstr("say: \"C?\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "D", "scope": "turn:0"})"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"system","text":"Be short.","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"image")"));
  EXPECT_THAT(out.report, HasSubstr(R"("became":"history")"));
}

TEST(Tables, take_any_of_several_answers_to_one_turn) {
  const Converted out =
      convert_recognized("rows.json", R"([{"input":"Which colour?","target":["red","blue"]}])");
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains-any: {"values": ["red", "blue"], "scope": "turn:0"})"));
}

TEST(Tables, do_not_search_an_answer_for_the_letter_of_a_choice) {
  const Converted out =
      convert_recognized("rows.json", R"([{"input":"Which colour?","target":"A","choices":["red","blue"]}])");
  EXPECT_THAT(out.suite, Not(HasSubstr("contains")));
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
}

TEST(Tables, know_the_columns_of_instructions_and_of_ragas) {
  const Converted alpaca =
      convert_recognized("a.csv", "instruction,input,output\nTranslate it.,Guten Tag,Good day\n");
  EXPECT_THAT(alpaca.suite, HasSubstr(R"(say: "Translate it.\nGuten Tag")"));
  EXPECT_THAT(alpaca.suite, HasSubstr(R"(- contains: {"value": "Good day", "scope": "turn:0"})"));
  const Converted ragas = convert_recognized("r.csv", "user_input,reference\nWho is it?,Ada\n");
  EXPECT_THAT(ragas.suite, HasSubstr("say: \"Who is it?\""));
  EXPECT_THAT(ragas.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
}

TEST(Tables, know_columns_however_their_names_are_spelled) {
  const Converted out = convert_recognized("a.csv", "User Question,Ideal-Answer\nWho is it?,Ada\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"Who is it?\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
}

TEST(Tables, know_more_names_of_columns) {
  const Converted out = convert_recognized("a.csv", "id,User Query,gold_answer\n1,Who is it?,Ada\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"Who is it?\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
}

TEST(Tables, prefer_the_expected_answer_to_the_recorded_one) {
  const Converted azure =
      convert_recognized("a.jsonl", R"({"question":"Who is it?","answer":"Bob","ground_truth":"Ada"})"
                                    "\n");
  EXPECT_THAT(azure.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
  EXPECT_THAT(azure.suite, HasSubstr(R"("answer": "Bob")"));
  const Converted sourced = convert_recognized("a.csv", "question,answer,reference\nWho is it?,Ada,page 3\n");
  EXPECT_THAT(sourced.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
  const Converted targets = convert_recognized("a.csv", "input,output,target\nWho is it?,Bob,Ada\n");
  EXPECT_THAT(targets.suite, HasSubstr(R"(- contains: {"value": "Ada", "scope": "turn:0"})"));
}

TEST(Tables, keep_what_all_rows_of_a_conversation_have) {
  Options options;
  options.format = "table";
  options.paths = {"a.csv"};
  options.group = "chat";
  options.order = "n";
  const Converted out = convert_text(
      options, "chat,n,user,expected,topic,mood\nc1,2,Second,B,tea,calm\nc1,1,First,A,tea,glad\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"First\"\n      say: \"Second\"\n"));
  EXPECT_THAT(out.suite, HasSubstr("\"chat\": \"c1\"\n      \"topic\": \"tea\"\n"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"mood","text":"glad","outcome":"not_mapped")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(Tables, name_a_conversation_of_lex_by_what_the_user_says) {
  const Converted out = convert_recognized("a.csv",
                                           "Line #,Conversation #,Source,Input,Expected Output Intent\n"
                                           "1,7,Agent,Welcome,\n2,7,User,Tea please,OrderTea\n");
  EXPECT_THAT(out.suite, HasSubstr("name: \"Tea please\""));
}

TEST(Tables, say_the_texts_of_turns_that_are_objects) {
  const Converted out = convert_recognized(
      "a.jsonl",
      R"({"turns":[{"speaker":"customer","text":"Tea?"},{"speaker":"agent","text":"Yes."},{"text":"Thanks."}]})"
      "\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"Tea?\"\n      say: \"Thanks.\"\n"));
  EXPECT_THAT(out.suite, HasSubstr("name: \"Tea?\""));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 1U);
  EXPECT_THAT(out.report, HasSubstr(R"("source":"recorded answer","text":"Yes.","outcome":"ignored")"));
  const Converted unknown = convert_recognized("a.jsonl", R"({"turns":[{"sound":"a.wav"}]})"
                                                          "\n");
  EXPECT_EQ(unknown.prepared.totals.disabled, 1U);
  EXPECT_THAT(unknown.report, HasSubstr("which member is the user's text is not known"));
}

TEST(Tables, refuse_two_columns_with_one_name) {
  EXPECT_THAT(convert_text("table", "t.csv", "question,answer,answer\na,b,c\n").prepared.faults,
              HasSubstr("t.csv:1:17: error: a duplicate column \"answer\"; rename one of them"));
}

TEST(Tables, without_rows_are_faults) {
  EXPECT_THAT(convert_text("table", "t.csv", "question,answer\n").prepared.faults,
              HasSubstr("no conversation was found; is the format \"table\"?"));
}

TEST(Tables, report_columns_that_decide_how_an_answer_is_compared) {
  const Converted out = convert_recognized("a.csv",
                                           "Prompt,Expected response,Test Method Type,Passing Score\n"
                                           "Tea?,Yes,ExactMatch,70\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "Yes")"));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"Test Method Type","text":"ExactMatch","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"Passing Score","text":"70","outcome":"not_mapped")"));
  const Converted ragas =
      convert_recognized("r.jsonl", R"({"user_input":"Tea?","reference":"Yes","reference_topics":"tea"})"
                                    "\n");
  EXPECT_THAT(ragas.report, HasSubstr(R"("source":"reference_topics","text":"tea","outcome":"not_mapped")"));
}

TEST(Tables, report_the_calls_of_recorded_answers) {
  const Converted out = convert_recognized(
      "a.jsonl", R"({"user_input":[{"content":"Rain?","type":"human"},{"content":"Wait","type":"ai",)"
                 R"("tool_calls":[{"name":"sky","args":{"at":"Bern"}}]},{"content":"Yes","type":"ai"}],)"
                 R"("reference":"Yes"})"
                 "\n");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"recorded call","text":"sky","outcome":"ignored")"));
}

}  // namespace
}  // namespace parley::convert
