#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PromptfooSuite, reports_the_checks_of_turns_that_cannot_be_said) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: [file://ask.js]
tests:
  - {vars: {a: 1, b: 2}, metadata: {conversationId: x}, assert: [{type: contains, value: one}]}
  - {vars: {a: 1, b: 2}, metadata: {conversationId: x, tier: gold}, threshold: 0.5, assert: [{type: contains, value: two}]}
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.report, HasSubstr(R"("text":"one")"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"two")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"threshold","text":"0.5","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"tier: gold","outcome":"not_mapped")"));
}

TEST(PromptfooSuite, follows_the_options_of_a_test) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
defaultTest: {assert: [{type: contains, value: everywhere}]}
tests:
  - vars: {q: [one, two]}
    options: {disableVarExpansion: true, disableDefaultAsserts: true, storeOutputAs: first}
    assertScoringFunction: file://score.js
    assert: [{type: contains, value: here, weight: 0.5}]
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_THAT(out.suite, Not(HasSubstr("everywhere")));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"storeOutputAs")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"assertScoringFunction")"));
  EXPECT_THAT(out.report, HasSubstr("weights are whole numbers"));
}

TEST(PromptfooSuite, compares_calls_with_the_definitions_of_tools) {
  const std::string tests =
      "tests: [{vars: {q: hi}, assert: [{type: is-valid-openai-tools-call}]}]\nprompts: ['{{q}}']\n";
  const Converted out = convert_text("promptfoo", "c.yaml", tests + R"yaml(
providers:
  - id: openai:chat:gpt-4o
    config:
      temperature: 0
      tools:
        - type: function
          function: {name: get_weather, parameters: {type: object, required: [city], properties: {city: {type: string}}}}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("tools-allowed"));
  EXPECT_THAT(out.suite, HasSubstr("json-schema"));
  EXPECT_THAT(out.suite, HasSubstr(R"("required": ["city"])"));
  EXPECT_THAT(out.suite, HasSubstr(R"(parameters: {"temperature": 0})"));
  EXPECT_THAT(out.suite, HasSubstr(R"(tools: [{"type": "function", "function": {"name": "get_weather")"));
  const Converted without = convert_text("promptfoo", "c.yaml", tests);
  EXPECT_THAT(without.report, HasSubstr("the file does not define the agent's tools"));
}

TEST(PromptfooSuite, reads_the_definitions_of_tools_in_a_file) {
  const Prepared prepared = convert_texts(
      "promptfoo", {{"c.yaml",
                     "prompts: ['{{q}}']\nproviders: [{id: x, config: {tools: file://tools.json}}]\n"
                     "tests: [{vars: {q: hi}, assert: [{type: is-valid-openai-tools-call}]}]\n"},
                    {"tools.json", R"([{"name": "pay", "input_schema": {"type": "object"}}])"}});
  EXPECT_EQ(prepared.faults, "");
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr("tools-allowed"));
}

TEST(PromptfooSuite, compares_the_tools_of_a_trajectory) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars: {q: hi}
    assert:
      - {type: trajectory:tool-used, value: [search, book]}
      - {type: not-trajectory:tool-used, value: [pay, cancel]}
      - {type: trajectory:tool-used, value: {name: search, min: 1, max: 2}}
      - {type: trajectory:step-count, value: {type: tool, name: think, max: 0}}
      - {type: trajectory:goal-success, value: The flight is booked}
      - {type: trajectory:tool-used, value: {pattern: "search_*"}}
      - {type: trajectory:step-count, value: {type: reasoning, min: 1}}
)yaml");
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"({"match": "all", "assertions": [{"type": "tool-called", "config": {"name": "search"})"));
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"({"match": "any", "assertions": [{"type": "tool-called", "config": {"name": "pay"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"({"name": "search", "min": 1, "max": 2})"));
  EXPECT_THAT(out.suite, HasSubstr(R"({"name": "think", "max": 0})"));
  EXPECT_THAT(out.suite, HasSubstr("reached this goal: The flight is booked"));
  EXPECT_THAT(out.report, HasSubstr("the names of tools are compared whole"));
  EXPECT_THAT(out.report, HasSubstr("agents report no steps but tool calls"));
}

TEST(PromptfooSuite, reads_scenarios_from_files) {
  const Prepared prepared = convert_texts(
      "promptfoo", {{"c.yaml", "prompts: ['{{q}}']\nscenarios: [file://s.yaml]\n"}, {"s.yaml", R"yaml(
- config: [{vars: {q: one}}, {vars: {q: two}}]
  tests: [{assert: [{type: contains, value: x}]}]
)yaml"}});
  EXPECT_EQ(prepared.faults, "");
  EXPECT_EQ(prepared.totals.tests, 2U);
}

TEST(PromptfooSuite, reads_variables_of_named_files) {
  const Prepared prepared = convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: ["{{q}} {{r}}"]
defaultTest: {vars: file://v.yaml}
tests: [{vars: [v.yaml, "file://w.yaml"]}, {vars: {r: four}}, {vars: load.py}]
)yaml"},
                                                        {"v.yaml", "q: one\nr: two\n"},
                                                        {"w.yaml", "r: three\n"}});
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr("say: \"one three\""));
  EXPECT_THAT(prepared.files.front().content, HasSubstr("say: \"one four\""));
  EXPECT_THAT(prepared.report.lines(),
              HasSubstr(R"("source":"vars","text":"load.py","outcome":"not_mapped")"));
}

