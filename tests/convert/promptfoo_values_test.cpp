#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PromptfooValues, reads_assertions_from_files) {
  const Prepared prepared =
      convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: ["{{q}}"]
defaultTest: {assert: file://always.yaml}
tests:
  - vars: {q: one}
    assert: [file://more.json, {type: contains, value: here}]
  - vars: {q: two}
    assert: [file://check.js, file://missing.yaml]
)yaml"},
                                  {"always.yaml", "- {type: contains, value: tea}\n"},
                                  {"more.json", R"({"type": "icontains", "value": "cup"})"}});
  EXPECT_EQ(prepared.faults, "");
  ASSERT_FALSE(prepared.files.empty());
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(suite, HasSubstr(R"(- contains: {"value": "tea", "ignore": [], "scope": "turn:0"}
      - icontains: {"value": "cup", "scope": "turn:0"}
      - contains: {"value": "here", "ignore": [], "scope": "turn:0"})"));
  const std::string report = prepared.report.lines();
  EXPECT_THAT(report, HasSubstr(R"("at":"always.yaml:1:3")"));
  EXPECT_THAT(report,
              HasSubstr(R"("text":"file://check.js","outcome":"not_mapped","why":"code is never run")"));
  EXPECT_THAT(report, HasSubstr("the file is missing, or another file of assertions names it"));
  EXPECT_EQ(prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(PromptfooValues, does_not_follow_files_that_name_each_other) {
  const Prepared prepared = convert_texts(
      "promptfoo", {{"c.yaml", "prompts: ['{{q}}']\ntests: [{vars: {q: one}, assert: file://a.yaml}]\n"},
                    {"a.yaml", "- file://b.yaml\n- {type: contains, value: tea}\n"},
                    {"b.yaml", "- file://a.yaml\n"}});
  EXPECT_EQ(prepared.faults, "");
  EXPECT_EQ(prepared.report.count(Outcome::not_mapped), 1U);
  EXPECT_EQ(prepared.totals.disabled, 0U);
}

TEST(PromptfooValues, fills_in_references_anywhere) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
parts:
  checks: [{type: contains, value: tea}]
  question: {vars: {q: "Which tea?"}}
tests:
  - vars: {q: one}
    assert: {$ref: "#/parts/checks"}
  - {$ref: "#/parts/question", description: Asks for tea}
  - $ref: "#/parts/none"
  - vars: {q: two}
    assert: [{$ref: "other.yaml#/checks"}]
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 3U);
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "tea")"));
  EXPECT_THAT(out.suite, HasSubstr("name: \"Asks for tea\""));
  EXPECT_THAT(out.suite, HasSubstr("say: \"Which tea?\""));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"$ref","text":"#/parts/none","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr("the reference has no target in this file"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(PromptfooValues, says_why_an_assertion_is_none) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars: {q: one}
    assert:
      - {contains: tea}
      - {type: contains}
      - {type: llm-rubric}
      - {type: assert-set}
      - {type: "promptfoo:redteam:pii"}
)yaml");
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 5U);
  EXPECT_THAT(out.report,
              HasSubstr(R"("text":"{\"contains\":\"tea\"}","outcome":"not_mapped","why":"it has no type")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"contains","outcome":"not_mapped","why":"it has no value")"));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"llm-rubric","outcome":"not_mapped","why":"it has no value")"));
  EXPECT_THAT(out.report, HasSubstr("it lists no assertions"));
  EXPECT_THAT(out.report, HasSubstr("the source judges attacks with prompts of its own"));
}

TEST(PromptfooValues, fills_in_dumped_variables) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts:
  - '[{"role": "system", "content": {{ rules | dump }}}, {"role": "user", "content": {{q|dump}}}]'
tests: [{vars: {rules: Be kind, q: 'Say "tea"'}}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "Say \"tea\"")"));
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
  const Converted text = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["Repeat {{ q | dump }} and {{ q | safe }}", "{{ q | upper }}"]
tests: [{vars: {q: 'a "b"'}}]
)yaml");
  EXPECT_THAT(text.suite, HasSubstr(R"(say: "Repeat \"a \\\"b\\\"\" and a \"b\"")"));
}

