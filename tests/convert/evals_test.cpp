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

}  // namespace
}  // namespace parley::convert
