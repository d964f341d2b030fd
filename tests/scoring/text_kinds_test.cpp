// The types that check message texts: contains, equals, regex, max-length, min-length, and their scope.

#include "scoring/support/text.hpp"
#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

Builder refund() {
  Builder made;
  made.tester("I want my money back").chatbot("Sure, let me look.");
  made.chatbot("Your Refund of $1,234 is booked.").tester("Thanks").chatbot("Bye!");
  return made;
}

TEST(Contains, finds_a_text_in_some_message) {
  expect_rows(refund(), "contains",
              {{R"({"value":"refund"})", passed},
               {R"({"value":"money back"})", failed},  // the tester's words are not the chatbot's
               {R"({"value":"refund","ignore":[]})", failed},
               {R"({"value":"Refund","ignore":[]})", passed},
               {R"({"value":"1234"})", failed},
               {R"({"value":"1234","ignore":["case","commas"]})", passed},
               {R"({"value":"isbooked","ignore":["case","whitespace"]})", passed},
               {R"({"value":"SURE LET","ignore":["case","punctuation"]})", passed},
               {R"({"value":"refund","negate":true})", failed},
               {R"({"value":"voucher","negate":true})", passed},
               {R"({"value":"refund","negate":false,"scope":null})", passed}});
}

TEST(Contains, takes_any_or_all_of_several_values) {
  expect_rows(refund(), "contains",
              {{R"({"values":["voucher","refund"]})", passed},
               {R"({"values":["voucher","coupon"]})", failed},
               {R"({"values":["refund","booked"],"match":"all"})", passed},
               {R"({"values":["refund","bye"],"match":"all"})", failed}});  // no single message has both
}

TEST(Contains, looks_where_the_scope_says) {
  expect_rows(refund(), "contains",
              {{R"({"value":"sure","scope":"first"})", passed},
               {R"({"value":"refund","scope":"first"})", failed},
               {R"({"value":"bye","scope":"last"})", passed},
               {R"({"value":"refund","scope":"last"})", failed},
               {R"({"value":"refund","scope":"turn:0"})", passed},
               {R"({"value":"refund","scope":"turn:1"})", failed},
               {R"({"value":"refund","scope":"turn:7"})", failed},
               {R"({"value":"refund","scope":"turn:7","negate":true})", passed},
               {R"({"value":"e","scope":"all"})", passed},
               {R"({"value":"refund","scope":"all"})", failed},
               {R"({"value":"refund","scope":"any"})", passed}});
}

TEST(Contains, never_holds_where_the_chatbot_said_nothing) {
  Builder silent;
  silent.tester("Hello?");
  expect_rows(silent, "contains",
              {{R"({"value":"a"})", failed},
               {R"({"value":"a","scope":"all"})", failed},
               {R"({"value":"a","scope":"last"})", failed}});
}

