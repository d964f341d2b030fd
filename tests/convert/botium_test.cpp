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

}  // namespace
}  // namespace parley::convert
