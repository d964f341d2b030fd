#include "model/values/price_table.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

PriceTable table() {
  PriceTable prices;
  prices.add("gpt-*", {1, 2});
  prices.add("gpt-4.1", {2, 8});
  prices.add("*-mini*", {0.5, 0.5});
  return prices;
}

TEST(PriceTable, prefers_a_whole_name_then_the_first_glob_D103) {
  const PriceTable prices = table();
  EXPECT_EQ(*prices.find("gpt-4.1"), (Price{2, 8}));
  EXPECT_EQ(*prices.find("gpt-4.1-mini"), (Price{1, 2}));
  EXPECT_EQ(*prices.find("claude-mini-3"), (Price{0.5, 0.5}));
  EXPECT_EQ(*prices.find("x-mini"), (Price{0.5, 0.5}));
  EXPECT_EQ(prices.find("gpt"), nullptr);
  EXPECT_EQ(prices.find(""), nullptr);
}

TEST(PriceTable, gives_the_cost_of_the_tokens_and_keeps_a_reported_one) {
  const PriceTable prices = table();
  EXPECT_DOUBLE_EQ(*prices.cost_of("gpt-4.1", {1'000, 500, {}}), 0.006);
  EXPECT_DOUBLE_EQ(*prices.cost_of("gpt-4.1", {{}, 500, {}}), 0.004);
  EXPECT_EQ(prices.cost_of("gpt-4.1", {}), std::nullopt);
  EXPECT_EQ(prices.cost_of("other", {1, 1, {}}), std::nullopt);
  ChatUsage usage{1'000, 0, 9.5};
  prices.complete("gpt-4.1", usage);
  EXPECT_EQ(usage.cost, 9.5);
  usage.cost.reset();
  prices.complete("gpt-4.1", usage);
  EXPECT_DOUBLE_EQ(*usage.cost, 0.002);
}

}  // namespace
}  // namespace parley
