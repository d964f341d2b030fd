#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

TEST(Botium, expands_utterances_and_finds_cycles) {
  const Converted out = convert_text("botium", "a.convo.txt",
                                     "hello\n\n#me\nhi\n\n#bot\n!bye\nINTENT greet\n\n#bot\nsee *you*\n");
  EXPECT_THAT(out.suite, HasSubstr("not: true"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/nlp/intent/name")"));
  EXPECT_THAT(
      out.suite,
      HasSubstr(
          R"(- wildcard: {"pattern": "*see *you**", "ignore": ["case", "whitespace"], "scope": "turn:0"})"));
  EXPECT_THAT(convert_text("botium", "a.convo.txt", "x\n\n#me\nhi\nINCLUDE y\n").prepared.faults,
              HasSubstr("a.convo.txt:5:1: error: there is no partial conversation \"y\""));
}

TEST(Botium, knows_the_asserters_and_marks_of_the_source) {
  Options options;
  options.format = "botium";
  options.paths = {"a.convo.txt", "u.utterances.txt"};
  Conversion conversion(options);
  conversion.inputs.give("a.convo.txt",
                         "x\n\n#me\nhi\n\n#bot\n!!wow\n!wow\nTEXT_WILDCARDEXACT_ANY a*b\nTEXT_WER "
                         "hello|0.5\nTEXT_CONTAINS_ANY one\\|two|GREET\n");
  conversion.inputs.give("u.utterances.txt", "GREET\nhello\nhi\n");
  const Prepared prepared = prepare(conversion);
  ASSERT_FALSE(prepared.files.empty());
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(
      suite,
      HasSubstr(R"(- icontains: {"value": "!wow\n!wow", "ignore": ["whitespace"], "scope": "turn:0"})"));
  EXPECT_THAT(suite, HasSubstr(R"("pattern": "a*b")"));
  EXPECT_THAT(suite, HasSubstr(R"("values": ["one|two", "hello", "hi"])"));
  EXPECT_THAT(suite, testing::Not(HasSubstr("not: true")));
  EXPECT_THAT(prepared.report.lines(),
              HasSubstr(R"("source":"TEXT_WER","text":"hello|0.5","outcome":"not_mapped")"));
}

TEST(Botium, keeps_empty_lines_within_a_text) {
  const Converted out =
      convert_text("botium", "a.convo.txt", "x\n\n#me\nhi\n\n#bot\none\n\ntwo\n\nINTENT greet\nthree\n\n");
  EXPECT_THAT(out.suite, HasSubstr(R"("value": "one\n\ntwo\nthree")"));
}

TEST(Botium, reads_objects_of_yaml_and_json) {
  const Converted out = convert_text("botium", "convos.yml", R"yaml(
convos:
  - name: orders
    steps:
      - me: [order $size, {PAUSE: [500]}]
      - bot:
          - {asserter: INTENT, args: order, not: true}
          - OPTIONAL_TEXT: hello
      - include: [thanks]
partialConvos:
  - {name: thanks, steps: [{me: [thanks]}, {bot: [welcome]}]}
scriptingMemory:
  - {header: {name: a}, values: {$size: small}}
  - {header: {name: b}, values: {$size: large}}
)yaml");
  EXPECT_EQ(out.prepared.totals.tests, 2U);
  EXPECT_THAT(out.suite, HasSubstr("say: \"order small\"\n      say: \"thanks\""));
  EXPECT_THAT(out.suite, HasSubstr("say: \"order large\""));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"PAUSE","text":"500","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"optional step","text":"!INTENT order")"));
}

TEST(Botium, reads_csv_by_the_order_of_its_columns) {
  const Converted out = convert_text("botium", "a.convo.csv", "id,who,said\none,me,hi\none,bot,hello\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"hi\""));
  EXPECT_THAT(out.suite, HasSubstr(R"(icontains: {"value": "hello")"));
}

TEST(Botium, reads_yaml_and_json_of_a_folder_by_their_keys) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "object_files";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "main.json") << R"({"convos":[{"name":"x","steps":[{"include":["hello"]}]}]})";
  std::ofstream(folder / "parts.yml")
      << "partialConvos: [{name: hello, steps: [{me: [hi]}, {bot: [hello]}]}]\n";
  std::ofstream(folder / "package.json") << R"({"name":"other"})";
  Options options;
  options.format = "botium";
  options.paths = {folder.string()};
  Conversion conversion(options);
  const Prepared prepared = prepare(conversion);
  EXPECT_EQ(prepared.faults, "");
  EXPECT_EQ(prepared.totals.tests, 1U);
}

TEST(Botium, leaves_out_what_it_skips) {
  const Converted out = convert_text("botium", "a.convo.txt", "Skip-orders\n\n#me\nhi\n\n#bot\nhello\n");
  EXPECT_EQ(out.prepared.totals.tests, 0U);
  EXPECT_THAT(out.report, HasSubstr(R"("source":"skip","text":"Skip-orders","outcome":"ignored")"));
}

