// Requests that take long are answered in the background, where they delay no other client.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

/// The thread of a worker serves many clients, so requests that may take seconds go to the background. Here the
/// background refuses all of them.
TEST(LongWork, is_never_done_on_the_thread_of_a_worker) {
  ResultWorld world;
  ResultSpec spec;
  spec.head.status = ResultStatus::completed;
  spec.head.end_reason = EndReason::tester_ended;
  const std::string result = "/test-results/" + world.result(std::move(spec));
  const std::string log =
      world.made("/external-conversation-logs", {{"externalId", "x"}, {"conversation", Json::array()}});
  world.gateway->background_problem = problem(ProblemKind::busy, "send less");
  EXPECT_EQ(world.post(result + "/review").status, 503);
  EXPECT_EQ(world.post(result + "/rescore").status, 503);
  EXPECT_EQ(world.post("/runs/" + world.run + "/rescore").status, 503);
  EXPECT_EQ(world.get("/runs/" + world.run + "/compare/" + world.run).status, 503);
  EXPECT_EQ(world.post("/external-conversation-logs/" + log + "/score").status, 503);
  EXPECT_EQ(world.get("/runs/" + world.run + "/compare/nobody").status, 404)
      << "faults need no background thread";
  world.gateway->background_problem.reset();
  const Reading compared = world.get("/runs/" + world.run + "/compare/" + world.run);
  EXPECT_EQ(compared.status, 200) << compared.text;
  const Headers known{{"If-None-Match", compared.headers.at("ETag")}};
  EXPECT_EQ(world.call("GET", "/runs/" + world.run + "/compare/" + world.run, "", known).status, 304);
}

TEST(LongWork, shows_a_long_conversation_in_the_background_and_whole) {
  ResultWorld world;
  ResultSpec spec;
  spec.entries = {world.message(Role::chatbot, "{}")};
  const std::string brief = "/test-results/" + world.result(spec);
  for (int i = 0; i < 5; ++i) {
    spec.entries.push_back(world.message(Role::chatbot, "{}"));
    spec.entries.back().content = std::string(400 * 1024, static_cast<char>('a' + i));
  }
  const std::string longer = "/test-results/" + world.result(spec);
  EXPECT_EQ(world.get(brief).status, 200);
  EXPECT_EQ(world.get(longer + "?output=head").status, 200);
  EXPECT_EQ(world.gateway->background_works, 0);
  const Json shown = world.get(longer).json();
  EXPECT_EQ(world.gateway->background_works, 1);
  ASSERT_EQ(shown["conversation"].size(), spec.entries.size());
  for (std::size_t i = 0; i < spec.entries.size(); ++i)
    EXPECT_EQ(shown["conversation"][i]["content"], spec.entries[i].content) << i;
  EXPECT_EQ(shown["updatedAt"], world.get(longer + "?output=head").json()["updatedAt"]);
  world.gateway->background_problem = problem(ProblemKind::busy, "send less");
  EXPECT_EQ(world.get(longer).status, 503);
}

}  // namespace
}  // namespace parley::http
