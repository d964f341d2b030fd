#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* turn_evals = R"yaml(
config: {modality: TEXT}
conversations:
  - conversation: Opening
    event: session_start
    expectations:
      - {type: contains, value: Welcome}
  - conversation: Looks up a lamp
    user: a red lamp
    variables: {first_turn: true}
    expectations:
      - {type: tool_called, value: find_lamps}
      - {type: tool_output, value: {find_lamps: {}}}
      - {type: equals, value: " Here is one. "}
  - conversation: Remembers
    user: What did I want?
    historical_contexts:
      - {user: I want a lamp.}
      - {agent: Which one?, name: Clerk}
    expectations: [{type: no_tools_called, value: null}]
  - conversation: Elsewhere
    user: And then?
    historical_contexts: session-1
    turn_count: 5
    expectations: [{type: contains, value: "Yes"}]
  - conversation: Two turns
    turns:
      - {turn: one, user: Hello, expectations: [{type: no_tools_called}]}
      - {turn: two, user: A lamp, variables: {hall: true}}
)yaml";

TEST(Cxas, reads_turn_evals_that_begin_with_an_event) {
  const Converted out = convert_recognized("turns.yaml", turn_evals);
  EXPECT_EQ(out.prepared.faults, "");
  EXPECT_EQ(out.prepared.totals.format, "cxas");
  EXPECT_EQ(out.prepared.totals.tests, 5U);
  EXPECT_EQ(out.prepared.totals.disabled, 1U);  // the one that consists of an event only
  EXPECT_EQ(out.prepared.totals.turns, 5U);
  EXPECT_THAT(out.report, HasSubstr(R"("source":"session event")"));
}

TEST(Cxas, compares_texts_exactly_and_reads_results_by_the_name_of_their_tool) {
  const Converted out = convert_text("cxas", "turns.yaml", turn_evals);
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- equals: {"value": "Here is one.", "ignore": [], "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"("name": "find_lamps", "contains": {})"));
  EXPECT_THAT(out.suite, HasSubstr(R"("contains": {"find_lamps": {}})"));
}

TEST(Cxas, keeps_variables_and_what_was_said_before) {
  const Converted out = convert_text("cxas", "turns.yaml", turn_evals);
  EXPECT_THAT(out.suite, HasSubstr(R"("first_turn": true)"));
  EXPECT_THAT(out.suite, HasSubstr("Which one?"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"turn_count")"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"hall: true","outcome":"not_mapped")"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- tools-allowed: {"names": []})"));
}

TEST(Cxas, takes_events_in_user_turns_as_events) {
  const Converted out = convert_text("cxas", "golden.yaml", R"yaml(
conversations:
  - conversation: greets
    turns:
      - {user: "<event>welcome</event>", agent: Good morning}
      - {user: Tea, agent: It comes.}
  - conversation: waits
    turns:
      - {user: Tea, agent: It comes.}
      - {user: "<event>silence</event>", agent: Are you there?}
)yaml");
  EXPECT_EQ(out.prepared.totals.turns, 2U);
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.suite, testing::Not(HasSubstr("<event>")));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"session event","text":"welcome","outcome":"not_mapped")"));
}

TEST(Cxas, compares_arguments_by_their_rules) {
  const Converted out = convert_text("cxas", "golden.yaml", R"yaml(
conversations:
  - conversation: orders
    turns:
      - user: Tea
        agent: It comes.
        tool_calls:
          - action: order
            args:
              what: {$matchType: exact, value: tea}
              note: {$matchType: contains, $matchValue: hot, $originalValue: ""}
              day: {$matchType: ignore, $matchValue: "", $originalValue: ""}
            output: {price: 3}
)yaml");
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"(- tool-called: {"name": "order", "scope": "turn:0", "arguments": {"what": "tea"}})"));
  EXPECT_THAT(
      out.suite,
      HasSubstr(
          R"({"pointer": "/arguments/note", "entries": "tools", "name": "order", "contains": "hot", "which": "turn:0"})"));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"tool output","text":"{\"price\":3}","outcome":"not_mapped")"));
}

