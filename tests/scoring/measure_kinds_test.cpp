// The types that count and measure, and their statistics.

#include <limits>

#include "scoring/statistics.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

Builder measured() {
  Builder made;
  made.chatbot("Hi", R"({"responseTime":100,"cost":0.1,"inputTokens":10,"outputTokens":5})");
  made.tester("a").chatbot("b", R"({"responseTime":300,"cost":0.2,"inputTokens":20})").chatbot("c");
  made.tester("d").tool("t", R"({"responseTime":9000,"cost":50})");
  made.tester("e").chatbot("f", R"({"responseTime":"fast","cost":null})").ends(EndReason::goal_reached);
  return made;
}

Builder unmeasured() {
  Builder made;
  made.tester("a").chatbot("b");
  return made;
}

TEST(Turns, count_exchanges_with_a_chatbot_message) {
  expect_rows(
      measured(), "max-turns",
      {{R"({"value":2})", passed}, {R"({"value":1})", failed}, {R"({"value":1,"negate":true})", passed}});
  expect_rows(
      measured(), "min-turns",
      {{R"({"value":2})", passed}, {R"({"value":3})", failed}, {R"({"value":3,"negate":true})", passed}});
  expect_rows(Builder(), "max-turns", {{R"({"value":0})", passed}});
  expect_rows(Builder(), "min-turns", {{R"({"value":1})", failed}});
  const std::vector<BadRow> bad{{"{}", "/value"},
                                {R"({"value":-1})", "/value"},
                                {R"({"value":true})", "/value"},
                                {R"({"value":2.5})", "/value"},
                                {R"({"value":2,"scope":"all"})", "/scope"}};
  expect_faults("max-turns", bad);
  expect_faults("min-turns", bad);
}

TEST(ResponseTime, bounds_max_average_and_p95) {
  expect_rows(measured(), "response-time",
              {{R"({"max":300})", passed},
               {R"({"max":299.9})", failed},
               {R"({"average":200})", passed},
               {R"({"average":199})", failed},
               {R"({"p95":300})", passed},
               {R"({"p95":299})", failed},
               {R"({"max":300,"average":100})", failed},
               {R"({"max":1,"negate":true})", passed}});
  expect_rows(unmeasured(), "response-time",
              {{R"({"max":1})", in_error}, {R"({"max":1,"negate":true})", in_error}});
  expect_faults("response-time", {{"{}", "/max"},
                                  {R"({"max":-1})", "/max"},
                                  {R"({"p95":"1"})", "/p95"},
                                  {R"({"max":1,"p99":2})", "/p99"}});
}

TEST(ResponseTime, takes_p95_by_the_nearest_rank) {
  Builder made;
  for (int i = 1; i <= 20; ++i) made.chatbot("x", R"({"responseTime":)" + std::to_string(i) + "}");
  expect_rows(made, "response-time", {{R"({"p95":19})", passed}, {R"({"p95":18.9})", failed}});
  const auto result = judge_one(made.subject(), assertion("response-time", R"({"p95":18.9,"max":99})"));
  EXPECT_EQ(result.reason,
            "Expected: max response time at most 99 ms, p95 response time at most 18.9 ms. Found: max 20 ms, "
            "p95 19 ms "
            "over 20 measured messages.");
  EXPECT_EQ(result.evidence.front(), made.id(19));
}

TEST(Totals, add_up_over_chatbot_messages) {
  expect_rows(measured(), "cost",
              {{R"({"max":0.3})", passed},  // though 0.1 + 0.2 is a little more in binary
               {R"({"max":0.29})", failed},
               {R"({"max":0.29,"negate":true})", passed}});
  expect_rows(
      measured(), "tokens",
      {{R"({"max":35})", passed}, {R"({"max":34})", failed}, {R"({"max":34,"negate":true})", passed}});
  expect_rows(unmeasured(), "cost", {{R"({"max":1})", in_error}, {R"({"max":1,"negate":true})", in_error}});
  expect_rows(unmeasured(), "tokens", {{R"({"max":1})", in_error}});
  const std::vector<BadRow> bad{{"{}", "/max"},
                                {R"({"max":"1"})", "/max"},
                                {R"({"max":null})", "/max"},
                                {R"({"max":1,"min":0})", "/min"}};
  expect_faults("cost", bad);
  expect_faults("tokens", bad);
}

TEST(Totals, of_whole_numbers_are_exact_D31) {
  Builder made;
  made.chatbot("x", R"({"inputTokens":12345678901234,"outputTokens":1,"cost":1000000000000001})");
  expect_rows(made, "tokens", {{R"({"max":12345678901235})", passed}, {R"({"max":12345678901234})", failed}});
  expect_rows(made, "cost",
              {{R"({"max":1000000000000001})", passed}, {R"({"max":1000000000000000})", failed}});
}

TEST(Bounds, lose_the_dust_of_binary_fractions) {
  EXPECT_EQ(dusted(0.1 + 0.2), 0.3);
  EXPECT_EQ(dusted(1e300), 1e300);
  EXPECT_EQ(dusted(0), 0);
  EXPECT_EQ(dusted(9007199254740991), 9007199254740991);
}