Prepared convert_with_utterances(std::size_t count) {
  Options options;
  options.format = "botium";
  options.paths = {"a.convo.txt", "b.convo.txt", "u.utterances.txt"};
  std::string utterances = "GREET\n";
  for (std::size_t i = 0; i < count; ++i) utterances += "hello " + std::to_string(i) + "\n";
  Conversion conversion(options);
  conversion.inputs.give("a.convo.txt", "greets\n\n#me\nGREET\n\n#bot\nHi\n");
  conversion.inputs.give("b.convo.txt", "greets\n\n#me\nGREET\n\n#bot\nHi\n");
  conversion.inputs.give("u.utterances.txt", utterances);
  return prepare(conversion);
}

TEST(Botium, numbers_the_tests_of_a_conversation) {
  const Prepared prepared = convert_with_utterances(3);
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr("greets 3"));
  EXPECT_EQ(prepared.totals.tests, 6U);
}

TEST(Botium, stops_at_the_most_tests) {
  const Prepared prepared = convert_with_utterances(15'000);
  EXPECT_THAT(prepared.faults, HasSubstr("b.convo.txt:1:1: error: more than 20,000 tests"));
  EXPECT_TRUE(prepared.files.empty());
}

TEST(Botium, names_the_kinds_of_files_that_a_folder_may_have) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "only_markdown";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.convo.md") << "# greets\n";
  Options options;
  options.format = "botium";
  options.paths = {folder.string()};
  Conversion conversion(options);
  EXPECT_THAT(prepare(conversion).faults,
              HasSubstr("(*.convo.txt, .csv, .yaml, .yml or .json) in the folder; Markdown and Excel files"));
}