TEST(Cxas, reads_simulations_without_a_key) {
  const Converted out = convert_recognized("sims.yaml", R"yaml(
- name: refund
  steps:
    - {static_utterance: My cup broke., inject_variables: {plan: basic}}
    - {goal: Get a refund, success_criteria: The agent refunds.}
)yaml");
  EXPECT_EQ(out.prepared.totals.format, "cxas");
  EXPECT_THAT(out.suite, HasSubstr("first: \"My cup broke.\""));
  EXPECT_THAT(out.suite, HasSubstr("Step 1: Say exactly: My cup broke."));
  EXPECT_THAT(out.suite, HasSubstr(R"("plan": "basic")"));
}

TEST(DialogflowCx, compares_what_its_test_cases_compare) {
  const Converted out = convert_recognized("case.json", R"({"displayName": "Orders tea", "tags": ["#smoke"],
    "testConfig": {"flow": "f", "trackingParameters": ["cups"]}, "testCaseConversationTurns": [
    {"userInput": {"input": {"event": {"event": "WELCOME"}}, "injectedParameters": {"plan": "basic"}},
     "virtualAgentOutput": {"textResponses": [{"text": ["Good morning", "Hello"]}]}},
    {"userInput": {"input": {"text": {"text": "Tea"}}},
     "virtualAgentOutput": {"triggeredIntent": {"name": "projects/p/intents/1", "displayName": "order"},
       "currentPage": {"displayName": "Cups"}, "sessionParameters": {"cups": 2, "day": "Monday"}}}]})");
  EXPECT_EQ(out.prepared.totals.format, "cxas");
  EXPECT_EQ(out.prepared.totals.turns, 1U);
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
  EXPECT_THAT(out.suite, HasSubstr("name: \"Orders tea\""));
  EXPECT_THAT(out.suite, HasSubstr(R"("plan": "basic")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("match": "any")"));
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"("pointer": "/intent", "entries": "messages", "equals": "order", "which": "turn:0")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/page", "entries": "messages", "equals": "Cups")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/parameters/cups", "entries": "messages", "equals": 2)"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"day: Monday","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr("only a client-driven agent can speak first"));
}

TEST(DialogflowCx, disables_cases_with_keys) {
  const Converted out = convert_text("cxas", "cases.json", R"({"testCases": [{"displayName": "a",
    "testCaseConversationTurns": [{"userInput": {"input": {"text": {"text": "Hi"}}}},
    {"userInput": {"input": {"dtmf": {"digits": "3"}}}}]}]})");
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.report, HasSubstr(R"("source":"dtmf","text":"{\"digits\":\"3\"}","outcome":"not_mapped")"));
}

TEST(Adk, reads_rubrics_of_a_turn_and_the_last_state) {
  const Converted out = convert_text("adk", "a.json", R"({"eval_cases": [{"eval_id": "one",
    "conversation": [
      {"user_content": {"parts": [{"text": "Hi"}]}},
      {"user_content": {"parts": [{"text": "Tea"}]},
       "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "It is polite."}}]}],
    "rubrics": [{"rubric_id": "s", "rubric_content": "It is short."}, {"rubric_id": "t"}],
    "final_session_state": {"cups": 1}}]})");
  EXPECT_THAT(out.suite, HasSubstr("About the answer to turn 2 of the user: It is polite."));
  EXPECT_THAT(out.suite, HasSubstr("criteria: \"It is short.\""));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"rubric","text":"{\"rubric_id\":\"t\"}","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"final_session_state","text":"{\"cups\":1}")"));
}

TEST(Adk, reads_scenarios_that_are_no_cases_yet) {
  const Converted out = convert_recognized(
      "s.json", R"({"scenarios": [{"starting_prompt": "Hi", "conversation_plan": "Order tea."},)"
                R"({"starting_prompt": "Hello", "conversation_plan": "Order milk."}]})");
  EXPECT_EQ(out.prepared.totals.format, "adk");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_THAT(out.suite, HasSubstr("Order milk."));
  EXPECT_THAT(out.suite, HasSubstr("first: \"Hello\""));
}

