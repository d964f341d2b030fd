// Reviews by a judge model: on which thread its answer is read, and how many reviews may wait (D24).

#include "actors/verdicts/reviewing.hpp"

#include <future>
#include <thread>

#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

const std::string agent_is_to_blame =
    R"({"choices":[{"message":{"content":"{\"fault\":\"agent\",\"reason\":\"Because.\",\"evidence\":[]}"}}]})";

struct Reviews {
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  Reviews() : stage(settings()) {
    stage.set_outside(outside());
    CreateResult command = stage.case_of(stage.new_run());
    command.test_case.instruction = "say: one\nend";
    command.test_case.assertions.clear();
    Assertion& wanted = command.test_case.assertions.emplace_back();
    wanted.id = "a";
    wanted.type = "contains";
    wanted.config = json::Text{R"({"value":"thanks"})"};
    result = stage.new_result(command);
    stage.must(result, NextMessage{});
    stage.must(result, says("hello"));
    stage.must(result, NextMessage{});
    stage.actors->settle();
  }
  ~Reviews() { open.clear(); }
  Reviews(const Reviews&) = delete;
  Reviews& operator=(const Reviews&) = delete;

  static Settings settings() {
    Settings made;
    made.judge_model = outbound::ChatEndpoint{"http://judge/v1", "j"};
    return made;
  }
  OutboundPort outside() {
    return {[this](const outbound::HttpRequest&, outbound::RetryRules, Done done) {
              open.push_back(std::move(done));
              return outbound::CallId{open.size()};
            },
            [](outbound::CallId) {}};
  }
  Reviewing reviewing() {
    auto made = review(stage.store().snapshot(), stage.head(result));
    EXPECT_TRUE(made.ok());
    return std::move(made).value();
  }

  Stage stage;
  Id result;
  std::deque<Done> open;  ///< questions to the judge
};

TEST(Reviewing, reads_the_judges_answer_off_the_thread_that_delivered_it) {
  Reviews reviews;
  Reviewing reviewing = reviews.reviewing();
  ASSERT_TRUE(reviewing.open);
  EXPECT_GT(reviewing.open_bytes, 0U);
  std::vector<std::function<void()>> beside;
  std::optional<Expected<SaveReview>> kept;
  Services world{reviews.stage.store(), reviews.stage.clock, reviews.stage.ids, Reviews::settings(), {}};
  world.outside = reviews.outside();
  ask_reviewer(
      world, [&](std::function<void()> work) { beside.push_back(std::move(work)); }, std::move(reviewing),
      [&](Expected<SaveReview> review) { kept = std::move(review); });
  ASSERT_EQ(reviews.open.size(), 1U);
  outbound::HttpAnswer said;
  said.status = 200;
  said.body = "no JSON";
  reviews.open[0](said, 1);
  ASSERT_EQ(beside.size(), 1U) << "nothing is read, written or asked by the one that completes the call";
  EXPECT_EQ(reviews.open.size(), 1U);
  beside[0]();
  ASSERT_EQ(reviews.open.size(), 2U) << "asked once more";
  EXPECT_FALSE(kept);
  said.body = agent_is_to_blame;
  reviews.open[1](said, 1);
  ASSERT_EQ(beside.size(), 2U);
  EXPECT_FALSE(kept);
  beside[1]();
  ASSERT_TRUE(kept && kept->ok());
  EXPECT_NE((*kept)->review.text.find(R"("by":"model")"), std::string::npos) << (*kept)->review.text;
}

TEST(Reviewing, is_busy_if_too_much_waits_for_the_judge) {
  std::vector<Expected<SaveReview>>
      kept;  // outlives the reviews: those still open at the end are answered then
  Reviews reviews;
  const auto ask = [&](std::size_t bytes) {
    Reviewing reviewing = reviews.reviewing();
    reviewing.open_bytes = bytes;
    reviews.stage.gateway().ask_reviewer(
        std::move(reviewing), [&](Expected<SaveReview> review) { kept.push_back(std::move(review)); });
  };
  ask(2 * limits::judged_bytes_max);
  EXPECT_EQ(reviews.open.size(), 1U) << "one may be larger";
  ask(1);
  EXPECT_EQ(reviews.open.size(), 1U);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].problem().kind, ProblemKind::busy);
  reviews.open[0](outbound::Failure{outbound::FailureKind::canceled, "canceled", false}, 1);
  ASSERT_EQ(kept.size(), 2U);
  ask(1);
  ask(limits::judged_bytes_max - 1);
  EXPECT_EQ(reviews.open.size(), 3U);
}

}  // namespace
}  // namespace parley::actors::test
