// How the options affect outgoing and incoming calls.

#include <gtest/gtest.h>

#include "app/options/outbound_options.hpp"
#include "model/limits.hpp"

namespace parley::app {
namespace {

TEST(CallLimits, let_every_conversation_and_question_to_the_judge_wait) {
  for (const std::int64_t conversations : {1, 10'000, 100'000, 1'000'000}) {
    for (const std::size_t calls : {std::size_t{1}, std::size_t{10'000}}) {
      Config config;
      config.conversations_max = conversations;
      config.calls_max = calls;
      const outbound::CallLimits limits = call_limits_of(config);
      EXPECT_EQ(limits.calls_max, calls);
      EXPECT_GE(limits.waiting_max, static_cast<std::size_t>(conversations) + limits::judge_questions_max);
    }
  }
}

TEST(Models, play_the_tester_unless_only_scripts_do_D61) {
  Config config;
  EXPECT_FALSE(plays_by_model(config));
  config.tester_url = "https://api.example.com/v1";
  for (const auto& [tester, plays] : {std::pair{"auto", true}, {"model", true}, {"script", false}}) {
    config.tester = tester;
    EXPECT_EQ(plays_by_model(config), plays) << tester;
  }
}

TEST(Place, has_the_real_port_in_the_public_url_D72) {
  Config config;
  config.port = 0;
  config.base_path = "/p";
  const auto place = place_of(config);
  ASSERT_TRUE(place);
  EXPECT_NE(place->config.port, 0);
  EXPECT_EQ(place->held.number, place->config.port);
  EXPECT_EQ(place->config.public_url, "http://127.0.0.1:" + std::to_string(place->config.port) + "/p");
  EXPECT_EQ(settings_of(place->config).public_url, place->config.public_url);
}

TEST(Place, is_unchanged_if_it_was_complete) {
  Config config;
  config.host = "localhost";
  const auto place = place_of(config);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->config.host, "127.0.0.1");
  EXPECT_EQ(place->config.public_url, "http://localhost:7410");
  config.host = "::1";
  EXPECT_EQ(place_of(config).value().config.public_url, "http://[::1]:7410");
  config.public_url = "https://parley.example.com";
  EXPECT_EQ(place_of(config).value().config.public_url, "https://parley.example.com");
}

}  // namespace
}  // namespace parley::app
