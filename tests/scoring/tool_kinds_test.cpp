// The types that check tools, events, actions and metadata.

#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

Builder booking() {
  Builder made;
  made.tester("Book it").tool("search", R"({"arguments":{"from":"OSL","seats":2}})");
  made.tool(
      "book",
      R"({"arguments":{"flight":{"id":"X1","class":"eco"},"bags":[1,2],"pay":10.0},"result":{"total":120.5}})");
  made.tool("book", R"json({"arguments":"{\"flight\":{\"id\":\"X2\"},\"pay\":10}"})json");
  made.event(EntryType::internal_event, "charged", R"({"ok":true,"note":null})");
  made.event(EntryType::public_event, "form").chatbot("Done", R"({"lang":"de"})");
  made.action("confirm", R"({"arguments":{"yes":true,"where":{"city":"Oslo","zip":"0150"}}})").tool("mail");
  return made;
}

TEST(ToolCalled, counts_calls_by_name) {
  expect_rows(booking(), "tool-called",
              {{R"({"name":"search"})", passed},
               {R"({"name":"Search"})", failed},
               {R"({"name":"charged"})", failed},  // an event is not a tool
               {R"({"name":"book","min":2})", passed},
               {R"({"name":"book","min":3})", failed},
               {R"({"name":"book","max":1})", failed},
               {R"({"name":"book","min":2,"max":2})", passed},
               {R"({"name":"book","max":0})", failed},
               {R"({"name":"cancel","max":0})", passed},
               {R"({"name":"cancel","min":0})", passed},
               {R"({"name":"book","negate":true})", failed},
               {R"({"name":"cancel","negate":true})", passed}});
}

TEST(ToolCalled, compares_arguments_partially_by_default) {
  expect_rows(booking(), "tool-called",
              {{R"({"name":"book","arguments":{"pay":10}})", passed},  // 10 equals 10.0
               {R"({"name":"book","arguments":{"pay":10},"min":2})", passed},
               {R"({"name":"book","arguments":{"flight":{"class":"eco"}}})", passed},
               {R"({"name":"book","arguments":{"flight":{"class":"eco"}},"min":2})", failed},
               {R"({"name":"book","arguments":{"flight":{"class":"biz"}}})", failed},
               {R"({"name":"book","arguments":{"bags":[1,2]}})", passed},
               {R"({"name":"book","arguments":{"bags":[2,1]}})", failed},
               {R"({"name":"book","arguments":{"bags":[1]}})", failed},
               {R"({"name":"book","arguments":{"pay":"10"}})", failed},
               {R"({"name":"book","arguments":{"tip":null}})", failed},
               {R"({"name":"mail","arguments":{}})", passed},
               {R"({"name":"mail","arguments":{"to":"a"}})", failed}});
}

TEST(ToolCalled, compares_exactly_or_within) {
  expect_rows(
      booking(), "tool-called",
      {{R"({"name":"search","mode":"exact","arguments":{"seats":2,"from":"OSL"}})", passed},
       {R"({"name":"search","mode":"exact","arguments":{"seats":2}})", failed},
       {R"({"name":"search","mode":"exact","arguments":{"seats":2,"from":"OSL","to":"TRD"}})", failed},
       {R"({"name":"mail","mode":"exact","arguments":{}})", passed},
       {R"({"name":"search","mode":"within","arguments":{"seats":2,"from":"OSL","to":"TRD"}})", passed},
       {R"({"name":"search","mode":"within","arguments":{"seats":2}})", failed},
       {R"({"name":"search","mode":"within","arguments":{"seats":3,"from":"OSL"}})", failed},
       {R"({"name":"book","mode":"within","arguments":{"flight":{"id":"X2","class":"eco"},"pay":10}})",
        failed},
       {R"({"name":"mail","mode":"within","arguments":{"to":"a"}})", passed}});
}

TEST(ToolCalled, compares_only_the_keys_it_is_given) {
  expect_rows(
      booking(), "tool-called",
      {{R"({"name":"search","keys":["from"],"arguments":{"from":"OSL","seats":9}})", passed},
       {R"({"name":"search","keys":["seats"],"arguments":{"from":"OSL","seats":9}})", failed},
       {R"({"name":"search","keys":[],"arguments":{"from":"BGO"}})", passed},
       {R"({"name":"search","keys":["from"],"mode":"exact","arguments":{"from":"OSL"}})", passed},
       {R"({"name":"search","keys":["from","seats"],"mode":"exact","arguments":{"from":"OSL"}})", failed},
       {R"({"name":"search","keys":["to"],"mode":"exact","arguments":{"from":"BGO"}})", passed},
       {R"({"name":"search","keys":["from"],"mode":"within","arguments":{"from":"OSL"}})", passed}});
}

