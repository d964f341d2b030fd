// Goldens of DeepEval: lists of a data set, columns of a CSV file, tools and turns.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DeepEvalGoldens, are_in_either_list_of_a_data_set) {
  const std::string both =
      R"({"goldens":[{"input":"Hi","expected_output":"x"}],)"
      R"("conversational_goldens":[{"scenario":"Asks.","expected_outcome":"It answers."}]})";
  const Converted out = convert_recognized("set.json", both);
  EXPECT_EQ(out.prepared.totals.format, "deepeval");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_THAT(out.suite, HasSubstr("It answers."));
}

TEST(DeepEvalGoldens, may_have_the_keys_of_confident_ai) {
  const Converted out = convert_recognized(
      "set.json",
      R"({"conversationalGoldens":[{"scenario":"Asks.","userDescription":"Old","expectedOutcome":"It answers."}]})");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_THAT(out.suite, HasSubstr("It answers."));
  EXPECT_THAT(out.suite, HasSubstr("Who you are: Old"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"expectedOutcome")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(DeepEvalGoldens, separate_tools_in_a_cell_by_semicolons) {
  const Converted out = convert_text(
      "deepeval", "g.csv",
      "input,expected_output,context,tools_called,expected_tools\n"
      "Q,E,c,\"[{\"\"name\"\": \"\"t\"\", \"\"input_parameters\"\": {\"\"x\"\": 1}}]\",search; book\n");
  EXPECT_THAT(out.suite, HasSubstr(R"("names": ["search", "book"])"));
  EXPECT_THAT(out.logs,
              HasSubstr(R"({"role":"tester","content":"Q"},{"type":"tool","role":"chatbot","name":"t",)"
                        R"("metadata":{"arguments":{"x":1}}}])"));
}

TEST(DeepEvalGoldens, compare_only_the_names_of_expected_tools) {
  const Converted out =
      convert_text("deepeval", "g.json",
                   R"([{"input":"Q","expected_tools":[{"name":"book","input_parameters":{"n":2}}]},)"
                   R"({"input":"R","expected_tools":[{"name":"book"}]}])");
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 1U);
  EXPECT_THAT(out.report, HasSubstr("only the names of the tools are compared"));
}

TEST(DeepEvalGoldens, keep_what_their_turns_record) {
  const Converted out = convert_text(
      "deepeval", "g.json",
      R"([{"scenario":"Asks.","expected_outcome":"o","input":"unused","turns":[{"role":"user","content":"Hi"},)"
      R"({"role":"assistant","content":"ok","user_id":"u","additional_metadata":{"a":1},)"
      R"("mcp_tools_called":[{"name":"m","args":{"q":1},"result":{"content":[]}}]}]}])");
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"m","metadata":{"arguments":{"q":1},"result":{"content":[]}}})"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"ok","metadata":{"a":1}})"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"user_id","text":"u","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"input","text":"unused","outcome":"not_mapped")"));
}

}  // namespace
}  // namespace parley::convert
