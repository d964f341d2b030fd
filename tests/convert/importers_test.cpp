#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ChatMessages, become_logs_with_their_calls) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      R"({"messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"hi"},)"
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"find","arguments":"{\"q\":1}"}}]},)"
      R"({"role":"tool","tool_call_id":"c1","content":"none"},{"role":"assistant","content":"Hello."}]})"
      "\n");
  EXPECT_EQ(
      out.logs,
      R"({"externalId":"a#1","externalSource":"openai-jsonl","description":"Imported from a.jsonl:1","metadata":{"system":"Be kind."},)"
      R"("conversation":[{"role":"tester","content":"hi"},)"
      R"({"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":{"q":1},"id":"c1","result":"none"}},)"
      R"({"role":"chatbot","content":"Hello."}]})"
      "\n");
  EXPECT_EQ(out.prepared.totals.entries.tool, 1U);
}

TEST(ChatMessages, have_the_history_before_the_query) {
  const Converted out = convert_text("openai-jsonl", "a.jsonl",
                                     R"({"query":"And now?","response":"Tea.","history":[["Hi","Hello."]]})"
                                     "\n"
                                     R"({"query":"Tea?","response":"Yes.","history":[]})"
                                     "\n");
  EXPECT_THAT(out.logs, HasSubstr(R"("conversation":[{"role":"tester","content":"Hi"},)"
                                  R"({"role":"chatbot","content":"Hello."},)"
                                  R"({"role":"tester","content":"And now?"},)"
                                  R"({"role":"chatbot","content":"Tea."}])"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(ChatMessages, have_calls_that_are_json_text) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      R"({"messages":[{"role":"user","content":[{"type":"text","value":"Find tea"}]},)"
      R"({"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"find\",\"arguments\":{\"q\":1}}"}]},)"
      R"({"role":"tool","content":[{"type":"text","value":"none"}]}]})"
      "\n");
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"find","metadata":{"arguments":{"q":1},"result":"none"})"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(ChatMessages, keep_that_a_call_failed) {
  const Converted out = convert_text(
      "openai-jsonl", "a.jsonl",
      R"({"messages":[{"role":"user","content":"Find tea"},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"find","input":{"q":1}},)"
      R"({"type":"tool_use","id":"t2","name":"find","input":{"q":2}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":false,"content":"none"},)"
      R"({"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"down"}]}]})"
      "\n");
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"q":1},"id":"t1","result":"down","error":true})"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"q":2},"id":"t2","result":"none"})"));
}

TEST(ChatMessages, know_the_products_that_answer_in_sharegpt) {
  for (const std::string product : {"chatgpt", "bing", "bard", "google_bard"}) {
    const Converted out = convert_text("sharegpt", "a.json",
                                       R"([{"conversations":[{"from":"human","value":"Tea?"},{"from":")" +
                                           product + R"(","value":"Yes."}]}])");
    EXPECT_THAT(out.logs, HasSubstr(R"({"role":"chatbot","content":"Yes."}])")) << product;
  }
}

TEST(ChatMessages, end_with_the_chosen_answer) {
  const Converted out = convert_text("sharegpt", "a.json",
                                     R"([{"conversations":[{"from":"human","value":"Tea?"}],)"
                                     R"("chosen":{"from":"gpt","value":"Yes."},)"
                                     R"("rejected":{"from":"gpt","value":"No."}}])");
  EXPECT_THAT(out.logs,
              HasSubstr(R"({"role":"tester","content":"Tea?"},{"role":"chatbot","content":"Yes."}])"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"rejected")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
}

TEST(Promptfoo, maps_its_assertions_by_the_table) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["Answer {{q}}"]
tests:
  - description: First
    vars: {q: why}
    assert:
      - {type: icontains, value: because}
      - {type: not-regex, value: "[0-9]+", weight: 2, metric: no digits}
      - {type: regex, value: "(?=a)b"}
      - {type: javascript, value: "output.length < 5"}
      - {type: llm-rubric, value: "Says {{q}}"}
  - vars: {q: how}
    assert: [{type: "similar:cosine", value: x}]
)yaml");
  EXPECT_EQ(out.prepared.faults, "");
  EXPECT_THAT(out.suite, HasSubstr("say: \"Answer why\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(- icontains: {"value": "because", "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- regex: {"pattern": "[0-9]+", "scope": "turn:0"})"
                                   "\n        name: \"no digits\"\n        not: true\n        weight: 2"));
  EXPECT_THAT(out.suite, HasSubstr("- criteria: \"Says why\""));
  EXPECT_THAT(out.suite, HasSubstr("enabled: false"));
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 3U);
  EXPECT_THAT(out.report, HasSubstr("similarity by embeddings needs a model"));
}