TEST(ToolCalled, tolerates_arguments_that_are_not_an_object) {
  Builder odd;
  odd.tool("a", R"({"arguments":"{broken"})")
      .tool("a", R"({"arguments":[1]})")
      .tool("a", R"({"arguments":null})");
  expect_rows(odd, "tool-called",
              {{R"({"name":"a","min":3})", passed},
               {R"({"name":"a","min":3,"keys":[],"arguments":{"x":1}})", passed},
               {R"({"name":"a","min":1,"max":1,"arguments":{}})", passed}});
}

TEST(ToolCalled, shows_the_near_miss) {
  const Builder conversation = booking();
  const auto result = judge_one(conversation.subject(),
                                assertion("tool-called", R"({"name":"search","arguments":{"seats":3}})"));
  EXPECT_EQ(result.reason,
            "Expected: the tool \"search\" is called at least 1 time with arguments {\"seats\":3} (partial). "
            "Found: 0 "
            "such calls among 1 call of the tool; another had {\"from\":\"OSL\",\"seats\":2}.");
  EXPECT_EQ(result.evidence, std::vector<std::string>{conversation.id(1)});
}

TEST(ToolCalled, refuses_bad_configs) {
  expect_faults("tool-called", {{"{}", "/name"},
                                {R"({"name":""})", "/name"},
                                {R"({"name":"a","min":-1})", "/min"},
                                {R"({"name":"a","min":2,"max":1})", "/max"},
                                {R"({"name":"a","arguments":[1]})", "/arguments"},
                                {R"({"name":"a","mode":"loose"})", "/mode"},
                                {R"({"name":"a","keys":"x"})", "/keys"},
                                {R"({"name":"a","scope":"all"})", "/scope"}});
}

TEST(ToolNotCalled, holds_without_a_call) {
  expect_rows(booking(), "tool-not-called",
              {{R"({"name":"cancel"})", passed},
               {R"({"name":"book"})", failed},
               {R"({"name":"book","negate":true})", passed},
               {R"({"name":"cancel","negate":true})", failed}});
  expect_faults("tool-not-called",
                {{"", "/name"}, {R"({"name":1})", "/name"}, {R"({"name":"a","min":1})", "/min"}});
}

TEST(ToolOrder, wants_the_names_in_order) {
  expect_rows(booking(), "tool-order",
              {{R"({"names":["search","book","mail"]})", passed},
               {R"({"names":["search","mail"]})", passed},
               {R"({"names":["book","search"]})", failed},
               {R"({"names":["book","book","book"]})", failed},
               {R"({"names":["search","book","book","mail"],"mode":"strict"})", passed},
               {R"({"names":["search","book","mail"],"mode":"strict"})", failed},
               {R"({"names":["search","book","book"],"mode":"strict"})", failed},
               {R"({"names":["book","search"],"negate":true})", passed}});
  expect_faults("tool-order", {{"{}", "/names"},
                               {R"({"names":["a",""]})", "/names/1"},
                               {R"({"names":[]})", "/names"},
                               {R"({"names":["a",1]})", "/names/1"},
                               {R"({"names":["a"],"mode":"loose"})", "/mode"}});
}

TEST(EventRecorded, finds_events_of_both_kinds) {
  expect_rows(booking(), "event-recorded",
              {{R"({"name":"charged"})", passed},
               {R"({"name":"form"})", passed},
               {R"({"name":"book"})", failed},
               {R"({"name":"book","negate":true})", passed}});
  expect_faults("event-recorded",
                {{"{}", "/name"}, {R"({"name":""})", "/name"}, {R"({"name":"a","type":"x"})", "/type"}});
}

TEST(ActionInvoked, finds_an_invocation_with_such_arguments) {
  expect_rows(booking(), "action-invoked",
              {{R"({"name":"confirm"})", passed},
               {R"({"name":"mail"})", failed},
               {R"({"name":"confirm","arguments":{"yes":true}})", passed},
               {R"({"name":"confirm","arguments":{"where":{"city":"Oslo"}}})", passed},
               {R"({"name":"confirm","arguments":{"yes":false}})", failed},
               {R"({"name":"confirm","arguments":{"yes":false},"negate":true})", passed}});
  expect_faults("action-invoked", {{"{}", "/name"},
                                   {R"({"name":"a","arguments":"x"})", "/arguments"},
                                   {R"({"name":"a","keys":[]})", "/keys"}});
}

TEST(JsonValue, finds_a_value_in_some_entry) {
  expect_rows(booking(), "json",
              {{R"({"pointer":"/result/total","equals":120.5})", passed},
               {R"({"pointer":"/result/total","equals":120.50})", passed},
               {R"({"pointer":"/result/total","equals":"120.5"})", failed},
               {R"({"pointer":"/note","equals":null})", passed},
               {R"({"pointer":"/nothing","equals":null})", failed},
               {R"({"pointer":"/arguments/bags/1","equals":2})", passed},
               {R"({"pointer":"/ok","exists":true})", passed},
               {R"({"pointer":"/oops","exists":true})", failed},
               {R"({"pointer":"/oops","exists":false})", passed},
               {R"({"pointer":"/ok","exists":false})", failed},
               {R"({"pointer":"/result/total","greaterThan":120})", passed},
               {R"({"pointer":"/result/total","greaterThan":120.5})", failed},
               {R"({"pointer":"/result/total","lessThan":121})", passed},
               {R"({"pointer":"/result/total","lessThan":-3})", failed},
               {R"({"pointer":"/lang","lessThan":3})", failed},
               {R"({"pointer":"/lang","contains":"d"})", passed},
               {R"({"pointer":"/lang","contains":"D"})", failed},
               {R"({"pointer":"/arguments/bags","contains":2.0})", passed},
               {R"({"pointer":"/arguments/bags","contains":[1]})", failed},
               {R"({"pointer":"/arguments","contains":{"flight":{"id":"X1"}}})", passed},
               {R"({"pointer":"","contains":{"lang":"de"}})", passed},
               {R"({"pointer":"/lang","equals":"en","negate":true})", passed},
               {R"({"pointer":"/lang","equals":"de","negate":true})", failed}});
}

TEST(JsonValue, looks_at_the_selected_entries) {
  expect_rows(booking(), "json",
              {{R"({"pointer":"/lang","exists":true,"entries":"messages"})", passed},
               {R"({"pointer":"/lang","exists":true,"entries":"tools"})", failed},
               {R"({"pointer":"/ok","exists":true,"entries":"events"})", passed},
               {R"({"pointer":"/ok","exists":true,"entries":"messages"})", failed},
               {R"({"pointer":"/arguments/seats","exists":true,"entries":"tools"})", passed},
               {R"({"pointer":"/arguments/yes","exists":true,"entries":"all"})", passed}});
}

TEST(JsonValue, distinguishes_large_whole_numbers) {
  Builder made;
  made.tool("t", R"({"n":9007199254740993})");
  expect_rows(made, "json",
              {{R"({"pointer":"/n","equals":9007199254740992})", failed},
               {R"({"pointer":"/n","greaterThan":9007199254740992})", passed},
               {R"({"pointer":"/n","lessThan":9007199254740993})", failed}});
}

TEST(JsonValue, compares_numbers_digit_by_digit_D31) {
  struct Row {
    std::string less;
    std::string more;
  };
  const std::vector<Row> rows{{"123456789012345678901234567890", "123456789012345678901234567891"},
                              {"1", "1.000000000000000000000000000001"},
                              {"4.999999999999999999999", "5"},
                              {"-5", "-4.999999999999999999999"},
                              {"-1e-400", "0"},
                              {"0", "1e-400"},
                              {"-1", "1e-30"},
                              {"9e2", "1e3"},
                              {"99", "100"},
                              {"0.9", "0.95"}};
  for (const Row& row : rows) {
    Builder made;
    made.tool("t", R"({"n":)" + row.less + "}");
    expect_rows(made, "json",
                {{R"({"pointer":"/n","lessThan":)" + row.more + "}", passed},
                 {R"({"pointer":"/n","greaterThan":)" + row.more + "}", failed},
                 {R"({"pointer":"/n","lessThan":)" + row.less + "}", failed}});
  }
}

TEST(JsonValue, refuses_bad_configs) {
  expect_faults("json", {{R"({"equals":1})", "/pointer"},
                         {R"({"pointer":"a","equals":1})", "/pointer"},
                         {R"({"pointer":"/a~2","equals":1})", "/pointer"},
                         {R"({"pointer":"/a"})", "/equals"},
                         {R"({"pointer":"/a","equals":1,"exists":true})", "/exists"},
                         {R"({"pointer":"/a","greaterThan":1,"lessThan":3})", "/lessThan"},
                         {R"({"pointer":"/a","exists":"yes"})", "/exists"},
                         {R"({"pointer":"/a","greaterThan":"1"})", "/greaterThan"},
                         {R"({"pointer":"/a","equals":1,"entries":"some"})", "/entries"},
                         {R"({"pointer":"/a","equals":1,"scope":"all"})", "/scope"}});
}

TEST(JsonValue, judges_conversations_whose_trees_are_not_kept) {
  Builder large;
  const std::string filler(90'000, 'x');
  for (int i = 0; i < 150; ++i) {
    large.tool("t", R"({"arguments":{"n":)" + std::to_string(i) + R"(},"filler":")" + filler + "\"}");
  }
  const Assertion wanted[] = {assertion("json", R"({"pointer":"/arguments/n","equals":149})"),
                              assertion("tool-called", R"({"name":"t","arguments":{"n":148}})"),
                              assertion("json", R"({"pointer":"/arguments/n","equals":150})")};
  const auto results = judge(large.subject(), wanted);
  EXPECT_EQ(results[0].status, passed);
  EXPECT_EQ(results[1].status, passed);
  EXPECT_EQ(results[2].status, failed);
}

}  // namespace
}  // namespace parley::scoring
