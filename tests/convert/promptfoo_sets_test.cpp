#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Converts a configuration with the prompt `{{q}}` and these tests.
Converted convert_tests(const std::string& tests) {
  return convert_text("promptfoo", "c.yaml", "prompts: ['{{q}}']\nproviders: [echo]\n" + tests);
}

TEST(PromptfooSets, have_no_threshold_if_it_is_0) {
  const Converted out = convert_tests(R"yaml(tests:
  - {vars: {q: one}, threshold: 0, assert: [{type: contains, value: a}, {type: contains, value: b}]}
  - {vars: {q: two}, assert: [{type: assert-set, threshold: 0, assert: [{type: contains, value: a}, {type: contains, value: b}]}]}
)yaml");
  EXPECT_THAT(out.suite, Not(HasSubstr("threshold")));
  EXPECT_THAT(out.suite, HasSubstr(R"(assert-set: {"match": "all")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(PromptfooSets, keep_their_weight_and_those_in_them) {
  const Converted out = convert_tests(R"yaml(tests:
  - vars: {q: one}
    assert:
      - {type: assert-set, threshold: 0.5, weight: 3, assert: [{type: contains, value: a, weight: 2}, {type: contains, value: b}]}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"("ignore": [], "scope": "turn:0"}, "weight": 2})"));
  EXPECT_THAT(out.suite, HasSubstr("weight: 3"));
}

TEST(PromptfooSets, that_weigh_nothing_fail_no_test) {
  const Converted out = convert_tests(R"yaml(tests:
  - {vars: {q: one}, assert: [{type: assert-set, weight: 0, assert: [{type: contains, value: a}, {type: contains, value: b}]}]}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("weight: 0"));
  EXPECT_THAT(out.suite, HasSubstr("must: []\n    could:\n      - assert-set"));
}

TEST(PromptfooSets, pass_weight_and_metric_on_if_they_are_dissolved) {
  const Converted out = convert_tests(R"yaml(tests:
  - vars: {q: one, area: tone}
    assert: [{type: assert-set, weight: 4, metric: 'In {{area}}', assert: [{type: contains, value: a}, {type: llm-rubric, value: kind}]}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("In tone"));
  EXPECT_THAT(out.suite, HasSubstr("weight: 4"));
  EXPECT_THAT(out.suite, HasSubstr("criteria"));
}

TEST(PromptfooSets, apply_the_threshold_of_a_simulated_conversation) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{q}}']
defaultTest: {provider: {id: 'promptfoo:simulated-user', config: {instructions: 'ask for {{a}}'}}}
tests: [{vars: {a: tea}, threshold: 0.5, assert: [{type: contains, value: z}, {type: contains, value: y}]}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(assert-set: {"threshold": 0.5)"));
  EXPECT_THAT(out.report, HasSubstr("the source also reads the words of the simulated user"));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 2U);
}

TEST(PromptfooSets, do_not_say_code_that_a_variable_contains) {
  const Converted out = convert_tests(R"yaml(tests:
  - {vars: {name: bob, q: 'Hello {{ name | upper }}'}, assert: [{type: contains, value: BOB}]}
  - {vars: {name: bob, q: '{% if name %}Hello{% endif %}'}, assert: [{type: contains, value: BOB}]}
)yaml");
  EXPECT_EQ(out.prepared.totals.disabled, 2U);
  EXPECT_THAT(out.suite, Not(HasSubstr("say:")));
}

TEST(PromptfooSets, say_quoted_texts_of_a_template_as_they_are) {
  const Converted out = convert_tests(R"yaml(tests: [{vars: {q: "Keep {{ '{{type}}' }} as it is"}}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "Keep \u007b{type}} as it is")"));
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
}

TEST(PromptfooSets, read_values_from_files_as_trees) {
  const Prepared prepared = convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - {vars: {q: one}, assert: [{type: contains-any, value: file://list.json}]}
  - {vars: {q: two}, assert: [{type: equals, value: file://map.yaml}]}
  - {vars: {q: three}, assert: [{type: contains-any, value: [file://a.txt, zzz]}]}
  - {vars: {q: four}, assert: [{type: contains-any, value: [file://missing.txt, zzz]}]}
)yaml"},
                                                        {"list.json", R"(["x", "y"])"},
                                                        {"map.yaml", "a: 1\n"},
                                                        {"a.txt", "tea\n"}});
  EXPECT_EQ(prepared.faults, "");
  ASSERT_FALSE(prepared.files.empty());
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(suite, HasSubstr(R"(contains-any: {"values": ["x", "y"])"));
  EXPECT_THAT(suite, HasSubstr(R"(contains-any: {"values": ["tea", "zzz"])"));
  EXPECT_THAT(prepared.report.lines(), HasSubstr("only texts are compared"));
  EXPECT_THAT(prepared.report.lines(), HasSubstr("the value is in a file that is missing or not text"));
}

TEST(PromptfooSets, name_the_file_that_refers_to_another_folder) {
  const Prepared prepared =
      convert_texts("promptfoo", {{"c.yaml", "prompts: ['{{doc}} {{q}}']\ntests: file://tests.yaml\n"},
                                  {"tests.yaml", "- vars:\n    q: one\n    doc: file://../../x.txt\n"}});
  EXPECT_THAT(prepared.faults, HasSubstr("tests.yaml:3:"));
  EXPECT_THAT(prepared.faults, HasSubstr("put both into one folder"));
}

TEST(PromptfooSets, report_the_file_of_a_scenario) {
  const Prepared prepared =
      convert_texts("promptfoo", {{"c.yaml", "prompts: ['{{q}}']\nscenarios: [file://s.yaml]\n"},
                                  {"s.yaml",
                                   "config:\n  - vars: {q: one}\n    assert:\n"
                                   "      - {type: contains, value: a}\ntests: [{}]\n"}});
  EXPECT_EQ(prepared.faults, "");
  EXPECT_THAT(prepared.report.lines(), HasSubstr(R"("at":"s.yaml:4:9")"));
}

TEST(PromptfooSets, say_that_rouge_compares_more_in_the_source) {
  const Converted out = convert_tests(R"yaml(tests:
  - {vars: {q: one}, assert: [{type: rouge-n, value: hello world, threshold: 0.9}]}
  - {vars: {q: two}, assert: [{type: assert-set, assert: [{type: rouge-n, value: hello world}, {type: contains, value: a}]}]}
)yaml");
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- rouge: {"value": "hello world", "threshold": 0.9, "scope": "turn:0"})"));
  EXPECT_THAT(out.report, HasSubstr("parley ignores letter case and punctuation, which the source compares"));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 2U);
}

TEST(PromptfooSets, have_the_metric_that_all_their_checks_have) {
  const Converted one = convert_text("promptfoo", "t.csv",
                                     "question,__expected1,__expected2,__metric,__threshold\n"
                                     "Hi,contains: a,contains: b,tone,0.5\n");
  EXPECT_THAT(one.suite, HasSubstr("assert-set"));
  EXPECT_THAT(one.suite, HasSubstr("tone"));
  EXPECT_THAT(one.report, Not(HasSubstr(R"("source":"metric")")));
  const Converted two = convert_tests(R"yaml(tests:
  - {vars: {q: one}, threshold: 0.5, assert: [{type: contains, value: a, metric: tone}, {type: contains, value: b}]}
)yaml");
  EXPECT_THAT(two.report, HasSubstr(R"("source":"metric","outcome":"not_mapped")"));
}

}  // namespace
}  // namespace parley::convert
