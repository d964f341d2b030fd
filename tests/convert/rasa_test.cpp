#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RasaFiles, are_recognized_by_rules_and_in_folders) {
  const Converted rules = convert_recognized(
      "rules.yml",
      "rules:\n- rule: greet\n  condition: [{active_loop: null}]\n  steps:\n  - intent: hi\n"
      "  - action: utter_hi\n");
  EXPECT_EQ(rules.prepared.totals.format, "rasa");
  EXPECT_THAT(rules.report, HasSubstr(R"("source":"condition")"));
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rasa-folder";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.yml") << "version: '3.1'\nstories:\n- story: a\n  steps: [{user: hi}]\n";
  const Format* format = recognized(folder.string(), "");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "rasa");
}

TEST(RasaFiles, name_their_folder_in_the_header) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rasa-slash";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.yml")
      << "version: '3.1'\nstories:\n- story: a\n  steps: [{user: hi}, {bot: yes}]\n";
  Options options;
  options.format = "rasa";
  for (const char* end : {"", "/"}) {
    options.paths = {folder.string() + end};
    const Prepared prepared = prepare(options);
    ASSERT_FALSE(prepared.files.empty()) << prepared.faults;
    EXPECT_THAT(prepared.files.front().content,
                HasSubstr("# Made by parley convert from rasa (rasa-slash)\n"));
  }
}

TEST(RasaStories, compare_what_the_bot_says) {
  const Converted out = convert_text(
      "rasa", "s.yml", "stories:\n- story: hours\n  steps:\n  - user: When?\n  - bot: From nine to five.\n");
  EXPECT_THAT(out.suite,
              HasSubstr(R"(- equals: {"value": "From nine to five.", "ignore": [], "scope": "turn:0"})"));
}

TEST(RasaStories, say_texts_without_blanks_around) {
  const Converted out = convert_text("rasa", "s.yml", R"yaml(
stories:
  - {story: one, steps: [{user: "hello there\n", intent: greet}, {action: utter_greet}]}
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("say: \"hello there\"\n"));
}

TEST(RasaStories, say_why_they_cannot_be_played) {
  const Converted out = convert_text(
      "rasa", "s.yml", "rules:\n- rule: form\n  steps:\n  - action: city_form\n  - active_loop: city_form\n");
  EXPECT_EQ(out.prepared.totals.disabled, 1U);
  EXPECT_THAT(out.report, HasSubstr(R"("outcome":"not_mapped","why":"the user says nothing")"));
}

