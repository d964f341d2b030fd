// The detection of hallucinations: its progress, one detection at a time, continued after crashes and full disks
// (D24, I5, I10).

#include "actors/grounding/claim_checks.hpp"
#include "actors/run/run_machine.hpp"
#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

using Detection = DetectionStatus;

/// A run with finished results; the chatbot of each states a number of its own.
struct Detected {
  Stage stage;
  Id run;
  std::vector<Id> results;

  explicit Detected(int count = 3, const Settings& settings = {}) : stage(settings), run(stage.new_run()) {
    for (int i = 0; i < count; ++i) {
      const Id result = stage.new_result(run);
      PostEntry said;
      said.content = "That is " + std::to_string(100 + i) + " euros.";
      stage.must(result, said);
      PatchResult over;
      over.status = ResultStatus::failed;
      stage.must(result, over);
      results.push_back(result);
    }
  }
  RunAnswer detect() { return stage.ask_run(run, DetectHallucinations{}); }
  [[nodiscard]] Run now() { return stage.get<Run>(run); }
  [[nodiscard]] bool has_claim(std::size_t i) {
    const auto claims = stage.store().snapshot().find<StoredClaims>(results[i]);
    return claims.ok() && *claims && (*claims)->detection == now().detection &&
           (*claims)->claims.text.find(std::to_string(100 + i)) != std::string::npos;
  }
  void expect_done() {
    EXPECT_EQ(now().hallucination_status, Detection::completed);
    for (std::size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(has_claim(i)) << i;
    EXPECT_TRUE(stage.differences().empty());
  }
};

TEST(ClaimChecks, keeps_the_claims_of_every_finished_result) {
  Detected world(40);
  const Id live = world.stage.new_result(world.run);
  const RunAnswer answer = world.detect();
  world.stage.actors->settle();
  EXPECT_EQ(answer.value().run.hallucination_status, Detection::pending);
  world.expect_done();
  EXPECT_FALSE(world.stage.head(live).has_claims);
}

TEST(ClaimChecks, of_many_triggers_one_detects) {
  Detected world;
  std::vector<RunAnswer> answers;
  for (int i = 0; i < 5; ++i) answers.push_back(world.detect());
  world.stage.actors->settle();
  for (const RunAnswer& answer : answers) EXPECT_EQ(answer.status(), 200);
  EXPECT_EQ(world.now().detection, 1);
  world.expect_done();
  const auto revision = world.stage.head(world.results[0]).stamp.updated_at;
  EXPECT_EQ(world.detect().status(), 0);
  world.stage.actors->settle();
  EXPECT_EQ(world.now().detection, 2);
  world.expect_done();
  EXPECT_EQ(world.stage.head(world.results[0]).stamp.updated_at, revision) << "nothing new was found";
}

TEST(ClaimChecks, continues_after_a_crash_at_any_message_I5) {
  for (std::size_t steps = 0; steps < 60; ++steps) {
    Detected world;
    std::mt19937_64 dice(steps);
    static_cast<void>(world.detect());
    world.stage.actors->step(dice, steps);
    const bool was_reported = is_under_way(world.now().hallucination_status);
    world.stage.crash();
    world.stage.recover();
    world.stage.actors->settle();
    if (!was_reported && world.now().detection == 0) continue;  // the request was never acknowledged
    world.expect_done();
  }
}

TEST(ClaimChecks, fails_after_three_crashes_without_progress_I10) {
  parley::Run run;
  run.hallucination_status = Detection::pending;
  EXPECT_EQ(detection_after_crash(run, noon).detection_attempts, 0) << "it only waited";
  for (int crash = 1; crash <= limits::attempts_max; ++crash) {
    run.hallucination_status = Detection::running;
    run = detection_after_crash(run, noon);
    EXPECT_EQ(run.detection_attempts, crash);
    EXPECT_EQ(run.hallucination_status,
              crash < limits::attempts_max ? Detection::pending : Detection::failed);
  }
}

/// Settings with a judge that never answers in this test: Outside drops its questions.
Settings with_judge() {
  Settings settings;
  settings.judge_model = outbound::ChatEndpoint{"http://judge/v1", "j"};
  return settings;
}

TEST(ClaimChecks, stops_while_its_judge_thinks_count_for_nothing_D24_D51a) {
  Detected world(3, with_judge());
  std::size_t asked = 0;
  world.stage.set_outside({[&](const outbound::HttpRequest&, outbound::RetryRules, const auto&) {
                             return outbound::CallId{++asked};
                           },
                           [](outbound::CallId) {}});
  static_cast<void>(world.detect());
  for (int stop = 0; stop <= limits::attempts_max; ++stop) {
    world.stage.actors->settle();
    EXPECT_EQ(world.now().hallucination_status, Detection::running);
    EXPECT_EQ(asked, world.results.size()) << "it is begun again";
    asked = 0;
    world.stage.stop();
    world.stage.recover();
  }
  EXPECT_EQ(world.now().hallucination_status, Detection::pending);
  EXPECT_EQ(world.now().detection_attempts, 0);
}

TEST(ClaimChecks, waits_for_a_full_disk_F6) {
  Detected world;
  static_cast<void>(world.detect());
  world.stage.actors->settle_but_writer();
  world.stage.actors->settle_writer();
  world.stage.refuse_commits(true);
  world.stage.actors->settle();
  EXPECT_TRUE(is_under_way(world.now().hallucination_status));
  world.stage.refuse_commits(false);
  for (int i = 0; i < 3; ++i) {
    world.stage.actors->pass(std::chrono::seconds(2));
    world.stage.actors->settle();
  }
  world.expect_done();
}

TEST(ClaimChecks, ignores_a_detection_that_was_replaced) {
  parley::Run run;
  run.detection = 2;
  run.hallucination_status = Detection::running;
  CountingIds ids;
  const DecisionContext moment{noon, ids};
  const RunDecision late = on(run, MoveDetection{1, Detection::completed}, moment);
  EXPECT_FALSE(late.saves());
  EXPECT_EQ(late.reply->problem().status(), 409);
  EXPECT_EQ(run.hallucination_status, Detection::running);
}

TEST(ClaimChecks, stops_when_its_detection_has_ended) {
  Detected world(200);
  std::mt19937_64 dice(1);
  static_cast<void>(world.detect());
  while (!world.has_claim(0)) world.stage.actors->step(dice, 1);
  EXPECT_EQ(
      world.stage.must_run(world.run, MoveDetection{1, Detection::failed}).value().run.hallucination_status,
      Detection::failed);
  world.stage.actors->settle();
  EXPECT_EQ(world.now().hallucination_status, Detection::failed);
  EXPECT_FALSE(world.has_claim(world.results.size() - 1));
  static_cast<void>(world.detect());
  world.stage.actors->settle();
  EXPECT_EQ(world.now().detection, 2);
  world.expect_done();
}

TEST(ClaimChecks, reads_the_knowledge_of_the_agent) {
  Agent agent;
  agent.metadata.text = R"({"knowledge":["a",1,"b"]})";
  agent.config.text = R"({"system":"c"})";
  EXPECT_EQ(knowledge_of(agent), (std::vector<std::string>{"a", "b"}));
  agent.type = "OPENAI";
  agent.metadata.text = R"({"knowledge":"d"})";
  EXPECT_EQ(knowledge_of(agent), (std::vector<std::string>{"d", "c"}));
}

}  // namespace
}  // namespace parley::actors::test
