// Actors whose handlers throw, for example when a page of the data file cannot be read (F45): no client waits
// indefinitely, and nothing that other clients need is lost.

#include <stdexcept>

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

using namespace std::chrono_literals;

constexpr auto throwing = [](const auto&) { throw std::runtime_error("a page"); };

/// A run of server-driven conversations, one at a time. Calls to the agent throw while `throws` is set.
struct ThrowingRun {
  explicit ThrowingRun(int results, bool throws_at_first) : throws(throws_at_first) {
    stage.set_outside({[this](const outbound::HttpRequest&, outbound::RetryRules, const auto& done) {
                         if (throws) throw std::runtime_error("a page");
                         ends.push_back(done);
                         return outbound::CallId{ends.size()};
                       },
                       [](outbound::CallId) {}});
    Agent made = stage.record<Agent>();
    made.type = "HTTP";
    made.config.text = R"({"url":"http://127.0.0.1:1/x"})";
    stage.create(made);
    Scenario scenario = stage.record<Scenario>();
    stage.create(scenario);
    for (int i = 0; i < results; ++i) stage.add_test(scenario.stamp.id);
    command.run.scenario.id = scenario.stamp.id;
    command.run.agent.id = made.stamp.id;
    command.run.status = RunStatus::pending;
    command.run.max_concurrent_tests = 1;
  }
  /// A call that stays open would keep its actor alive indefinitely.
  ~ThrowingRun() { ends.clear(); }
  ThrowingRun(const ThrowingRun&) = delete;
  ThrowingRun& operator=(const ThrowingRun&) = delete;

  [[nodiscard]] std::vector<Id> live() { return stage.store().snapshot().live_of_run(run); }
  void launch() { run = stage.must_run(Id{}, command).value().run.stamp.id; }
  /// Answers every open call.
  void answer() {
    answer_calls();
    stage.actors->settle();
  }
  void answer_calls() {
    outbound::HttpAnswer answer;
    answer.status = 200;
    answer.body = R"({"message":"fine"})";
    answer.content_type = "application/json";
    for (const auto& end : std::exchange(ends, {})) end(answer, 1);
  }

  bool throws;
  std::vector<std::function<void(outbound::HttpOutcome, int)>> ends;
  Stage stage;
  CreateRun command;
  Id run;
};

PatchResult new_metadata() {
  return to_metadata(R"({"a":1})");
}

TEST(Thrown, in_a_singleton_actor_ends_the_process_F45) {
  Stage stage;
  Wait wait;
  wait.of = stage.new_result(stage.new_run());
  wait.is_over = [](const store::Snapshot&) { return false; };
  wait.at_most = 10s;
  wait.has_left = []() -> bool { throw std::runtime_error("a page"); };
  wait.done = [](Wait::End) {};
  stage.gateway().wait(std::move(wait));
  stage.actors->settle();
  stage.actors->pass(1s);
  stage.actors->settle();
  EXPECT_EQ(stage.ends, std::vector<std::string>{"the waiting room threw: a page"});
}

TEST(Thrown, in_a_result_gives_back_its_place_and_its_slot_F45) {
  ThrowingRun driven(2, true);
  driven.launch();
  EXPECT_EQ(driven.stage.gateway().counters().slots_taken, 0U) << "one after the other had it";
  EXPECT_EQ(driven.stage.gateway().counters().slots_awaited, 0U);
  EXPECT_EQ(driven.stage.gateway().counters().live_actors, 1U) << "the run's";
  for (const Id& result : driven.live()) driven.stage.must(result, new_metadata());
  EXPECT_EQ(driven.stage.ends, std::vector<std::string>{}) << "others can be read";
}

