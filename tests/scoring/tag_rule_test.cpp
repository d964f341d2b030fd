// Rules of smart tags on logs (D20).

#include "scoring/support/tag_rule.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/cpu_time.hpp"

namespace parley::scoring {
namespace {

ExternalLog log_of(std::size_t messages, const std::string& content) {
  ExternalLog log;
  log.conversation.text = "[";
  for (std::size_t i = 0; i < messages; ++i) {
    log.conversation.text += (i == 0 ? "" : ",") + (R"({"content":")" + content) + R"("})";
  }
  log.conversation.text += "]";
  return log;
}

TagRule rule_of(std::vector<TagCondition> conditions, TagMatch match = TagMatch::any) {
  return {match, std::move(conditions)};
}

TagCondition condition(TagOp op, std::optional<std::string> value, TagField field = TagField::content) {
  return {field, {}, op, value ? std::optional(json::Text{*value}) : std::nullopt};
}

TEST(TagRule, holds_for_the_texts_of_a_log_D20) {
  ExternalLog log = log_of(2, "Where is my ORDER?");
  log.description = "a complaint";
  log.metadata.text = R"({"n":1.0,"l":["Éa"],"s":"Éa","spelt":{"c":"K\u00f6ln","u":"a\/b"}})";
  struct Row {
    TagCondition condition;
    bool holds;
  };
  TagCondition number = condition(TagOp::equals, "1", TagField::metadata);
  number.pointer = "/n";
  TagCondition text = condition(TagOp::contains, R"("éA")", TagField::metadata);
  text.pointer = "/s";
  TagCondition item = text;
  item.pointer = "/l";
  TagCondition spelt = condition(TagOp::regex, R"(":\"K.ln\",\"u\":\"a/b")", TagField::metadata);
  spelt.pointer = "/spelt";
  const std::vector<Row> rows{
      {condition(TagOp::contains, R"("my order")"), true},
      {condition(TagOp::contains, R"("refund")"), false},
      {condition(TagOp::equals, R"("Where is my ORDER?")"), true},
      {condition(TagOp::equals, R"("where is my order?")"), false},
      {condition(TagOp::regex, R"("my [A-Z]+.$")"), true},
      {condition(TagOp::regex, R"("^my")"), false},
      {condition(TagOp::regex, R"("plaint")", TagField::description), true},
      {condition(TagOp::exists, {}, TagField::description), true},
      {condition(TagOp::exists, "false", TagField::description), false},
      {condition(TagOp::exists, {}, TagField::external_source), false},
      {number, true},
      {text, true},
      {item, false},
      {spelt, true},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(LogTexts(log).meet(rule_of({rows[i].condition})), rows[i].holds) << i;
  }
  LogTexts texts(log);
  EXPECT_TRUE(texts.meet(rule_of({rows[1].condition, rows[0].condition, rows[0].condition})));
  EXPECT_FALSE(texts.meet(rule_of({rows[1].condition, rows[0].condition}, TagMatch::all)));
}

TEST(TagRule, spends_one_budget_on_all_patterns_F31) {
  Findings findings;
  check_tag_rule(rule_of(std::vector<TagCondition>(60, condition(TagOp::regex, R"("\\pL{15}")"))), "/rule",
                 findings);
  ASSERT_GT(findings.faults.size(), 10u);
  EXPECT_EQ(findings.faults.front().detail, "is too large a pattern in addition to the others of this body");
}

TEST(TagRule, makes_a_pattern_once_for_all_messages) {
  ExternalLog log = log_of(10'000, "a");
  const TagCondition large = condition(TagOp::regex, R"("\\pL{8}b")");
  const double began = test::cpu_seconds();
  EXPECT_FALSE(LogTexts(log).meet(rule_of({large})));
  const double took = test::cpu_seconds() - began;
  EXPECT_LT(took, 5 * test::sanitizer_factor) << "some 4 ms for each message, were it made for each";
}

TEST(TagRule, leaves_out_a_pattern_that_is_too_much_work_for_the_messages_together) {
  std::mt19937 random(3);
  std::string text = "aaaaaaaaaac";
  for (int i = 0; i < 20'000; ++i) text += (random() & 1U) == 0 ? 'a' : 'b';
  const std::string end = "a" + std::string(900, 'b') + "c";
  const TagCondition hostile = condition(TagOp::regex, R"("[ab]*a[ab]{900}c")");
  EXPECT_TRUE(LogTexts(log_of(1, text + end)).meet(rule_of({hostile})));
  ExternalLog many = log_of(20, text);
  many.conversation.text.back() = ',';
  many.conversation.text += R"({"content":")" + end + R"("}])";
  LogTexts texts(many);
  EXPECT_FALSE(texts.meet(rule_of({hostile})));
  EXPECT_FALSE(texts.ran_out()) << "one pattern must not take the work of all";
  EXPECT_TRUE(texts.meet(rule_of({condition(TagOp::regex, R"("b{900}c")")})));
}

TEST(TagRule, does_not_hold_once_the_process_stops_D91) {
  const StopFlag stop = true;
  LogTexts texts(log_of(10, "Where is my order?"), rule_work_max, &stop);
  EXPECT_FALSE(texts.meet(rule_of({condition(TagOp::contains, R"("order")")})));
  EXPECT_TRUE(texts.ran_out());
}

TEST(TagRule, does_not_hold_beyond_the_work_that_all_rules_together_may_take) {
  const ExternalLog log = log_of(10, "Where is my ORDER?");
  const TagRule met = rule_of({condition(TagOp::contains, R"("order")")});
  const TagRule not_there = rule_of({condition(TagOp::exists, "false", TagField::description)});
  for (const TagOp op : {TagOp::contains, TagOp::equals, TagOp::regex}) {
    LogTexts texts(log, 100'000);
    EXPECT_TRUE(texts.meet(met) && texts.meet(not_there) && !texts.ran_out());
    int looked = 0;
    while (!texts.ran_out() && looked < 1'000) {
      EXPECT_FALSE(texts.meet(rule_of({condition(op, R"("refund")")})));
      ++looked;
    }
    EXPECT_GT(looked, 1) << "each op has its price";
    EXPECT_FALSE(texts.meet(met)) << "nothing holds any more, also not that something is absent";
    EXPECT_FALSE(texts.meet(not_there));
  }
  LogTexts all(log);
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(all.meet(met));
  EXPECT_FALSE(all.ran_out()) << "what usual rules take is far below";
}

TEST(TagRule, a_large_text_costs_more_than_a_small_one) {
  const TagRule rule = rule_of({condition(TagOp::contains, R"("b")")});
  const std::string content(400'000, 'a');
  LogTexts small(log_of(1, "a"), 1'000'000);
  LogTexts large(log_of(1, content), 1'000'000);
  EXPECT_FALSE(small.meet(rule));
  EXPECT_FALSE(large.meet(rule));
  EXPECT_FALSE(small.ran_out());
  EXPECT_TRUE(large.ran_out());
}

}  // namespace
}  // namespace parley::scoring