TEST(Adk, reads_the_match_type_and_reports_other_metrics) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "adk_settings";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "test_config.json")
      << R"({"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "match_type": "in_order"}, "safety_v1": 0.8},)"
         R"("user_simulator_config": {"model": "m"}})";
  std::ofstream(folder / "a.json") << R"([{"query": "Tea", "expected_tool_use": [{"tool_name": "order"}]}])";
  Options options;
  options.format = "adk";
  options.paths = {(folder / "a.json").string()};
  const Prepared prepared = prepare(options);
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr(R"("mode": "superset")"));
  EXPECT_THAT(prepared.report.lines(),
              HasSubstr(R"("source":"safety_v1","text":"0.8","outcome":"not_mapped")"));
  EXPECT_THAT(
      prepared.report.lines(),
      HasSubstr(R"("source":"user_simulator_config","text":"{\"model\":\"m\"}","outcome":"not_mapped")"));
}

TEST(Tau2, reads_a_file_that_is_one_task) {
  const Converted out = convert_recognized(
      "task_1.json", R"({"id":"t1","user_scenario":{"instructions":"You lost a key."},)"
                     R"("evaluation_criteria":{"nl_assertions":["It offers a new key."]}})");
  EXPECT_EQ(out.prepared.faults, "");
  EXPECT_EQ(out.prepared.totals.format, "tau2");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_THAT(out.suite, HasSubstr("It offers a new key."));
}

TEST(Tau2, reads_a_file_that_is_one_simulation) {
  const Converted out = convert_recognized(
      "s1.json",
      R"({"id":"s1","task_id":"7","termination_reason":"user_stop","trial":0,)"
      R"("reward_info":{"reward":1.0,"nl_assertions":[{"nl_assertion":"It is polite.","met":true}]},)"
      R"("messages":[{"role":"assistant","content":"Hi."},{"role":"user","content":"A new key, please."}]})");
  EXPECT_EQ(out.prepared.totals.format, "tau2");
  EXPECT_EQ(out.prepared.totals.logs, 1U);
  EXPECT_THAT(out.logs, HasSubstr(R"("externalId":"s1")"));
  EXPECT_THAT(out.logs, HasSubstr(R"("expected":{"c1":true})"));
}

TEST(DeepEval, recognizes_test_cases_without_a_context) {
  const Converted out = convert_recognized("cases.json", R"([{"input":"Where?","actual_output":"Here."}])");
  EXPECT_EQ(out.prepared.totals.format, "deepeval");
  EXPECT_EQ(out.prepared.totals.logs, 1U);
}

TEST(DeepEval, keeps_columns_of_its_own_and_arguments_of_calls) {
  const Converted out =
      convert_text("deepeval", "goldens.json",
                   R"([{"input":"Tea?","actual_output":"Yes.","additional_metadata":{"a":1},)"
                   R"("custom_column_key_values":{"a":2,"topic":"tea"},)"
                   R"("tools_called":[{"name":"find","input":{"q":"tea"}}]}])");
  EXPECT_THAT(out.suite, HasSubstr(R"(metadata: {"a": 1, "topic": "tea"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("name":"find","metadata":{"arguments":{"q":"tea"}})"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 0U);
}

TEST(DeepEval, recognizes_goldens_with_expected_tools) {
  const Converted out =
      convert_recognized("goldens.json", R"([{"input":"Where?","expected_tools":["find"]}])");
  EXPECT_EQ(out.prepared.totals.format, "deepeval");
}

TEST(Cxas, reads_what_the_console_exports) {
  const Converted out = convert_recognized("golden.yaml", R"(displayName: Orders tea
golden:
  turns:
  - steps:
    - userInput: {text: Tea please}
    - expectation: {toolCall: {displayName: order, args: {what: tea}}}
    - expectation: {agentResponse: {chunks: [{text: Your tea comes.}]}}
    - expectation: {note: later}
  evaluationExpectations:
  - llmCriteria: {prompt: Is the agent polite?}
  - projects/p/evaluationExpectations/e
)");
  EXPECT_EQ(out.prepared.totals.format, "cxas");
  EXPECT_THAT(out.suite, HasSubstr("name: \"Orders tea\""));
  EXPECT_THAT(out.suite, HasSubstr("Your tea comes."));
  EXPECT_THAT(
      out.suite,
      HasSubstr(R"(- tool-called: {"name": "order", "scope": "turn:0", "arguments": {"what": "tea"})"));
  EXPECT_THAT(out.suite, HasSubstr("Is the agent polite?"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 2U);
}

TEST(Cxas, allows_calls_in_other_turns) {
  const Converted out = convert_text("cxas", "turns.yaml", R"yaml(
conversations:
  - conversation: Lamps
    turns:
      - {user: Hello, expectations: [{type: no_tools_called}]}
      - {user: A lamp, expectations: [{type: tool_called, value: find_lamps}]}
)yaml");
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- json: {"pointer": "", "entries": "tools", "notEquals": null, "which": "turn:0"})"
                        "\n        not: true\n"));
  EXPECT_THAT(out.suite, Not(HasSubstr("tools-allowed")));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 0U);
}

