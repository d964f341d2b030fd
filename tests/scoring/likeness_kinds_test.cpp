// The types that compare texts, and the texts that they look at: messages, or texts inside metadata.

#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

Builder shop() {
  Builder made;
  made.chatbot("Hello there!").tester("A latte").tool("order", R"({"arguments":{"drink":"latte","n":2}})");
  made.chatbot("Your order #12 is on its way.", R"({"lang":"en","tags":["a","b"]})");
  made.tester("And a tea").tool("order", R"({"arguments":{"drink":"tea"},"result":"sold out"})");
  made.chatbot("STRASSE, please");
  return made;
}

TEST(IContains, never_minds_the_case) {
  expect_rows(shop(), "icontains",
              {{R"({"value":"straße"})", passed},
               {R"({"value":"order #12 IS"})", passed},
               {R"({"value":"orders"})", failed},
               {R"({"value":"strasse please","ignore":["commas"]})", passed},
               {R"({"value":"strasse please"})", failed},
               {R"({"value":"hello","scope":"last"})", failed},
               {R"({"value":"hello","negate":true})", failed}});
  expect_faults("icontains", {{"{}", "/value"},
                              {R"({"value":""})", "/value"},
                              {R"({"value":"a","match":"any"})", "/match"},
                              {R"({"value":"!","ignore":["punctuation"]})", "/value"}});
}

TEST(ContainsAnyAll, ask_for_one_or_all_in_one_message) {
  expect_rows(shop(), "contains-any",
              {{R"({"values":["nothing","HELLO"]})", passed},
               {R"({"values":["nothing","HELLO"],"ignore":[]})", failed},
               {R"({"values":["nothing"]})", failed}});
  expect_rows(shop(), "contains-all",
              {{R"({"values":["order","way"]})", passed},
               {R"({"values":["order","hello"]})", failed},  // not in the same message
               {R"({"values":["order"],"scope":"all"})", failed}});
  const std::vector<BadRow> bad{{"{}", "/values"},
                                {R"({"values":[]})", "/values"},
                                {R"({"values":["a",""]})", "/values/1"},
                                {R"({"values":["a"],"value":"b"})", "/value"},
                                {R"({"values":["a"],"ignore":["x"]})", "/ignore/0"}};
  expect_faults("contains-any", bad);
  expect_faults("contains-all", bad);
}

TEST(Affixes, compare_beginning_and_end) {
  expect_rows(shop(), "starts-with",
              {{R"({"value":"hello"})", passed},
               {R"({"value":"hello","ignore":[]})", failed},
               {R"({"value":"there"})", failed},
               {R"({"values":["your","hello"],"scope":"all"})", failed},
               {R"({"values":["your","hello","str"],"scope":"all"})", passed}});
  expect_rows(shop(), "ends-with",
              {{R"({"value":"WAY."})", passed},
               {R"({"value":"its way"})", failed},
               {R"({"value":"its way","ignore":["punctuation"]})", passed},
               {R"({"value":"please","scope":"last"})", passed},
               {R"({"value":"way.","scope":"last"})", failed}});
  const std::vector<BadRow> bad{{"{}", "/value"},
                                {R"({"value":""})", "/value"},
                                {R"({"value":"a","values":["b"]})", "/values"},
                                {R"({"value":"a","scope":"some"})", "/scope"}};
  expect_faults("starts-with", bad);
  expect_faults("ends-with", bad);
}

TEST(Wildcard, is_like_the_whole_text) {
  expect_rows(shop(), "wildcard",
              {{R"({"pattern":"your order #?? is*"})", passed},
               {R"({"pattern":"your order #? is*"})", failed},
               {R"({"pattern":"order*"})", failed},
               {R"({"pattern":"hello there!"})", passed},
               {R"({"pattern":"Hello there."})", failed},  // a period is not a wildcard
               {R"({"pattern":"*ORDER*","ignore":[]})", failed},
               {R"({"pattern":"*\\**"})", failed}});
  Builder starred;
  starred.chatbot("2 * 3\n= 6");
  expect_rows(starred, "wildcard", {{R"({"pattern":"*\\* 3*"})", passed}, {R"({"pattern":"2*6"})", passed}});
  Builder silent;
  silent.chatbot("");
  expect_rows(silent, "wildcard", {{R"({"pattern":""})", passed}, {R"({"pattern":"?"})", failed}});
  const std::string huge(30'000, '?');
  expect_faults("wildcard", {{"{}", "/pattern"},
                             {R"({"pattern":"**"})", "/pattern"},
                             {R"({"pattern":")" + huge + "\"}", "/pattern"},
                             {R"({"pattern":"a","ignore":["b"]})", "/ignore/0"}});
}

TEST(WordCount, counts_runs_without_white_space) {
  Builder made;
  made.chatbot("one  two\n\tthree\u00a0four").chatbot("");
  expect_rows(made, "word-count",
              {{R"({"min":4,"max":4})", passed},
               {R"({"min":5})", failed},
               {R"({"max":4,"scope":"all"})", passed},
               {R"({"min":1,"scope":"last"})", failed},
               {R"({"max":0})", passed}});
  expect_faults("word-count", {{"{}", "/min"},
                               {R"({"min":2,"max":1})", "/max"},
                               {R"({"min":-1})", "/min"},
                               {R"({"max":1.5})", "/max"}});
}

TEST(Rouge, compares_words_with_a_reference) {
  Builder made;
  made.chatbot("The cat sat on the mat.");
  expect_rows(made, "rouge",
              {{R"({"value":"the CAT sat, on the mat"})", passed},
               {R"({"value":"the cat lay on the mat","threshold":0.83})", passed},  // 2 x 5 / 12
               {R"({"value":"the cat lay on the mat","threshold":0.84})", failed},
               {R"({"value":"mat the on sat cat the"})", passed},
               {R"({"value":"mat the on sat cat the","measure":"rouge-l"})", failed},
               {R"({"value":"cat on mat","measure":"rouge-l","threshold":0.66})", passed},  // 2 x 3 / 9
               {R"({"value":"dog"})", failed}});
  expect_faults("rouge", {{"{}", "/value"},
                          {R"({"value":"?!"})", "/value"},
                          {R"({"value":"a","threshold":0})", "/threshold"},
                          {R"({"value":"a","measure":"rouge-2"})", "/measure"}});
}

TEST(Levenshtein, counts_edits_against_the_longer_text) {
  Builder made;
  made.chatbot("kitten");
  expect_rows(made, "levenshtein",
              {{R"({"value":"sitting","threshold":0.57})", passed},  // 3 edits of 7
               {R"({"value":"sitting","threshold":0.58})", failed},
               {R"({"value":"kitten"})", passed},
               {R"({"value":"kitte"})", passed},
               {R"({"value":"kit","threshold":0.5})", passed},
               {R"({"value":"kit"})", failed},
               {R"({"value":"KITTEN"})", failed},
               {R"({"value":"KITTEN","threshold":1,"ignore":["case"]})", passed},
               {R"({"value":""})", failed}});
  Builder third;
  third.chatbot("abc");
  expect_rows(third, "levenshtein",
              {{R"({"value":"axy","threshold":0.3333333333333333})", passed},
               {R"({"value":"axy","threshold":0.333333333334})", failed},
               {R"({"value":"a","threshold":0.3333333333333333})", passed}});
  Builder accented;
  accented.chatbot("żółw");
  expect_rows(
      accented, "levenshtein",
      {{R"({"value":"zółw","threshold":0.75})", passed}, {R"({"value":"zołw","threshold":0.75})", failed}});
  const auto result = judge_one(made.subject(), assertion("levenshtein", R"({"value":"sitting"})"));
  EXPECT_EQ(result.reason,
            "Expected: some chatbot message is similar to \"sitting\" by 0.8 or more. Found: the chatbot "
            "message of turn "
            "0 is similar by 0.571428571429: \"kitten\".");
}

TEST(Levenshtein, bounds_its_work_F23) {
  Builder made;
  const std::string text(10'000, 'a');
  for (int i = 0; i < 11; ++i) made.chatbot(text);
  expect_rows(made, "levenshtein",
              {{R"({"value":")" + text + "\"}", in_error}, {R"({"value":"short"})", failed}});
  expect_faults("levenshtein", {{"{}", "/value"},
                                {R"({"value":"a","threshold":0})", "/threshold"},
                                {R"({"value":"a","threshold":1.1})", "/threshold"},
                                {R"({"value":"a)" + text + "\"}", "/value"}});
}

TEST(Target, looks_at_texts_inside_metadata) {
  expect_rows(shop(), "contains",
              {{R"({"value":"tea","target":"tools","pointer":"/arguments/drink"})", passed},
               {R"({"value":"tea","target":"tools","pointer":"/arguments/drink","scope":"first"})", failed},
               {R"({"value":"tea","target":"tools","pointer":"/arguments/drink","scope":"turn:1"})", passed},
               {R"({"value":"tea","target":"tools","pointer":"/arguments/drink","scope":"all"})", failed},
               {R"({"value":"sold","target":"tools","pointer":"/result","scope":"all"})",
                passed},  // only calls that have the value count
               {R"({"value":"tea","target":"tools","pointer":"/arguments","name":"cancel"})", failed},
               {R"({"value":"\"n\":2","target":"tools","pointer":"/arguments","name":"order"})", passed},
               {R"({"value":"tea","target":"events","pointer":"/x"})", failed},
               {R"({"value":"en","pointer":"/lang"})", passed},
               {R"({"value":"[\"a\",\"b\"]","pointer":"/tags"})", passed}});
  expect_rows(shop(), "equals", {{R"({"value":"2","target":"tools","pointer":"/arguments/n"})", passed}});
  expect_rows(shop(), "regex",
              {{R"({"pattern":"^tea$","target":"tools","pointer":"/arguments/drink"})", passed}});
  expect_rows(shop(), "max-length",
              {{R"({"value":3,"target":"tools","pointer":"/arguments/drink"})", passed}});
  expect_faults("contains", {{R"({"value":"a","target":"tools"})", "/pointer"},
                             {R"({"value":"a","target":"people","pointer":""})", "/target"},
                             {R"({"value":"a","target":"tools","pointer":"x"})", "/pointer"},
                             {R"({"value":"a","name":"order"})", "/name"}});
  const auto result =
      judge_one(shop().subject(),
                assertion("contains", R"({"value":"oat","target":"tools","pointer":"/arguments/drink"})"));
  EXPECT_EQ(result.reason,
            "Expected: some tool call at /arguments/drink contains \"oat\". Found: none of 2 tool calls "
            "does; the tool "
            "call of turn 1 says \"tea\".");
}

}  // namespace
}  // namespace parley::scoring
