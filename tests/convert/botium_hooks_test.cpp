#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

/// An empty folder for Botium files.
std::filesystem::path new_folder(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

Prepared convert_folder(const std::filesystem::path& folder) {
  Options options;
  options.format = "botium";
  options.paths = {folder.string()};
  return prepare(options);
}

TEST(BotiumHooks, are_known_by_the_names_in_botium_json) {
  const std::filesystem::path folder = new_folder("botium-hooks");
  std::ofstream(folder / "botium.json")
      << R"({"botium": {"Capabilities": {"ASSERTERS": [{"ref": "DUMMY", "src": "./Dummy.js"}, )"
      << R"({"ref": "EVERYWHERE", "src": "./All.js", "global": true}], "LOGIC_HOOKS": [{"ref": "MYHOOK"}]}}})";
  std::ofstream(folder / "a.convo.txt") << "a\n\n#me\nhi\nMYHOOK one|two\n\n#bot\nWelcome\nDUMMY one|two\n";
  const Prepared prepared = convert_folder(folder);
  EXPECT_EQ(prepared.faults, "");
  const std::string& suite = prepared.files.front().content;
  EXPECT_THAT(suite, HasSubstr("say: \"hi\"\n"));
  EXPECT_THAT(suite, HasSubstr(R"("value": "Welcome")"));
  const std::string& report = prepared.report.lines();
  EXPECT_THAT(report, HasSubstr(R"("kind":"check","test":"a","source":"DUMMY","text":"one|two",)"
                                R"("outcome":"not_mapped","why":"code is never run")"));
  EXPECT_THAT(report, HasSubstr(R"("source":"MYHOOK")"));
  EXPECT_THAT(report, HasSubstr(R"("source":"EVERYWHERE","text":"global","outcome":"not_mapped")"));
}

TEST(BotiumHooks, that_no_file_registers_are_texts_with_a_warning) {
  const Converted out =
      convert_text("botium", "a.convo.txt",
                   "a\n\n#me\nMYHOOK one|two\n\n#bot\nWelcome\nSET_TEXT_FROM_HOOK\n\n#bot\nOK\nHELLO\n");
  EXPECT_THAT(out.suite, HasSubstr("say: \"MYHOOK one|two\""));
  EXPECT_THAT(out.suite, HasSubstr(R"("value": "OK\nHELLO")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"word in capitals","text":"MYHOOK one|two")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"word in capitals","text":"SET_TEXT_FROM_HOOK")"));
  EXPECT_THAT(out.report, Not(HasSubstr(R"("source":"word in capitals","text":"HELLO")")));
}

TEST(BotiumHooks, do_not_hide_the_utterance_before_them) {
  Options options;
  options.format = "botium";
  options.paths = {"a.convo.txt", "u.utterances.txt"};
  Conversion conversion(options);
  conversion.inputs.give("a.convo.txt", "a\n\n#me\nGREET\nMYHOOK one|two\n\n#bot\nWELCOME\nDUMMY one|two\n");
  conversion.inputs.give("u.utterances.txt", "GREET\nhello\nhi\n");
  Prepared prepared = prepare(conversion);
  EXPECT_EQ(prepared.totals.tests, 2U);
  EXPECT_THAT(prepared.report.lines(), HasSubstr(R"("source":"MYHOOK","text":"MYHOOK one|two")"));
  EXPECT_THAT(prepared.files.front().content, HasSubstr("say: \"hello\""));

  Conversion again(options);
  again.inputs.give("a.convo.txt", "a\n\n#me\nhi\n\n#bot\nWELCOME\nDUMMY one|two\n");
  again.inputs.give("u.utterances.txt", "WELCOME\nWelcome\n");
  prepared = prepare(again);
  EXPECT_THAT(prepared.files.front().content, HasSubstr(R"("value": "Welcome")"));
  EXPECT_THAT(prepared.report.lines(), HasSubstr(R"("why":"there is no such asserter")"));
}

TEST(BotiumHooks, of_the_conversation_are_reported_by_their_name) {
  const Converted out =
      convert_text("botium", "a.convo.txt", "a\n\n#begin\nMY_SETUP one|two\n\n#me\nhi\n\n#bot\nok\n");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"MY_SETUP","text":"MY_SETUP one|two")"));
}

TEST(BotiumAsserters, report_values_that_cannot_be_compared) {
  const Converted out = convert_text("botium", "a.convo.txt",
                                     "a\n\n#me\nhi\n\n#bot\nok\nENTITY_CONTENT "
                                     "BookDate|$date_ISO\nINTENT_CONFIDENCE high\nJSON_PATH $.a|b\n");
  EXPECT_THAT(out.suite, Not(HasSubstr("date_ISO")));
  EXPECT_THAT(out.report, HasSubstr(R"("why":"$date_ISO is known only at run time")"));
  EXPECT_THAT(out.report, HasSubstr(R"("why":"the value is not a number from 0 to 999")"));
  EXPECT_THAT(out.suite, HasSubstr(R"("pointer": "/a")"));
}

TEST(BotiumFolders, skip_links_that_lead_out_unless_they_are_conversations) {
  const std::filesystem::path outside = new_folder("botium-outside");
  std::ofstream(outside / "b.convo.txt") << "b\n\n#me\nhi\n\n#bot\nok\n";
  const std::filesystem::path folder = new_folder("botium-links");
  std::ofstream(folder / "a.convo.txt") << "a\n\n#me\nhi\n\n#bot\nok\n";
  std::filesystem::create_symlink(outside / "b.convo.txt", folder / "notes.txt");
  EXPECT_EQ(convert_folder(folder).faults, "");
  std::filesystem::create_symlink(outside / "b.convo.txt", folder / "b.convo.txt");
  EXPECT_THAT(convert_folder(folder).faults, HasSubstr("is a link to a file outside the folder"));
}

TEST(BotiumTables, are_recognized_by_their_columns) {
  const Converted out =
      convert_recognized("messages.csv", "conversationId,sender,text\nfirst,me,test 1\nfirst,bot,test 2\n");
  EXPECT_EQ(out.prepared.totals.format, "botium");
  EXPECT_THAT(out.suite, HasSubstr("say: \"test 1\""));
}

}  // namespace
}  // namespace parley::convert