TEST(Thrown, in_a_result_that_waits_for_a_slot_leaves_it_waiting_F45) {
  ThrowingRun driven(2, false);
  driven.launch();
  ASSERT_EQ(driven.ends.size(), 1U);
  const std::vector<Id> results = driven.live();
  const auto waits = [&](const Id& id) { return driven.stage.head(id).status == ResultStatus::pending; };
  const auto waiting = std::find_if(results.begin(), results.end(), waits);
  ASSERT_NE(waiting, results.end());
  driven.stage.actors->deliver(ToResult{*waiting, {new_metadata(), throwing}});
  driven.stage.actors->settle();
  EXPECT_EQ(driven.stage.gateway().counters().slots_awaited, 1U);
  for (int turn = 0; turn < 4; ++turn) driven.answer();
  EXPECT_EQ(driven.live(), std::vector<Id>{});
  EXPECT_EQ(driven.stage.run_status(driven.run), RunStatus::completed);
}

TEST(Thrown, in_a_result_leaves_no_caller_without_an_answer_F45) {
  std::size_t broken_off = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(seed);
    ThrowingRun driven(1, true);
    const RunAnswer made = driven.stage.ask_run(Id{}, driven.command);
    driven.stage.actors->settle_but_writer();
    driven.stage.actors->settle_writer();
    const auto live = driven.stage.store().snapshot().owed();
    ASSERT_EQ(live.size(), 1U);
    std::array<ResultAnswer, 5> answers;
    for (ResultAnswer& answer : answers) {
      answer = driven.stage.ask(live.front(), new_metadata());
      driven.stage.actors->step(dice, dice() % 4);
    }
    driven.stage.actors->settle(dice);
    for (const ResultAnswer& answer : answers) {
      EXPECT_TRUE(answer.status() == 200 || answer.status() == 503) << answer.status();
      broken_off += answer.status() == 503 ? 1U : 0U;
    }
    EXPECT_EQ(made.status(), 200);
    EXPECT_EQ(driven.stage.gateway().counters().in_flight, 0U);
  }
  EXPECT_GT(broken_off, 0U) << "none of the schedules met the actor's end";
}

TEST(Thrown, in_the_answer_to_a_caller_harms_no_other_caller_F45) {
  Stage stage;
  const Id run = stage.new_run();
  const Id result = stage.new_result(run);
  stage.gateway().to_run(run, FollowResults{}, {}, throwing);
  stage.gateway().to_result(result, new_metadata(), {}, throwing);
  const RunAnswer behind = stage.ask_run(run, FollowResults{});
  stage.actors->settle();
  EXPECT_EQ(behind.status(), 200);
  EXPECT_EQ(stage.gateway().counters().in_flight, 0U);
  EXPECT_EQ(stage.gateway().counters().live_actors, 2U);
  EXPECT_EQ(stage.ends, std::vector<std::string>{});
}

TEST(Thrown, in_a_run_lets_the_next_command_read_it_again_F45) {
  Stage stage;
  const Id run = stage.new_run();
  stage.actors->deliver(ToRun{run, {FollowResults{}, throwing}});
  const RunAnswer behind = stage.ask_run(run, FollowResults{});
  stage.actors->settle();
  EXPECT_TRUE(behind.status() == 200 || behind.status() == 503) << behind.status();
  EXPECT_EQ(stage.gateway().counters().in_flight, 0U);
  stage.must_run(run, CancelRun{});
  EXPECT_EQ(stage.run_status(run), RunStatus::canceled);
  EXPECT_EQ(stage.ends, std::vector<std::string>{});
}

/// Sends two commands whose completions throw, some messages apart; each ends the actor that answers it.
template <class Send>
void throw_amid(Stage& stage, std::mt19937_64& dice, Send send) {
  for (int i = 0; i < 2; ++i) {
    stage.actors->step(dice, dice() % 12);
    send();
  }
  stage.actors->settle(dice);
  for (int i = 0; i < 5; ++i) {
    stage.clock.advance(2'000);
    stage.actors->pass(2s);
    stage.actors->settle(dice);
  }
}

TEST(Thrown, in_a_result_loses_no_verdict_F45) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(seed);
    Stage stage;
    const Id result = stage.new_result_in(Phase::W, stage.new_run());
    const ResultAnswer finished = stage.ask(result, Finish{});
    throw_amid(stage, dice, [&] { stage.actors->deliver(ToResult{result, {new_metadata(), throwing}}); });
    // The command was aborted before it took effect, so the caller may send it again.
    if (stage.head(result).status == ResultStatus::running && !stage.head(result).is_claimed())
      stage.must(result, Finish{});
    EXPECT_EQ(stage.head(result).status, ResultStatus::completed) << finished.status();
    EXPECT_EQ(stage.ends, std::vector<std::string>{});
  }
}