TEST(Tau2, reports_what_a_history_cannot_hold) {
  const Converted out = convert_text(
      "tau2", "task.json",
      R"({"id":"1","user_scenario":{"instructions":"Ask."},"evaluation_criteria":{"communicate_info":["4"]},)"
      R"("initial_state":{"message_history":[{"role":"user","content":"hi"},)"
      R"({"role":"assistant","content":"Wait.","tool_calls":[{"id":"c1","name":"look","arguments":{}}]},)"
      R"({"role":"tool","id":"c1","content":"x"}]}})");
  EXPECT_THAT(out.suite, HasSubstr("Wait."));
  EXPECT_THAT(out.report, HasSubstr(R"("test":"1","source":"message_history","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("count":2)"));
}

TEST(Adk, says_why_there_is_no_test) {
  EXPECT_THAT(convert_text("adk", "a.json", R"({"eval_set_id":"x","eval_cases":[]})").prepared.faults,
              HasSubstr("the eval set has no cases: \"eval_cases\" is empty"));
}

TEST(DialogflowCx, reports_cases_without_turns_and_what_it_does_not_compare) {
  const Converted out =
      convert_text("cxas", "cases.json", R"([{"displayName": "A", "lastTestResult": {"x": 1},
    "testConfig": {"flow": "f"}, "testCaseConversationTurns": [
      {"userInput": {"input": {"text": {"text": "hi"}}, "isWebhookEnabled": true},
       "virtualAgentOutput": {"status": {"code": 5}, "textResponses": [{"text": ["yo"]}]}}]},
    {"displayName": "Empty", "testCaseConversationTurns": []}, {"displayName": "None", "notes": "n"}])");
  EXPECT_EQ(out.prepared.totals.tests, 3U);
  EXPECT_EQ(out.prepared.totals.disabled, 2U);
  EXPECT_THAT(out.report, HasSubstr(R"("why":"the case has no turns")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"status","text":"{\"code\":5}","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"flow","text":"f","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"lastTestResult","text":"{\"x\":1}","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"isWebhookEnabled","text":"true","outcome":"ignored")"));
}

TEST(Tau2, reports_tickets_and_comments) {
  const Converted out =
      convert_text("tau2", "task.json",
                   R"([{"id":"n","user_scenario":{"instructions":"Ask."},"ticket":"T","issues":["i"],)"
                   R"("description":{"purpose":"p","notes":"my notes","relevant_policies":"rp"},)"
                   R"("evaluation_criteria":{"nl_assertions":["It refuses."]}}])");
  EXPECT_THAT(out.report, HasSubstr(R"("kind":"agent","test":"n","source":"ticket","text":"T")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"notes","text":"my notes","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"relevant_policies","text":"rp","outcome":"ignored")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"issues","text":"[\"i\"]","outcome":"not_mapped")"));
}

TEST(Adk, reports_what_the_source_makes_a_tool_return) {
  const Converted out = convert_text(
      "adk", "a.json",
      R"([{"query":"Tea","expected_tool_use":[{"tool_name":"order","tool_input":{},"mock_tool_output":"ok"}]}])");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"mock_tool_output","text":"\"ok\"","outcome":"not_mapped")"));
}

}  // namespace
}  // namespace parley::convert