TEST(Bounds, hold_by_12_digits_and_whole_numbers_exactly) {
  for (const double value : {2.0 / 3, 1.0 / 3, 1.2345678901278, -1.5, 0.0, 5e-324, 1.7976931348623157e308}) {
    EXPECT_TRUE(at_most(value, value)) << value;
    EXPECT_TRUE(at_least(value, value)) << value;
  }
  EXPECT_TRUE(at_most(0.1 + 0.2, 0.3));
  EXPECT_TRUE(at_least(0.3, 0.1 + 0.2));
  EXPECT_FALSE(at_most(0.300000000001, 0.3));
  EXPECT_FALSE(at_least(0.299999999999, 0.3));
  EXPECT_FALSE(at_most(9007199254740991, 9007199254740990));
  EXPECT_FALSE(at_least(9007199254740990, 9007199254740991));
  EXPECT_TRUE(at_most(12345678901234, 12345678901234.5)) << "below it, however it is rounded";
  EXPECT_TRUE(at_least(12345678901235, 12345678901234.5));
  EXPECT_FALSE(at_most(std::numeric_limits<double>::infinity(), 1e308));
}

/// A conversation with one value of one measure.
Builder with(const std::string& key, const std::string& value) {
  Builder made;
  made.chatbot("x", "{\"" + key + "\":" + value + "}");
  return made;
}

TEST(Bounds, are_compared_by_12_digits_on_both_sides_D31) {
  for (const std::string value : {"0.6666666666666666", "66.66666666666667", "0.0001851", "1.2345678901278",
                                  "123456789012.5", "1e-30", "7"}) {
    const std::string bound = value + "}";
    expect_rows(with("cost", value), "cost", {{R"({"max":)" + bound, passed}});
    for (const std::string key : {"max", "average", "p95"})
      expect_rows(with("responseTime", value), "response-time", {{"{\"" + key + "\":" + bound, passed}});
  }
  expect_rows(with("cost", "0.666666666668"), "cost",
              {{R"({"max":0.666666666667})", failed}, {R"({"max":0.66666666666849})", passed}});
  expect_rows(with("responseTime", "100.00000000000001"), "response-time",
              {{R"({"max":100,"average":100,"p95":100})", passed}, {R"({"max":99.9999999999})", failed}});
  expect_rows(with("cost", "12345678901234"), "cost",
              {{R"({"max":12345678901234.5})", passed}, {R"({"max":12345678901233})", failed}});
}

TEST(EndReasonKind, compares_the_end_reason) {
  expect_rows(measured(), "end-reason",
              {{R"({"value":"goal_reached"})", passed},
               {R"({"value":"max_turns"})", failed},
               {R"({"values":["max_turns","goal_reached"]})", passed},
               {R"({"values":["max_turns"]})", failed},
               {R"({"value":"max_turns","negate":true})", passed}});
  expect_rows(unmeasured(), "end-reason", {{R"({"value":"goal_reached"})", in_error}});
  expect_faults("end-reason", {{"{}", "/value"},
                               {R"({"value":"bored"})", "/value"},
                               {R"({"values":["canceled","x"]})", "/values/1"},
                               {R"({"value":"canceled","values":["timeout"]})", "/values"}});
}

TEST(Statistics, sum_chatbot_messages_and_skip_what_is_not_a_number_I59) {
  const Builder conversation = measured();
  const MeasureSums sums = sums_of(conversation.subject().entries);
  EXPECT_EQ(sums.response_time, (MeasureSum{400, 2}));
  EXPECT_EQ(sums.input_tokens, (MeasureSum{30, 2}));
  EXPECT_EQ(sums.output_tokens, (MeasureSum{5, 1}));
  EXPECT_EQ(sums.cost.count, 2);
  EXPECT_EQ(sums.response_time.mean(), 200);
  EXPECT_EQ(MeasureSum{}.mean(), std::nullopt);
  MeasureSums twice = sums;
  twice += sums;
  EXPECT_EQ(twice.response_time, (MeasureSum{800, 4}));
  MeasureSum huge{1e308, 1};
  huge += MeasureSum{1e308, 1};
  EXPECT_EQ(huge.mean(), std::nullopt);
}

TEST(Statistics, estimate_pass_at_k_and_pass_hat_k_D35) {
  EXPECT_DOUBLE_EQ(pass_at_k({4, 2}, 1).value(), 0.5);
  EXPECT_DOUBLE_EQ(pass_at_k({4, 2}, 2).value(), 1 - 1.0 / 6);
  EXPECT_DOUBLE_EQ(pass_at_k({4, 2}, 3).value(), 1);
  EXPECT_DOUBLE_EQ(pass_hat_k({4, 2}, 1).value(), 0.5);
  EXPECT_DOUBLE_EQ(pass_hat_k({4, 2}, 2).value(), 1.0 / 6);
  EXPECT_DOUBLE_EQ(pass_hat_k({4, 2}, 3).value(), 0);
  EXPECT_DOUBLE_EQ(pass_hat_k({1000, 1000}, 1000).value(), 1);
  EXPECT_EQ(pass_hat_k({4, 2}, 5), std::nullopt);
  EXPECT_EQ(pass_at_k({4, 2}, 0), std::nullopt);
  EXPECT_EQ(pass_at_k({0, 0}, 1), std::nullopt);
}

}  // namespace
}  // namespace parley::scoring