TEST(Promptfoo, makes_a_conversation_of_rows_with_one_id) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ['[{"role": "user", "content": "{{q}} {% for m in _conversation %}{% endfor %}"}]']
tests:
  - {vars: {q: one}, metadata: {conversationId: a}, assert: [{type: contains, value: x}]}
  - {vars: {q: two}, metadata: {conversationId: a}, assert: [{type: contains, value: y}]}
  - {vars: {q: three}, metadata: {conversationId: b}}
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_EQ(out.prepared.totals.turns, 3U);
  EXPECT_THAT(out.suite, HasSubstr(R"({"value": "y", "ignore": [], "scope": "turn:1"})"));
}

TEST(Promptfoo, reads_the_files_that_variables_and_values_name) {
  Options options;
  options.format = "promptfoo";
  options.paths = {"c.yaml"};
  Conversion conversion(options);
  conversion.inputs.give("q.txt", " Where is my order?\n");
  conversion.inputs.give("wanted.yaml", "type: object\nrequired: [id]\n");
  conversion.inputs.give("c.yaml", R"yaml(
prompts: ["{{q}}"]
tests:
  - vars: {q: file://q.txt}
    assert:
      - {type: is-json, value: file://wanted.yaml}
      - {type: contains, value: file://missing.txt}
      - {type: contains, value: "{% if q %}x{% endif %}"}
  - vars: {q: file://make.js}
    assert: [{type: contains, value: x}]
)yaml");
  const Prepared prepared = prepare(conversion);
  EXPECT_EQ(prepared.faults, "");
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(suite, HasSubstr("say: \"Where is my order?\""));
  EXPECT_THAT(suite, HasSubstr(R"("schema": {"type": "object", "required": ["id"]})"));
  EXPECT_THAT(suite, Not(HasSubstr("missing.txt")));
  EXPECT_EQ(prepared.totals.disabled, 1U);
  EXPECT_EQ(prepared.report.count(Outcome::not_mapped), 3U);
}

TEST(Promptfoo, fills_in_templates_of_assertions) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
assertionTemplates: {polite: {type: llm-rubric, value: Is polite}}
defaultTest: {assert: [{$ref: "#/assertionTemplates/polite"}]}
tests:
  - vars: {q: hello}
    assert: [{$ref: "#/assertionTemplates/rude"}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("- criteria: \"Is polite\""));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
}

TEST(Promptfoo, proposes_agents_in_comments) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
providers:
  - openai:chat:gpt-4o-mini
  - id: https
    label: Our bot
    config:
      url: https://bot.example/turn
      headers: {Authorization: Bearer canary, X-Team: a}
      body: {text: "{{ prompt }}"}
      transformResponse: json.answers[0].text
  - anthropic:messages:x
tests: [{vars: {q: hello}}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("  # gpt-4o-mini:\n  #   openai: \"https://api.openai.com/v1\"\n"));
  EXPECT_THAT(out.suite, HasSubstr("  # our-bot:\n"
                                   "  #   http: \"https://bot.example/turn\"\n"
                                   "  #   request: {\"text\": \"{{message}}\"}\n"
                                   "  #   reply: {message: \"/answers/0/text\"}\n"
                                   "  #   headers: {\"X-Team\": \"a\"}\n"
                                   "  #   secrets: {\"Authorization\": \"${AGENT_KEY}\"}\n"));
  EXPECT_THAT(out.suite, Not(HasSubstr("anthropic")));
}

TEST(Promptfoo, shows_no_keys_of_providers) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["{{q}}"]
env: {OPENAI_API_KEY: canary-1}
providers:
  - {id: "https", config: {url: "https://bot.example", headers: {Authorization: Bearer canary-2}}}
tests:
  - vars: {q: hello}
    assert: [{type: llm-rubric, value: x, provider: {id: openai, config: {apiKey: canary-3}}}]
)yaml");
  EXPECT_THAT(out.report, HasSubstr("https://bot.example"));
  EXPECT_THAT(out.report, Not(HasSubstr("canary")));
  EXPECT_THAT(out.suite, Not(HasSubstr("canary")));
}