TEST(Contains, reads_a_value_alike_with_any_escapes_D31) {
  for (const char* spelt : {R"({"result":{"city":"Köln","url":"https://a.example"}})",
                            R"({"result":{"city":"K\u00f6ln","url":"https:\/\/a.example"}})",
                            R"({"result":{"c\u0069ty":"\u004b\u00F6ln","url":"https:\u002f/a.example"}})"}) {
    Builder made;
    made.tester("Where?").tool("search", spelt);
    const auto at = [](const std::string& rest) {
      return R"({"target":"tools","pointer":"/result",)" + rest + "}";
    };
    expect_rows(made, "contains",
                {{at(R"("value":"Köln")"), passed},
                 {at(R"("value":"https://a")"), passed},
                 {at(R"("value":"\"city\":\"Köln\"")"), passed},
                 {at(R"("value":"https://a","negate":true)"), failed},
                 {at(R"("value":"u00f6")"), failed}});
    expect_rows(made, "regex", {{at(R"("pattern":"K.ln")"), passed}});
    expect_rows(made, "max-length", {{at(R"("value":41)"), passed}, {at(R"("value":40)"), failed}});
    expect_rows(made, "equals",
                {{at(R"("value":"{\"city\":\"Köln\",\"url\":\"https://a.example\"}")"), passed}});
  }
}

TEST(Contains, names_the_messages_it_rests_on) {
  const Builder conversation = refund();
  const auto found = judge_one(conversation.subject(), assertion("contains", R"({"value":"refund"})"));
  EXPECT_EQ(found.evidence, std::vector<std::string>{conversation.id(2)});
  EXPECT_EQ(
      found.reason,
      "Expected: some chatbot message contains \"refund\". Found: the chatbot message of turn 0 says \"Your "
      "Refund of $1,234 is booked.\".");
  const auto missed = judge_one(conversation.subject(),
                                assertion("contains", R"({"value":"e","scope":"all","negate":true})"));
  EXPECT_EQ(missed.evidence.size(), 3u);
  EXPECT_EQ(missed.reason.rfind(
                "Expected the opposite of: every chatbot message contains \"e\". Found: each of 3", 0),
            0u)
      << missed.reason;
}

TEST(Contains, bounds_evidence_and_quotes) {
  Builder many;
  std::string text;
  for (int i = 0; i < 300; ++i) text += "ä";
  for (int i = 0; i < 50; ++i) many.chatbot(text);
  const auto result = judge_one(many.subject(), assertion("contains", R"({"value":"ä"})"));
  EXPECT_EQ(result.evidence.size(), evidence_max);
  EXPECT_NE(result.reason.find(text.substr(0, 400) + "…\""), std::string::npos);
  EXPECT_EQ(result.reason.find(text.substr(0, 402)), std::string::npos);
}

TEST(Contains, refuses_meaningless_configs) {
  expect_faults("contains", {{"{}", "/value"},
                             {R"({"value":"a","values":["b"]})", "/values"},
                             {R"({"value":7})", "/value"},
                             {R"({"value":""})", "/value"},
                             {R"({"value":", ","ignore":["punctuation","whitespace"]})", "/value"},
                             {R"({"values":["a",""]})", "/values/1"},
                             {R"({"values":["a",3]})", "/values/1"},
                             {R"({"values":[]})", "/values"},
                             {R"({"value":"a","match":"some"})", "/match"},
                             {R"({"value":"a","ignore":["case","vowels"]})", "/ignore/1"},
                             {R"({"value":"a","ignore":"case"})", "/ignore"},
                             {R"({"value":"a","scope":"turn:-1"})", "/scope"},
                             {R"({"value":"a","scope":"turn:01"})", "/scope"},
                             {R"({"value":"a","scope":"turn:1.5"})", "/scope"},
                             {R"({"value":"a","scope":"some"})", "/scope"},
                             {R"({"value":"a","negate":"yes"})", "/negate"},
                             {R"({"value":"a","colour":1})", "/colour"},
                             {R"({"value":"a","a/b~":1})", "/a~1b~0"}});
}

TEST(Equals, compares_whole_messages) {
  Builder conversation;
  conversation.chatbot("Hello, World!").chatbot("");
  expect_rows(conversation, "equals",
              {{R"({"value":"Hello, World!"})", passed},
               {R"({"value":"hello, world!"})", failed},
               {R"({"value":"hello, world!","ignore":["case"]})", passed},
               {R"({"value":"hello world","ignore":["case","punctuation"]})", passed},
               {R"({"value":"HelloWorld!","ignore":["commas","whitespace"]})", passed},
               {R"({"value":"Hello"})", failed},
               {R"({"value":""})", passed},
               {R"({"value":"","scope":"first"})", failed},
               {R"({"value":"Hello","negate":true})", passed}});
  expect_faults("equals", {{"{}", "/value"},
                           {R"({"value":null})", "/value"},
                           {R"({"value":"a","values":["b"]})", "/values"},
                           {R"({"value":"a","ignore":["x"]})", "/ignore/0"}});
}

TEST(Regex, finds_a_pattern_in_some_message) {
  expect_rows(refund(), "regex",
              {{R"({"pattern":"\\$[0-9,]+"})", passed},
               {R"({"pattern":"refund"})", failed},
               {R"({"pattern":"(?i)refund"})", passed},
               {R"({"pattern":"^Bye!$","scope":"last"})", passed},
               {R"({"pattern":"^Bye!$","scope":"first"})", failed},
               {R"({"pattern":"^Bye!$","scope":"first","negate":true})", passed},
               {R"({"pattern":"\\pL+"})", passed}});
}

TEST(Regex, refuses_bad_and_overlarge_patterns) {
  expect_faults("regex", {{"{}", "/pattern"},
                          {R"~({"pattern":"("})~", "/pattern"},
                          {R"~({"pattern":"a(?=b)"})~", "/pattern"},
                          {R"~({"pattern":"((((a{1000}){1000}){1000}))"})~", "/pattern"},
                          {R"~({"pattern":"(\\pL{900}){20}"})~", "/pattern"},
                          {R"({"pattern":["a"]})", "/pattern"}});
}

TEST(Regex, spends_one_budget_on_all_patterns_of_a_body_F31) {
  const Assertion costly = assertion("regex", R"({"pattern":"\\pL{15}"})");
  const Assertion set =
      assertion("assert-set",
                R"({"assertions":[{"type":"regex","config":{"pattern":"\\pL{15}"}},{"type":"json","config":)"
                R"({"pointer":"/a","matches":"\\pL{15}"}}]})");
  const Assertion schema = assertion("is-json", R"({"schema":{"pattern":"\\pL{15}"}})");
  const Assertion template_one = assertion("regex", R"({"pattern":"{{x}}\\pL{15}"})");
  const Assertion cheap = assertion("wildcard", R"({"pattern":"a*b"})");
  std::vector<Assertion> body{costly, set,          cheap,  schema, costly,
                              costly, template_one, costly, costly, cheap};
  body.insert(body.begin(), 19, costly);
  Findings findings;
  check_assertions(body, "/assertions", findings);
  ASSERT_EQ(findings.faults.size(), 2u);
  EXPECT_EQ(findings.faults[0].pointer, "/assertions/27/config/pattern");
  EXPECT_EQ(findings.faults[0].detail, "is too large a pattern in addition to the others of this body");
  EXPECT_EQ(findings.faults[1].pointer, "/assertions/28/config/pattern");
  EXPECT_EQ(findings.faults[1].detail, findings.faults[0].detail);
  EXPECT_LT(findings.patterns.work(), 550'000);
}

TEST(Regex, stays_linear_on_hostile_texts_F23) {
  Builder hostile;
  hostile.chatbot(std::string(1'000'000, 'a'));
  expect_rows(hostile, "regex",
              {{R"({"pattern":"(a+)+$b"})", failed}, {R"({"pattern":"(a|aa)*c"})", failed}});
}

TEST(Regex, refuses_work_without_end_F23) {
  Builder large;
  for (int i = 0; i < 8; ++i) large.chatbot(std::string(1'000'000, 'a'));
  expect_rows(large, "regex", {{R"({"pattern":"(.{100}){50}b"})", in_error}});
}

TEST(Length, counts_characters_not_bytes) {
  Builder conversation;
  conversation.chatbot("äöü").chatbot("abcdefghij");
  expect_rows(conversation, "max-length",
              {{R"({"value":3})", passed},
               {R"({"value":2})", failed},
               {R"({"value":3,"scope":"all"})", failed},
               {R"({"value":10,"scope":"all"})", passed},
               {R"({"value":3,"scope":"last"})", failed},
               {R"({"value":2,"negate":true})", passed}});
  expect_rows(conversation, "min-length",
              {{R"({"value":10})", passed},
               {R"({"value":11})", failed},
               {R"({"value":3,"scope":"all"})", passed},
               {R"({"value":4,"scope":"all"})", failed},
               {R"({"value":4,"scope":"first","negate":true})", passed},
               {R"({"value":10.0})", passed}});
  const std::vector<BadRow> bad{{"{}", "/value"},
                                {R"({"value":-1})", "/value"},
                                {R"({"value":1.5})", "/value"},
                                {R"({"value":"3"})", "/value"},
                                {R"({"value":1e30})", "/value"},
                                {R"({"value":1,"max":2})", "/max"}};
  expect_faults("max-length", bad);
  expect_faults("min-length", bad);
}

TEST(Text, folds_case_beyond_ascii) {
  const Ignored letter_case{.letter_case = true};
  EXPECT_EQ(comparable("Straße ÄÖ", letter_case), comparable("STRASSE äö", letter_case));
  EXPECT_EQ(comparable("ＡＢＣ ﬁ", letter_case), "abc fi");
  EXPECT_EQ(comparable("ÄB", {}), "ÄB");
  EXPECT_EQ(comparable("A,B C.", letter_case), "a,b c.");
}

TEST(Text, takes_out_what_is_ignored) {
  EXPECT_EQ(comparable("1,234，5", {.commas = true}), "1234，5");
  EXPECT_EQ(comparable("1,234，5", {.letter_case = true, .commas = true}), "12345");
  EXPECT_EQ(comparable("a\t\n\u00a0\u2003b c", {.whitespace = true}), "abc");
  EXPECT_EQ(comparable("¿Qué? «tal» — $5", {.punctuation = true}), "Qué tal  $5");
}

TEST(Text, trims_white_space_as_Unicode_knows_it) {
  EXPECT_EQ(trimmed(" \t\n a b\u2003c \u00a0\u3000\r"), "a b\u2003c");
  EXPECT_EQ(trimmed("é"), "é");
  EXPECT_EQ(trimmed(" \xff\x80 "), "\xff\x80");
  EXPECT_EQ(trimmed("\u00a0 "), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, searches_in_linear_time_F23) {
  const std::string text(1 << 20, 'a');
  EXPECT_FALSE(holds(text, std::string(200'000, 'a') + "b" + std::string(20'000, 'a')));
  EXPECT_TRUE(holds(text, std::string(200'000, 'a')));
  EXPECT_TRUE(holds("", ""));
}

}  // namespace
}  // namespace parley::scoring
