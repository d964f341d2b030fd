// Tokens and cost per role.

#include "model/values/model_use.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

ChatAnswer answer_of(std::string model, ChatUsage usage) {
  ChatAnswer answer;
  answer.model = std::move(model);
  answer.usage = usage;
  return answer;
}

TEST(ModelUse, sums_the_reported_use_and_counts_kept_answers_separately) {
  ModelUse use;
  EXPECT_FALSE(use.is_any());
  use.add(answer_of("m-1", {10, 5, std::nullopt}), false);
  use.add(answer_of("", {std::nullopt, 7, 0.25}), false);
  use.add(answer_of("m-1", {1'000, 1'000, 9.0}), true);
  EXPECT_EQ(use, (ModelUse{"m-1", 2, 1, 10, 12, 0.25}));
  ModelUse all{"old", 1, 0, std::nullopt, 1, std::nullopt};
  all.add(use);
  EXPECT_EQ(all, (ModelUse{"m-1", 3, 1, 10, 13, 0.25}));
}

TEST(ModelUse, stays_at_the_maximum_if_an_endpoint_reports_nonsense) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  ModelUse use;
  use.add(answer_of("m", {most, 0, 0.0}), false);
  use.add(answer_of("m", {most, 0, 0.0}), false);
  EXPECT_EQ(use.input_tokens, most);
}

}  // namespace
}  // namespace parley
