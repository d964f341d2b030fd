// What the options come to for calls to the outside.

#include "app/outside.hpp"

#include <gtest/gtest.h>

#include "model/limits.hpp"

namespace parley::app {
namespace {

TEST(CallLimits, let_every_conversation_and_question_to_the_judge_wait) {
  for (const std::int64_t conversations : {1, 10'000, 100'000, 1'000'000}) {
    for (const std::size_t calls : {std::size_t{1}, std::size_t{10'000}}) {
      Config config;
      config.conversations_max = conversations;
      config.calls_max = calls;
      const outbound::Limits limits = call_limits_of(config);
      EXPECT_EQ(limits.calls_max, calls);
      EXPECT_GE(limits.waiting_max, static_cast<std::size_t>(conversations) + limits::judge_questions_max);
    }
  }
}

}  // namespace
}  // namespace parley::app