TEST(Promptfoo, takes_the_simulated_user_as_a_goal) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: [You are an agent]
defaultTest: {provider: {id: "promptfoo:simulated-user", config: {maxTurns: 4}}}
tests:
  - vars: {instructions: Book a flight.}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("goal: |-\n      Book a flight."));
  EXPECT_THAT(out.suite, HasSubstr("max-turns: 4"));
}

TEST(Tables, decide_by_length_between_text_and_judge) {
  const Converted out = convert_text(
      "table", "t.csv", "question,answer\nWhat is 2+2?,4\nWhy?,Because the sky scatters blue light.\n");
  EXPECT_THAT(out.suite, HasSubstr(R"(- contains: {"value": "4", "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr("- criteria: "));
  EXPECT_THAT(out.prepared.notes, HasSubstr("say question; expect answer"));
}

TEST(Tables, ask_for_the_column_of_the_user) {
  const Converted out = convert_text("table", "t.csv", "a,b\n1,2\n");
  EXPECT_THAT(out.prepared.faults, HasSubstr("t.csv:1:1: error: no column is known to be the user's text"));
  EXPECT_TRUE(out.prepared.files.empty());
}

TEST(Rasa, strips_entities_and_says_intents) {
  const Converted out = convert_text("rasa", "s.md",
                                     "## story\n* greet: hi [Ann](name)\n  - utter_greet\n* ask{\"city\": "
                                     "\"Oslo\"}\n  - action_find\n> later\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"hi Ann\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "/ask{\"city\": \"Oslo\"}")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/utter_action")"));
  EXPECT_THAT(out.suite, HasSubstr("enabled: false"));
}

TEST(Tau2, compares_arguments_as_the_source_does) {
  const Converted out =
      convert_text("tau2", "t.json", R"([{"id":"1","user_scenario":{"instructions":"Do it.","persona":"calm"},
 "evaluation_criteria":{"actions":[{"name":"a","arguments":{"x":1}},{"name":"b","arguments":{"x":1,"y":2},"compare_args":["x"]},
 {"name":"c","arguments":{"x":1},"compare_args":[]},{"name":"d","requestor":"user"}],"communicate_info":["1,200"],"reward_basis":["ACTION"]}}])");
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- tool-called: {"name": "a", "arguments": {"x": 1}, "mode": "within"})"));
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"(- tool-called: {"name": "b", "arguments": {"x": 1}, "keys": ["x"], "mode": "exact"})"));
  EXPECT_THAT(out.suite, HasSubstr("- tool-called: {\"name\": \"c\"}\n"));
  EXPECT_THAT(out.suite, HasSubstr("could:\n      - contains"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
}

TEST(Importers, name_another_format) {
  const Converted out = convert_text("adk", "a.json", R"({"prompts": [], "tests": []})");
  EXPECT_THAT(out.prepared.faults, HasSubstr("a.json:1:1: error: not an ADK eval set"));
}

TEST(Importers, escape_what_a_suite_would_replace) {
  const Converted out = convert_text("table", "t.csv", "question,answer\nfile:/etc/passwd ${HOME},${KEY}\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"file:/etc/passwd $${HOME}\""));
  EXPECT_THAT(out.suite, HasSubstr("\"$${KEY}\""));
  EXPECT_THAT(out.suite, Not(HasSubstr(" ${")));
}

}  // namespace
}  // namespace parley::convert