TEST(Thrown, in_a_result_or_run_leaves_no_detection_waiting_F45) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(seed);
    Stage stage;
    const Id run = stage.new_run();
    std::vector<Id> results;
    for (int i = 0; i < 3; ++i) results.push_back(stage.new_result_in(Phase::F, run));
    stage.must_run(run, DetectHallucinations{});
    static_cast<void>(stage.ask_run(run, DetectHallucinations{}));
    throw_amid(stage, dice, [&] {
      if (dice() % 2 == 0) return stage.actors->deliver(ToRun{run, {FollowResults{}, throwing}});
      stage.actors->deliver(ToResult{results[dice() % results.size()], {new_metadata(), throwing}});
    });
    stage.must_run(run, DetectHallucinations{});
    const auto status = stage.get<parley::Run>(run).hallucination_status;
    EXPECT_EQ(status, DetectionStatus::completed) << "the next one is not held up by it";
  }
}

TEST(Thrown, in_a_run_loses_no_news_of_its_results_F45) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(seed);
    ThrowingRun driven(1, false);
    driven.launch();
    for (int turn = 0; turn < 3; ++turn) {
      driven.answer_calls();
      throw_amid(driven.stage, dice, [&] {
        driven.stage.actors->deliver(ToRun{driven.run, {FollowResults{}, throwing}});
      });
    }
    EXPECT_EQ(driven.stage.run_status(driven.run), RunStatus::completed);
    EXPECT_EQ(driven.stage.gateway().counters().in_flight, 0U);
  }
}

struct Unreadable {
  operator int() const { throw std::runtime_error("an answer"); }
};

/// An outcome that cannot be read: reading it throws.
outbound::HttpOutcome unreadable() {
  outbound::HttpOutcome outcome;
  try {
    outcome.emplace<outbound::HttpAnswer>(Unreadable{});
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(outcome.valueless_by_exception());
  return outcome;
}

TEST(Thrown, in_the_reading_of_a_models_answer_ends_its_assertion_in_error_F45) {
  Settings settings;
  settings.judge_model = outbound::ChatEndpoint{"http://judge/v1", "j", {}};
  Stage stage(settings);
  stage.set_outside({[](const outbound::HttpRequest&, outbound::RetryRules, const auto& done) {
                       done(unreadable(), 1);
                       return outbound::CallId{1};
                     },
                     [](outbound::CallId) {}});
  const Id run = stage.new_run();
  CreateResult command = stage.case_of(run);
  command.test_case.instruction = "say: one";
  command.test_case.assertions[0].type = "criteria";
  command.test_case.assertions[0].criteria = "It greets.";
  const Id result = stage.new_result(command);
  stage.must(result, NextMessage{});
  stage.must(result, says("hello"));
  stage.must(result, NextMessage{});
  stage.actors->settle();
  EXPECT_EQ(stage.head(result).status, ResultStatus::completed);
  const auto verdict = stage.store().snapshot().verdict(result, 0);
  ASSERT_TRUE(verdict.ok() && *verdict);
  EXPECT_NE((*verdict)->assertion_results.text.find(R"("status":"error")"), std::string::npos);
  stage.must_run(run, DetectHallucinations{});
  EXPECT_EQ(stage.get<parley::Run>(run).hallucination_status, DetectionStatus::failed);
  EXPECT_EQ(stage.ends, std::vector<std::string>{});
}

}  // namespace
}  // namespace parley::actors::test