TEST(PromptfooSuite, reports_what_a_turn_cannot_say) {
  const Converted pictures = convert_text("promptfoo", "c.yaml", R"yaml(
prompts:
  - '[{"role": "user", "content": [{"type": "text", "text": "{{q}}"}, {"type": "image_url", "image_url": {"url": "{{u}}"}}]}]'
tests: [{vars: {q: hello, u: "https://a.example/b.png"}}]
)yaml");
  EXPECT_THAT(pictures.report, HasSubstr("pictures and files of the message are left out"));
  const Converted answers = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests: [{vars: {q: one}, options: {storeOutputAs: fruit}}, {vars: {q: "Why {{ fruit }}?"}}]
)yaml");
  EXPECT_EQ(answers.prepared.totals.turns, 2U);
  EXPECT_EQ(answers.prepared.totals.disabled, 1U);
  EXPECT_THAT(answers.report, HasSubstr("fruit is the answer of another test"));
  const Converted environment = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests: [{vars: {q: one}, assert: [{type: contains, value: "{{env.NAME}}"}]}]
)yaml");
  EXPECT_EQ(environment.prepared.totals.disabled, 1U);
}

TEST(PromptfooSuite, takes_variables_as_the_source_does) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars:
      q: |
        hello
  - vars: {q: [1, 2]}
  - vars: {q: [one, two]}
  - file://more.xlsx
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 4U);
  EXPECT_THAT(out.suite, HasSubstr("say: \"hello\"\n"));
  EXPECT_THAT(out.report, HasSubstr("spreadsheets are not supported; save it as CSV"));
}

TEST(PromptfooSuite, takes_the_first_prompt_of_a_file) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"p.csv", "label,prompt\nA,\"Tell me, {{q}}\"\nB,other\n"},
      {"p.jsonl", R"([{"role": "user", "content": "Tell me, {{q}}"}])"
                  "\n[]\n"},
      {"p.txt", "---\nTell me, {{q}}\n\n---\nother\n"}};
  for (const auto& [name, text] : files) {
    Options options;
    options.format = "promptfoo";
    options.paths = {"c.yaml"};
    Conversion conversion(options);
    conversion.inputs.give(name, text);
    conversion.inputs.give("c.yaml", "prompts: [file://" + name + "]\ntests: [{vars: {q: hello}}]\n");
    const Prepared prepared = prepare(conversion);
    ASSERT_FALSE(prepared.files.empty());
    EXPECT_THAT(prepared.files.front().content, HasSubstr("say: \"Tell me, hello\"\n")) << name;
  }
}

TEST(PromptfooSuite, names_the_file_of_what_a_test_has_from_the_defaults) {
  const Prepared prepared = convert_texts(
      "promptfoo", {{"c.yaml",
                     "prompts: ['{{q}}']\ntests: t.csv\ndefaultTest:\n  metadata: {a: b}\n  options: "
                     "{transform: output.trim()}\n"},
                    {"t.csv", "q\nhello\n"}});
  EXPECT_THAT(prepared.report.lines(), HasSubstr(R"("at":"c.yaml:4:13","kind":"other")"));
  EXPECT_THAT(prepared.report.lines(), HasSubstr(R"("at":"c.yaml:5:24","kind":"run")"));
}

TEST(PromptfooSuite, finds_tests_by_globs) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "globs";
  std::filesystem::create_directories(folder / "tests" / "deep");
  std::ofstream(folder / "tests" / "a.yaml") << "- vars: {q: one}\n";
  std::ofstream(folder / "tests" / "deep" / "b.yml") << "- vars: {q: two}\n";
  const std::vector<std::pair<std::string, std::size_t>> globs{{"file://./tests/*.yaml", 1},
                                                               {"tests/**/*.{yaml,yml}", 2},
                                                               {"file://tests/**", 2},
                                                               {"other/*.yaml", 0}};
  for (const auto& [glob, count] : globs) {
    std::ofstream(folder / "c.yaml") << "prompts: ['{{q}}']\ntests: ['" + glob + "']\n";
    Options options;
    options.format = "promptfoo";
    options.paths = {(folder / "c.yaml").string()};
    Conversion conversion(options);
    const Prepared prepared = prepare(conversion);
    EXPECT_EQ(prepared.totals.tests, count) << glob;
    EXPECT_EQ(prepared.report.count(Outcome::not_mapped), count == 0 ? 1U : 0U) << glob;
  }
}

TEST(PromptfooSuite, reads_thresholds_of_columns) {
  const Converted out =
      convert_text("promptfoo", "t.csv",
                   "q,__expected,__expected2,__config:__expected:threshold,__config:__expected2:threshold\n"
                   "hello,latency,cost,1500,0.2\n");
  EXPECT_THAT(out.suite, HasSubstr("1500"));
  EXPECT_THAT(out.suite, HasSubstr("0.2"));
}

TEST(PromptfooSuite, reads_cells_as_the_source_does) {
  const Converted out = convert_text("promptfoo", "t.csv",
                                     "q,__expected1,__expected2,__metadata:tags[]\n"
                                     "hello,latency(1500),javascript:file://check.js,\"a,b\\, c\"\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(response-time: {"max": 1500})"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"{\"tags\":[\"a\",\"b, c\"]}")"));
  EXPECT_THAT(out.report, HasSubstr("code is never run"));
}

TEST(PromptfooSuite, marks_a_threshold_over_the_checks_that_are_left) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars: {q: hello}
    threshold: 0.5
    assert: [{type: contains, value: a}, {type: contains, value: b}, {type: javascript, value: "true"}]
)yaml");
  EXPECT_THAT(out.report, HasSubstr(R"("outcome":"approximated","became":"assert-set")"));
}

TEST(PromptfooSuite, recognizes_a_configuration_of_attacks) {
  const Format* format = recognized("c.yaml", "targets: [openai:gpt-4o]\nredteam: {plugins: [pii]}\n");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "promptfoo");
}

}  // namespace
}  // namespace parley::convert
