#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PromptfooChoices, says_the_prompt_that_the_test_allows) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: [{id: a, label: A, raw: 'first {{q}}'}, {id: b, label: B, raw: 'second {{q}}'}]
tests:
  - {vars: {q: one}, prompts: [B]}
  - {vars: {q: two}, prompts: [b]}
  - {vars: {q: three}}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "second one")"));
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "second two")"));
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "first three")"));
}

TEST(PromptfooChoices, says_the_prompt_that_the_only_provider_allows) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: [{label: A, raw: 'first {{q}}'}, {label: B, raw: 'second {{q}}'}]
providers: [{id: echo, prompts: [B]}]
tests: [{vars: {q: one}}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "second one")"));
}

TEST(PromptfooChoices, has_a_test_for_each_configuration_of_a_scenario_without_tests) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{q}}']
scenarios:
  - config:
      - {vars: {q: one}, assert: [{type: contains, value: a}]}
      - {vars: {q: two}, assert: [{type: contains, value: b}]}
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_THAT(out.suite, HasSubstr(R"(contains: {"value": "b")"));
}

TEST(PromptfooChoices, makes_a_conversation_of_each_configuration_of_a_scenario) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{_conversation}}{{q}}']
scenarios:
  - config: [{vars: {n: a}}, {vars: {n: b}}]
    tests: [{vars: {q: 'one {{n}}'}}, {vars: {q: 'two {{n}}'}}]
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_EQ(out.prepared.totals.turns, 4U);
  EXPECT_THAT(out.suite, HasSubstr("say: \"one b\"\n      say: \"two b\""));
}

TEST(PromptfooChoices, keeps_what_the_turns_of_a_conversation_share_and_reports_the_rest) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{_conversation}}{{q}}']
tests:
  - {description: Asks, vars: {q: one, system: Be brief, tier: gold}, metadata: {conversationId: x}}
  - {description: Thanks, vars: {q: two, system: Be brief, tier: silver}, metadata: {conversationId: x}}
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_THAT(out.suite, HasSubstr(R"("system": "Be brief")"));
  EXPECT_THAT(out.suite, Not(HasSubstr("tier")));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"vars","text":"tier: gold","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"vars","text":"tier: silver","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"description","text":"Thanks","outcome":"ignored")"));
  EXPECT_THAT(out.report, Not(HasSubstr(R"("text":"q: )")));
}

TEST(PromptfooChoices, disables_a_test_whose_user_says_nothing) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{q}}']
tests: [{vars: {other: one}, assert: [{type: contains, value: a}]}]
)yaml");
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.report, HasSubstr("the text of the user is empty"));
}

TEST(PromptfooChoices, reports_keys_that_nothing_reads) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['{{q}}']
envPath: .env
tests: [{vars: {q: one}, asserts: [{type: contains, value: a}], options: {delay: 5}}]
)yaml");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"envPath","text":".env","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"asserts")"));
  EXPECT_THAT(out.report, HasSubstr("it is not a key of a test"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"delay","text":"5","outcome":"ignored")"));
}

TEST(PromptfooChoices, says_that_a_file_has_no_tests) {
  const Converted out = convert_text("promptfoo", "c.yaml", "prompts: ['{{q}}']\ntests: []\n");
  EXPECT_THAT(out.prepared.notes, HasSubstr("the file contains no tests and no conversations"));
}

}  // namespace
}  // namespace parley::convert
