#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

/// Converts samples for an eval with the given class and arguments.
Converted convert_samples(const std::string& samples, const std::string& kind, const std::string& arguments) {
  Options options;
  options.format = "openai-evals";
  options.paths = {"samples.jsonl", "eval.yaml"};
  Conversion conversion(options);
  conversion.inputs.give("samples.jsonl", samples);
  conversion.inputs.give("eval.yaml", "tea.dev.v0:\n  class: evals.elsuite." + kind +
                                          "\n  args: {samples_jsonl: tea/samples.jsonl" + arguments + "}\n");
  Converted converted{prepare(conversion), {}, {}, {}};
  for (const MadeFile& file : converted.prepared.files) {
    if (file.kind == MadeFile::Kind::suite) converted.suite = file.content;
  }
  converted.report = converted.prepared.report.lines();
  return converted;
}

TEST(OpenAiEvals, are_judged_by_the_criteria_of_the_eval) {
  const std::string samples = R"({"input": "Write a title.", "ideal": "Tea"})"
                              "\n";
  const Converted one = convert_samples(samples, "modelgraded.classify:ModelBasedClassify",
                                        ", modelgraded_spec_args: {criteria: Is it short?}");
  EXPECT_EQ(one.prepared.faults, "");
  EXPECT_THAT(one.suite, HasSubstr("- criteria: \"Is it short?\""));
  const Converted two =
      convert_samples(samples, "modelgraded.classify:ModelBasedClassify",
                      ", modelgraded_spec_args: {criteria: {a: Is it short?, b: Is it kind?}}");
  EXPECT_THAT(two.suite, HasSubstr(R"(- criteria: "Is it short?\nIs it kind?")"));
}

TEST(OpenAiEvals, do_not_pass_without_a_check) {
  const std::string samples = R"({"input": "Tell a joke."})"
                              "\n";
  const Converted judged =
      convert_samples(samples, "modelgraded.classify:ModelBasedClassify", ", modelgraded_spec: humor");
  EXPECT_EQ(judged.prepared.totals.disabled, 1U);
  EXPECT_THAT(judged.report,
              HasSubstr(R"("source":"modelgraded_spec","text":"humor","outcome":"not_mapped")"));
  const Converted coded = convert_samples(samples, "make_me_say.eval:MakeMeSay", "");
  EXPECT_EQ(coded.prepared.totals.disabled, 1U);
  EXPECT_THAT(coded.report, HasSubstr("the class MakeMeSay is code"));
}

TEST(OpenAiEvals, say_the_last_message_of_a_system) {
  const Converted out = convert_samples(
      R"({"input": [{"role": "system", "content": "Count letters."}, {"role": "system", "content": "tea ->"}], "ideal": 3})"
      "\n",
      "basic.match:Match", "");
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
  EXPECT_THAT(out.suite, HasSubstr("say: \"tea ->\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(- starts-with: {"value": "3", "ignore": [], "scope": "turn:0"})"));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 1U);
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
}

TEST(OpenAiEvals, lose_the_check_of_a_sample_without_an_ideal_answer) {
  const Converted out =
      convert_samples("{\"input\": \"q1\", \"ideal\": []}\n{\"input\": \"q2\"}\n", "basic.match:Match", "");
  EXPECT_EQ(out.prepared.totals.disabled, 2U);
  EXPECT_THAT(out.report, HasSubstr(R"("test":"q2","source":"ideal","outcome":"not_mapped")"));
}

TEST(OpenAiEvals, report_the_examples_of_the_prompt) {
  const Converted out = convert_samples("{\"input\": \"q\", \"ideal\": \"a\"}\n", "basic.match:Match",
                                        ", few_shot_jsonl: few.jsonl, num_few_shot: 4");
  EXPECT_THAT(out.report, HasSubstr(R"("kind":"agent","source":"few_shot_jsonl","text":"few.jsonl")"));
  EXPECT_THAT(out.report, HasSubstr(R"("kind":"agent","source":"num_few_shot","text":"4")"));
}

TEST(OpenAiEvals, name_the_chosen_one_of_several_with_the_same_samples) {
  Options options;
  options.format = "openai-evals";
  options.paths = {"tea/samples.jsonl", "eval.yaml"};
  Conversion conversion(options);
  conversion.inputs.give("tea/samples.jsonl", "{\"input\": \"q\", \"ideal\": \"a\"}\n");
  conversion.inputs.give("eval.yaml", R"yaml(
other: {class: "evals.elsuite.basic.fuzzy_match:FuzzyMatch", args: {samples_jsonl: cake/samples.jsonl}}
first: {class: "evals.elsuite.basic.match:Match", args: {samples_jsonl: tea/samples.jsonl}}
second: {class: "evals.elsuite.basic.includes:Includes", args: {samples_jsonl: tea/samples.jsonl}}
)yaml");
  const Prepared prepared = prepare(conversion);
  EXPECT_THAT(prepared.files.front().content, HasSubstr("- starts-with: "));
  EXPECT_THAT(
      prepared.notes,
      HasSubstr("tea/samples.jsonl: note: the eval is \"first\"; these evals have the same samples and "
                "are not used: \"second\"\n"));
}

TEST(OpenAiEvals, are_recognized_without_an_ideal_answer) {
  const Format* format = recognized("jokes.jsonl", R"({"input": [{"role": "user", "content": "A joke"}]})");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "openai-evals");
}

TEST(OpenAiEvals, are_judged_by_any_of_several_ideal_answers) {
  const Converted out =
      convert_samples(R"({"input": "Capital?", "ideal": ["Paris", "City of Light"]})"
                      "\n",
                      "modelgraded.classify:ModelBasedClassify", ", modelgraded_spec: fact");
  EXPECT_THAT(out.suite, HasSubstr(R"(one of these:\n- Paris\n- City of Light)"));
}

}  // namespace
}  // namespace parley::convert