TEST(PromptfooValues, names_tests_by_variables_in_the_order_of_the_file) {
  const Prepared prepared = convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: ["{{context}} {{question}} {{language}}"]
defaultTest: {vars: {language: French}}
tests: [{vars: {context: file://long.txt, question: "Which tea?"}}]
)yaml"},
                                                        {"long.txt", "All about tea."}});
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr("name: \"Which tea?, French, All about tea.\""));
}

TEST(PromptfooValues, limits_of_one_turn_are_approximated) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}} {{_conversation}}"]
tests:
  - {vars: {q: one}, metadata: {conversationId: a}, assert: [{type: latency, threshold: 500}]}
  - {vars: {q: two}, metadata: {conversationId: a}}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(response-time: {"max": 500})"));
  EXPECT_THAT(out.report, HasSubstr("the source limits one turn, parley the whole conversation"));
}

TEST(PromptfooValues, keeps_commas_within_quotes) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests: [{vars: {q: one}, assert: [{type: contains-any, value: '"tea, please", milk,sugar'}]}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"({"values": ["tea, please", "milk", "sugar"])"));
}

TEST(PromptfooValues, takes_cells_without_blanks_around_them) {
  const Converted out = convert_text("promptfoo", "t.csv",
                                     "question,__expected_tone,__providerOutput\n"
                                     "Which tea?, Green tea ,Black tea\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(- equals: {"value": "Green tea")"));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"providerOutput","text":"Black tea","outcome":"not_mapped")"));
}

TEST(PromptfooValues, reports_code_of_the_whole_configuration) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
extensions: [file://hooks.py:before]
nunjucksFilters: {}
tests: [{vars: {q: one}}]
)yaml");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"extensions")"));
  EXPECT_THAT(out.report, Not(HasSubstr("nunjucksFilters")));
}

TEST(PromptfooValues, are_recognized_without_assertions) {
  for (const std::string line :
       {R"({"vars": {"q": "one"}})", R"({"vars": {"q": "one"}, "description": "x"})"}) {
    const Format* format = recognized("t.jsonl", line + "\n" + line + "\n");
    ASSERT_NE(format, nullptr) << line;
    EXPECT_EQ(format->name, "promptfoo") << line;
  }
}

TEST(PromptfooValues, read_schemas_that_are_texts) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars: {q: one}
    assert:
      - type: is-json
        value: |
          type: object
          required: [drink]
      - {type: contains-json, value: '{"type": "object"}'}
      - {type: is-json, value: just words}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(- is-json: {"schema": {"type": "object", "required": ["drink"]})"));
  EXPECT_THAT(out.suite, HasSubstr(R"("within": true, "schema": {"type": "object"})"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
}

TEST(PromptfooValues, know_cells_that_are_a_file_of_code) {
  const Converted out = convert_text("promptfoo", "t.csv",
                                     "question,__expected1,__expected2\n"
                                     "Which tea?,file://check.py:is_tea,file://check.js\n");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"python","text":"file://check.py:is_tea")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"javascript","text":"file://check.js")"));
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
}

TEST(PromptfooValues, brief_the_simulated_user_from_files) {
  const Prepared prepared =
      convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: [Be kind]
tests:
  - vars: {drink: tea}
    provider:
      id: promptfoo:simulated-user
      config: {instructions: file://person.txt, initialMessages: file://before.json, maxTurns: "5"}
  - provider:
      id: promptfoo:simulated-user
      config: {instructions: file://missing.txt, initialMessages: file://missing.json}
)yaml"},
                                  {"person.txt", "You want {{drink}}.\n"},
                                  {"before.json", R"([{"role": "user", "content": "{{drink}}?"}])"}});
  EXPECT_EQ(prepared.faults, "");
  ASSERT_FALSE(prepared.files.empty());
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(suite, HasSubstr("goal: |-\n      You want tea.\n"));
  EXPECT_THAT(suite, HasSubstr("- {role: tester, content: \"tea?\"}"));
  EXPECT_THAT(suite, HasSubstr("max-turns: 5"));
  EXPECT_EQ(prepared.totals.disabled, 1U);
  EXPECT_EQ(prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(PromptfooValues, may_hold_a_nul) {
  const Converted out = convert_text("promptfoo", "t.jsonl",
                                     R"({"vars": {"q": "a\u0000b"}})"
                                     "\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"a\xEF\xBF\xBD"
                                   "b\""));
  EXPECT_THAT(out.suite, Not(HasSubstr("\\u0000")));
}

}  // namespace
}  // namespace parley::convert