TEST(Botium, ignores_blanks_and_takes_any_text_for_a_star) {
  const Converted out =
      convert_text("botium", "a.convo.txt", "a\n\n#me\nhi\n\n#bot\nHow are you\n\n#bot\n*\n");
  EXPECT_THAT(out.suite,
              HasSubstr(R"({"value": "How are you", "ignore": ["whitespace"], "scope": "turn:0"})"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- min-length: {"value": 1, "scope": "turn:0"})"));
}

Prepared convert_files(const std::vector<std::pair<std::string, std::string>>& files) {
  Options options;
  options.format = "botium";
  Conversion conversion(options);
  for (const auto& [path, text] : files) {
    conversion.options.paths.push_back(path);
    conversion.inputs.give(path, text);
  }
  return prepare(conversion);
}

std::string suite_of(const Prepared& prepared) {
  return prepared.files.empty() ? std::string() : prepared.files.front().content;
}

TEST(Botium, looks_for_values_as_the_source_does) {
  const Converted out = convert_text("botium", "a.convo.txt",
                                     "a\n\n#me\nhi\n\n#bot\nJSON_PATH $.a.b|on*off.\nJSON_PATH $.a.n|3\n"
                                     "JSON_PATH $.a.c\nBUTTONS\n");
  EXPECT_THAT(out.suite,
              HasSubstr(R"("pointer": "/a/b", "entries": "messages", "matches": "(?is)on.*off\\.")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("oneOf": ["3", 3])"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/a/c", "entries": "messages", "notEquals": null)"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/buttons", "entries": "messages", "notEquals": null)"));
}

TEST(Botium, keeps_descriptions_and_refuses_lists_of_other_things) {
  const Converted out = convert_text("botium", "a.convo.txt",
                                     "greets\nAbout mornings\n\n#me\nhi\n\n#bot\nTEXT\n\n#bot\n!TEXT_IC\n");
  EXPECT_THAT(out.suite, HasSubstr("About mornings\\nImported from a.convo.txt:1"));
  EXPECT_THAT(out.suite, HasSubstr(R"(- min-length: {"value": 1, "scope": "turn:0"})"
                                   "\n        not: true\n"));
  EXPECT_THAT(convert_text("botium", "a.json", R"([{"intent": "greet"}])").prepared.faults,
              HasSubstr("a.json:1:2: error: a conversation needs \"steps\""));
}

TEST(BotiumMemory, may_have_its_cases_in_columns_and_in_several_files) {
  const Prepared prepared =
      convert_files({{"order.convo.txt", "order\n\n#me\nOne $drink, please\n\n#bot\nA $drink for $guest\n"},
                     {"a.scriptingmemory.txt", "       | hot    | cold\n$drink | coffee | juice\n"},
                     {"b.scriptingmemory.txt", "      | $drink\nwarm  | tea\n"},
                     {"c.scriptingmemory.txt", "      | $guest\nann   | Ann\n"},
                     {"d.scriptingmemory.txt", "      | $drinks\nother | none\n"}});
  EXPECT_EQ(prepared.totals.tests, 3U);
  EXPECT_THAT(suite_of(prepared), HasSubstr("name: \"order.hot.ann\""));
  EXPECT_THAT(suite_of(prepared), HasSubstr("say: \"One juice, please\""));
  EXPECT_THAT(suite_of(prepared), HasSubstr(R"("value": "A tea for Ann")"));
}

TEST(BotiumMemory, reaches_variables_in_utterances) {
  const Prepared prepared = convert_files({{"order.convo.txt", "order\n\n#me\nORDER\nPAUSE 10\n\n#bot\n*\n"},
                                           {"u.utterances.txt", "ORDER\na $drink\none $drink\n"},
                                           {"a.scriptingmemory.txt", "|$drink\nhot|tea\n"}});
  EXPECT_EQ(prepared.totals.tests, 2U);
  EXPECT_THAT(suite_of(prepared), HasSubstr("say: \"one tea\""));
  EXPECT_THAT(suite_of(prepared), HasSubstr(R"(- min-length: {"value": 1, "scope": "turn:0"})"));
}

TEST(BotiumUtterances, take_arguments) {
  const Prepared prepared =
      convert_files({{"order.convo.txt", "order\n\n#me\nORDER tea two\n\n#bot\nTHANKS Ann\n"},
                     {"u.utterances.txt", "ORDER\na %s, please\n%s %s\n"},
                     {"v.utterances.csv", "THANKS,BYE\n\"Thanks, %s\",Bye\nWell done,\n"}});
  EXPECT_EQ(prepared.totals.tests, 2U);
  EXPECT_THAT(suite_of(prepared), HasSubstr("say: \"a tea, please two\""));
  EXPECT_THAT(suite_of(prepared), HasSubstr("say: \"tea two\""));
  EXPECT_THAT(suite_of(prepared), HasSubstr(R"("values": ["Thanks, Ann", "Well done Ann"])"));
  EXPECT_THAT(prepared.report.lines(), testing::Not(HasSubstr("word in capitals")));
}

TEST(BotiumVariables, that_are_captured_cannot_be_said) {
  const Prepared prepared = convert_files(
      {{"a.convo.txt",
        "a\n\n#me\nhi\n\n#bot\nAGE\nASSIGN_SCRIPTING_MEMORY card|$.cards[0]\n\n"
        "#me\nBUTTON $card\n\n#bot\nok\n\n#me\nI am $years\n\n#me\nuntil $tomorrow\n\n#bot\n!$years\n"},
       {"u.utterances.txt", "AGE\nyou are $years old\nyou have $months months\n"}});
  EXPECT_EQ(prepared.totals.disabled, 1U);
  EXPECT_EQ(prepared.totals.turns, 4U);  // kept in their places, so that a person can replace them
  const std::string& report = prepared.report.lines();
  EXPECT_THAT(report, HasSubstr("$card is known only at run time"));
  EXPECT_THAT(report, HasSubstr("$years is known only at run time"));
  EXPECT_THAT(report, HasSubstr("$tomorrow is known only at run time"));
  EXPECT_THAT(report, HasSubstr(R"("source":"!text","text":"$years","outcome":"not_mapped")"));
  EXPECT_THAT(suite_of(prepared), HasSubstr(R"("pattern": "*you are * old*")"));
}

TEST(BotiumSteps, that_do_not_always_count_are_reported) {
  const Converted out = convert_text("botium", "a.convo.txt",
                                     "a\n\n#me\nPAUSE 10\nhi\n\n#bot\nWe are open\n"
                                     "CONDITIONAL_STEP_TIME_BASED {\"start\":\"8:00\",\"end\":\"9:00\"}\n\n"
                                     "#bot\n{\"open\": true}\n\n#end\n!BOT_CONSUMED\n");
  EXPECT_THAT(out.report, HasSubstr(R"("at":"a.convo.txt:5:1","kind":"turn")"));
  EXPECT_THAT(out.report,
              HasSubstr(R"("source":"conditional step","text":"We are open","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr("JSON is compared with the data of the connector"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"!BOT_CONSUMED","outcome":"not_mapped")"));
  EXPECT_EQ(out.prepared.totals.disabled, 1U);  // no assertion is left
}

TEST(BotiumSteps, of_a_bot_that_speaks_first_are_about_the_first_turn) {
  const Converted out =
      convert_text("botium", "a.convo.txt", "a\n\n#bot\nGood morning\n\n#me\nhi\n\n#bot\nHello\n");
  EXPECT_THAT(out.report, HasSubstr(R"("at":"a.convo.txt:3:1")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::not_mapped), 1U);
  EXPECT_THAT(out.suite,
              HasSubstr(R"({"value": "Good morning", "ignore": ["whitespace"], "scope": "turn:0"})"));
}

}  // namespace
}  // namespace parley::convert