TEST(RasaStories, say_that_the_bot_speaks_first) {
  const Converted out = convert_text("rasa", "s.yml", R"yaml(
stories:
  - {story: one, steps: [{action: action_start}, {bot: Good morning}, {bot: Ask me}, {user: hi}, {action: utter_hi}]}
  - {story: two, steps: [{user: hi}, {bot: Good morning}]}
)yaml");
  EXPECT_THAT(out.report, HasSubstr(R"("at":"s.yml:3:)"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"agent speaks first","outcome":"not_mapped")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
}

TEST(RasaStories, of_markdown_may_have_any_heading_and_comments) {
  const Converted out =
      convert_recognized("t.md",
                         "# Tests of the bot\n#### Greetings\n* greet: hi  <!-- short -->\n"
                         "  - utter_hi <!-- one -->\n<!-- later:\n* bye\n-->\n*bye: so long\n"
                         "  -utter_bye\n");
  EXPECT_EQ(out.prepared.totals.format, "rasa");
  EXPECT_EQ(out.prepared.totals.tests, 1U);
  EXPECT_THAT(out.suite, HasSubstr("name: \"Greetings\""));
  EXPECT_THAT(out.suite, HasSubstr("say: \"hi\"\n      say: \"so long\"\n"));
  EXPECT_THAT(out.suite, HasSubstr(R"("equals": "utter_hi")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("equals": "utter_bye")"));
}

TEST(RasaCases, have_texts_without_blanks_around) {
  const Converted out = convert_text("rasa", "t.yml", R"yaml(
test_cases:
  - test_case: hours
    steps:
      - user: |
          When?
      - bot: |
          From nine
          to five.
  - test_case: odd
    steps: [{user: hi, assertions: [{bot_uttered: utter_hi}]}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr("say: \"When?\"\n"));
  EXPECT_THAT(out.suite, HasSubstr(R"("value": "From nine\nto five.")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"bot_uttered","text":"utter_hi","outcome":"not_mapped")"));
}

TEST(RasaSlots, are_compared_in_their_turn) {
  const Converted out = convert_text("rasa", "t.yml", R"yaml(
test_cases:
  - test_case: parcel
    steps:
      - user: Send a parcel
        assertions:
          - slot_was_set: [{name: size, value: null}, {name: street}]
          - slot_was_not_set: [{name: town}]
  - test_case: older steps
    steps:
      - user: Send a parcel
      - slot_was_set: [size: null, street]
)yaml");
  const std::string reset =
      R"(- json: {"pointer": "/size", "entries": "events", "name": "slot", "equals": null, "which": "turn:0"})";
  EXPECT_THAT(out.suite, HasSubstr(reset + "\n"));
  EXPECT_THAT(out.suite,
              HasSubstr(R"("pointer": "/street", "entries": "events", "name": "slot", "notEquals": null)"));
  EXPECT_THAT(out.suite, HasSubstr(R"("notEquals": null, "which": "turn:0"})"
                                   "\n        not: true\n"));
  EXPECT_THAT(out.report, HasSubstr(R"("text":"size: null")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::exact), 7U);
}

TEST(RasaDomain, may_be_a_folder) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rasa-domain";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.yml") << "responses:\n  utter_hi: [{text: Hello there}]\n"
                                     "  utter_answer: [{text: '{answer}'}]\n"
                                     "  utter_map: [{text: Here}, {image: map.png}]\n";
  std::ofstream(folder / "b.yml") << "slots: {city: {type: text}}\n";
  const std::filesystem::path stories = std::filesystem::path(testing::TempDir()) / "rasa-domain-story.yml";
  std::ofstream(stories)
      << "stories:\n- story: greet\n  steps:\n  - user: hi\n  - action: utter_hi\n  - action: utter_answer\n"
      << "  - action: utter_map\n";
  Options options;
  options.format = "rasa";
  options.paths = {stories.string()};
  options.domain = folder.string();
  const Prepared prepared = prepare(options);
  EXPECT_EQ(prepared.faults, "");
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr(R"(- equals: {"value": "Hello there")"));
  EXPECT_THAT(prepared.files.front().content, HasSubstr(R"("equals": "utter_map")"));
  EXPECT_THAT(prepared.files.front().content, HasSubstr(R"(- min-length: {"value": 1, "scope": "turn:0"})"));
}

TEST(RasaMarkdown, has_events_that_are_not_actions) {
  const Converted out = convert_text("rasa", "t.md", R"md(## form
* greet{"name": "Bob"}: hi there Bob
  - form: city_form
  - followup{"name": "x"}
  - rewind
  - restart
  - reset_slots
  - my_event{"a": 1}
  - utter_hi{"a": 1}
* inform{"city": "Oslo", "day": "Monday"}
  - slot{"city": "Oslo"}
)md");
  EXPECT_THAT(out.suite, HasSubstr("say: \"hi there Bob\"\n"));
  EXPECT_THAT(out.suite, Not(HasSubstr("/action\"")));
  EXPECT_THAT(out.suite, HasSubstr(R"("equals": "utter_hi")"));
  for (const std::string name :
       {"form", "followup", "rewind", "restart", "reset_slots", "my_event", "slot_was_set"})
    EXPECT_THAT(out.report, HasSubstr("\"source\":\"" + name + "\"")) << name;
  EXPECT_THAT(
      out.report,
      HasSubstr(
          R"("test":"form","source":"entity","text":"input or internal state of the policy","outcome":"ignored","count":3)"));
}

TEST(RasaMarkdown, may_have_training_data) {
  const std::string data = "## intent:greet\n* hi\n- hello\n## synonym:tea\n- cup of tea\n";
  EXPECT_THAT(convert_text("rasa", "nlu.md", data).prepared.faults, HasSubstr("not a test file of Rasa"));
  const Converted both = convert_text("rasa", "t.md", data + "## one\n* greet: hi\n  - utter_hi\n");
  EXPECT_EQ(both.prepared.totals.tests, 1U);
  EXPECT_THAT(both.suite, HasSubstr("name: \"one\""));
}

TEST(RasaMarkdown, is_recognized_in_folders) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rasa-markdown" / "tests";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "README.md") << "## Install\n* Run it\n";
  EXPECT_EQ(recognized(folder.parent_path().string(), ""), nullptr);
  std::ofstream(folder / "conversation_tests.md") << "## one\n* greet: hi\n  - utter_hi\n";
  const Format* format = recognized(folder.parent_path().string(), "");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->name, "rasa");
  std::filesystem::remove_all(folder.parent_path());
}

TEST(RasaStories, name_a_step_that_is_not_a_mapping) {
  const Converted out =
      convert_text("rasa", "s.yml", "stories:\n- story: a\n  steps: [utter_hi, {user: hi}, {bot: hello}]\n");
  EXPECT_THAT(out.report, HasSubstr(R"("why":"it is not a mapping")"));
}

TEST(RasaCases, do_not_compare_the_step_of_a_flow) {
  const Converted out = convert_text("rasa", "t.yml", R"yaml(
test_cases:
  - test_case: parcel
    steps:
      - user: Send a parcel
        assertions:
          - flow_completed: {flow_id: parcel, flow_step_id: ask_size}
)yaml");
  EXPECT_THAT(out.report, HasSubstr(R"(the step \"ask_size\" of the flow is not checked)"));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 1U);
}

TEST(RasaCases, say_that_a_judge_reads_all_answers_of_the_turn) {
  const Converted out = convert_text("rasa", "t.yml", R"yaml(
test_cases:
  - test_case: parcel
    steps:
      - user: Send a parcel
        assertions:
          - generative_response_is_grounded: {threshold: 0.8, utter_name: utter_price, ground_truth: It costs 5.}
)yaml");
  EXPECT_THAT(out.report, HasSubstr("which reads all answers of the turn and not only utter_price"));
}

}  // namespace
}  // namespace parley::convert
