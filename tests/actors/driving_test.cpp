// Conversations that the service drives, under shuffled schedules: caps, cancels, crashes, late answers (I6, I8, I49,
// F24). The agents are calls that this test answers when the dice say so.

#include "store/list.hpp"
#include "tests/actors/support/calls.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

outbound::HttpAnswer says_json(std::string body) {
  outbound::HttpAnswer answer;
  answer.status = 200;
  answer.body = std::move(body);
  answer.content_type = "application/json";
  return answer;
}

constexpr std::int64_t cap = 3;

/// A stage with an HTTP agent and a launched run of `results` conversations.
struct DrivenRun {
  explicit DrivenRun(int results, const std::string& instruction = "say: one", std::size_t held_bytes = 0) {
    calls.held_bytes = held_bytes;
    stage.set_outside(calls.outside());
    Agent agent = stage.record<Agent>();
    agent.type = "HTTP";
    agent.config.text = R"({"url":"http://127.0.0.1:1/x"})";
    stage.create(agent);
    stage.agent = agent.stamp.id;
    Scenario scenario = stage.record<Scenario>();
    stage.create(scenario);
    for (int i = 0; i < results; ++i) stage.add_test(scenario.stamp.id, instruction);
    CreateRun command;
    command.run.scenario.id = scenario.stamp.id;
    command.run.agent.id = agent.stamp.id;
    command.run.status = RunStatus::pending;
    command.run.max_concurrent_tests = cap;
    run = stage.must_run(Id{}, command).value().run.stamp.id;
    store::ListQuery query{};
    query.kind = RecordKind::test_result;
    query.filters.push_back({store::Facet::run, {store::value_of(run)}});
    const auto ids = store::all_ids(stage.store().snapshot(), query);
    EXPECT_TRUE(ids.ok());
    results_of_run = *ids;
  }

  ~DrivenRun() {
    // A call that stays open would keep its actor alive indefinitely.
    stage.set_outside({[](const outbound::HttpRequest&, outbound::RetryRules, const Calls::Done&) {
                         return outbound::CallId{0};
                       },
                       [](outbound::CallId) {}});
    calls.forget();
  }
  DrivenRun(const DrivenRun&) = delete;
  DrivenRun& operator=(const DrivenRun&) = delete;

  /// Answers calls until no actor makes any more.
  void answer_all(std::mt19937_64& dice) {
    for (int round = 0; round < 1'000; ++round) {
      stage.actors->settle(dice);
      if (calls.empty()) return;
      calls.end_any(dice, says_json(R"({"message":"fine"})"));
    }
    ADD_FAILURE() << "it goes on for ever";
  }
  void expect_sound() {
    EXPECT_LE(calls.most(), static_cast<std::size_t>(cap)) << "I49";
    EXPECT_TRUE(is_terminal(stage.run_status(run)));
    for (const Id& result : results_of_run) {
      const ResultHead head = stage.head(result);
      EXPECT_TRUE(is_terminal(head.status)) << word_of(head.status);
      Role next = Role::tester;
      for (const Entry& entry : stage.conversation(result)) {  // no turn is duplicated or lost
        EXPECT_EQ(entry.role, next);
        next = next == Role::tester ? Role::chatbot : Role::tester;
      }
    }
    EXPECT_EQ(stage.differences(), std::vector<std::string>{});
  }

  Calls calls;
  Stage stage;
  Id run;
  std::vector<Id> results_of_run;
};

TEST(Driving, a_launched_run_is_driven_to_its_end_within_its_cap_I49) {
  std::mt19937_64 dice(1);
  DrivenRun drive(7);
  drive.answer_all(dice);
  drive.expect_sound();
  EXPECT_EQ(drive.calls.most(), static_cast<std::size_t>(cap)) << "it is reached";
  EXPECT_EQ(drive.stage.run_status(drive.run), RunStatus::completed);
  for (const Id& result : drive.results_of_run)
    EXPECT_EQ(drive.stage.head(result).status, ResultStatus::completed);
}

TEST(Driving, drops_what_an_agent_answers_after_the_cancel_F24) {
  std::mt19937_64 dice(2);
  DrivenRun drive(1);
  drive.stage.actors->settle();
  drive.stage.must(drive.results_of_run.front(), to_status(ResultStatus::canceled));
  EXPECT_TRUE(drive.calls.empty()) << "the call was stopped";
  EXPECT_EQ(drive.stage.gateway().counters().late_dropped, 0U) << "its end is no answer";
  EXPECT_EQ(drive.stage.conversation(drive.results_of_run.front()).size(), 1U);
  drive.expect_sound();
}

TEST(Driving, no_call_begins_once_a_cancel_run_is_answered) {
  constexpr int seeds = 300;
  std::size_t started = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(static_cast<std::uint64_t>(seed));
    DrivenRun drive(4, "say: one\nsay: two\nsay: three");
    for (int step = 0; step < 4; ++step) {
      drive.stage.actors->step(dice, dice() % 20);
      drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
    }
    const auto canceled = drive.stage.ask_run(drive.run, CancelRun{});
    while (canceled.status() == 0) {
      drive.stage.actors->step(dice, 1);
      if (dice() % 8 == 0) drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
    }
    ASSERT_EQ(canceled.status(), 200);
    started += drive.calls.keys().size();
    const std::size_t at_the_answer = drive.calls.keys().size();
    drive.stage.actors->settle();
    EXPECT_EQ(drive.calls.keys().size(), at_the_answer);
    EXPECT_TRUE(drive.calls.empty());
    drive.expect_sound();
  }
  EXPECT_GT(started, static_cast<std::size_t>(seeds)) << "something was going on each time";
}

TEST(Driving, resumes_after_a_crash_with_the_unanswered_turn_I6_I8) {
  std::mt19937_64 dice(3);
  DrivenRun drive(2);
  drive.stage.actors->settle();
  drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
  drive.stage.actors->settle();
  drive.calls.forget();
  drive.stage.crash();
  EXPECT_EQ(drive.stage.recover().driven_on, 1U) << "the answered one has said all it had to say";
  drive.answer_all(dice);
  drive.expect_sound();
  const auto& keys = drive.calls.keys();
  EXPECT_EQ(
      std::count(keys.begin(), keys.end(), keys.front()) + std::count(keys.begin(), keys.end(), keys[1]), 3)
      << "the turn under way was asked again under its key, the answered one was not";
}

TEST(Driving, a_result_driven_for_too_long_fails_before_its_next_call) {
  std::mt19937_64 dice(5);
  DrivenRun drive(1, "say: one\nsay: two\nsay: three");
  drive.stage.actors->settle();
  drive.stage.actors->pass(std::chrono::minutes(30));
  drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
  drive.stage.actors->settle();
  EXPECT_FALSE(drive.calls.empty()) << "half an hour is not longer than half an hour";
  drive.stage.actors->pass(std::chrono::milliseconds(1));
  drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
  drive.stage.actors->settle();
  EXPECT_TRUE(drive.calls.empty());
  const ResultHead head = drive.stage.head(drive.results_of_run.front());
  EXPECT_EQ(head.status, ResultStatus::failed);
  EXPECT_EQ(head.end_reason, EndReason::timeout);
  EXPECT_EQ(drive.stage.conversation(head.stamp.id).size(), 5U) << "what was said stays";
  EXPECT_TRUE(is_terminal(drive.stage.run_status(drive.run)));
  EXPECT_EQ(drive.stage.gateway().counters().slots_taken, 0U);
  EXPECT_EQ(drive.stage.differences(), std::vector<std::string>{});
}

TEST(Driving, a_large_question_waits_until_others_have_left_memory_I63) {
  std::mt19937_64 dice(8);
  const std::string large = "say: " + std::string(limits::small_conversation_bytes, 'x') + "\nsay: two";
  DrivenRun drive(1, large, limits::held_bodies_bytes_max),
      small(1, "say: one", limits::held_bodies_bytes_max);
  drive.stage.actors->settle();
  EXPECT_TRUE(drive.calls.empty());
  drive.stage.actors->pass(std::chrono::seconds(1));
  drive.stage.actors->settle();
  EXPECT_TRUE(drive.calls.empty()) << "there is still no room";
  drive.calls.held_bytes = limits::held_bodies_bytes_max - 1;
  drive.stage.actors->pass(std::chrono::seconds(1));
  drive.stage.actors->settle();
  EXPECT_FALSE(drive.calls.empty());
  drive.answer_all(dice);
  EXPECT_EQ(drive.stage.head(drive.results_of_run.front()).status, ResultStatus::completed);
  drive.expect_sound();
  small.answer_all(dice);
  EXPECT_EQ(small.stage.head(small.results_of_run.front()).status, ResultStatus::completed);
}

TEST(Driving, other_writes_do_not_make_a_conversation_look_for_room_more_often) {
  std::mt19937_64 dice(9);
  const std::string large = "say: " + std::string(limits::small_conversation_bytes, 'x') + "\nsay: two";
  DrivenRun drive(1, large, limits::held_bodies_bytes_max);
  drive.stage.actors->settle();
  const auto checks_in_a_while = [&] {
    drive.calls.looks = 0;
    for (int i = 0; i < 8; ++i) {
      drive.stage.actors->pass(std::chrono::milliseconds(250));
      drive.stage.actors->settle();
    }
    return drive.calls.looks;
  };
  const int alone = checks_in_a_while();
  EXPECT_GT(alone, 0);
  for (int i = 0; i < 10; ++i) drive.stage.must(drive.results_of_run.front(), named(EntryType::tool, "t"));
  EXPECT_EQ(checks_in_a_while(), alone);
  drive.calls.held_bytes = 0;
  drive.stage.actors->pass(std::chrono::seconds(1));
  drive.answer_all(dice);
  EXPECT_EQ(drive.stage.head(drive.results_of_run.front()).status, ResultStatus::completed);
}

TEST(Driving, a_wall_clock_that_jumps_ends_nothing_F38) {
  std::mt19937_64 dice(7);
  DrivenRun drive(1, "say: one\nsay: two");
  drive.stage.actors->settle();
  drive.stage.clock.advance(std::int64_t{10} * 365 * 24 * 60 * 60'000);
  drive.answer_all(dice);
  EXPECT_EQ(drive.stage.head(drive.results_of_run.front()).status, ResultStatus::completed);
  drive.expect_sound();
}

TEST(Driving, downtime_does_not_count_as_time_driven) {
  std::mt19937_64 dice(6);
  DrivenRun drive(1, "say: one\nsay: two");
  drive.stage.actors->settle();
  drive.calls.forget();
  drive.stage.actors->pass(std::chrono::minutes(29));
  drive.stage.crash();
  drive.stage.clock.advance(24 * 60 * 60'000);
  drive.stage.recover();
  drive.stage.actors->settle();
  drive.stage.actors->pass(std::chrono::minutes(29));
  drive.answer_all(dice);
  EXPECT_EQ(drive.stage.head(drive.results_of_run.front()).status, ResultStatus::completed);
  drive.expect_sound();
}

TEST(Driving, counts_an_answer_that_came_just_too_late_F24) {
  std::mt19937_64 dice(4);
  DrivenRun drive(1);
  drive.stage.actors->settle();
  EXPECT_EQ(drive.stage.gateway().counters().slots_taken, 1U);
  const auto canceled = drive.stage.ask(drive.results_of_run.front(), to_status(ResultStatus::canceled));
  drive.stage.actors->settle_but_writer();  // the cancel is decided and being saved when the answer arrives
  drive.calls.end_any(dice, says_json(R"({"message":"fine"})"));
  drive.stage.actors->settle();
  EXPECT_EQ(canceled.status(), 200);
  EXPECT_EQ(drive.stage.conversation(drive.results_of_run.front()).size(), 1U);
  EXPECT_EQ(drive.stage.gateway().counters().late_dropped, 1U);
  EXPECT_EQ(drive.stage.gateway().counters().slots_taken, 0U);
}

TEST(Driving, ends_in_a_sound_state_after_any_outcome) {
  constexpr int seeds = 60;
  const std::vector<outbound::HttpOutcome> outcomes{
      says_json(R"({"message":"fine"})"), says_json(R"({"message":"fine"})"),
      says_json(R"({"message":"bye","end":true})"), says_json("no json"),
      outbound::Failure{outbound::FailureKind::timeout, "too late", true}};
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(static_cast<std::uint64_t>(seed));
    DrivenRun drive(6);
    for (int step = 0; step < 40; ++step) {
      drive.stage.actors->step(dice, dice() % 12);
      const Id& any = drive.results_of_run[dice() % drive.results_of_run.size()];
      switch (dice() % 12) {
        case 0: static_cast<void>(drive.stage.ask(any, to_status(ResultStatus::canceled))); break;
        case 1: static_cast<void>(drive.stage.ask(any, to_status(ResultStatus::failed))); break;
        case 2:
          if (dice() % 8 == 0) static_cast<void>(drive.stage.ask_run(drive.run, CancelRun{}));
          break;
        case 3:
          if (dice() % 4 != 0) break;
          drive.calls.forget();
          drive.stage.crash();
          static_cast<void>(drive.stage.recover());
          break;
        default: drive.calls.end_any(dice, outcomes[dice() % outcomes.size()]);
      }
      ASSERT_LE(drive.calls.most(), static_cast<std::size_t>(cap));
    }
    drive.answer_all(dice);
    drive.expect_sound();
  }
}

}  // namespace
}  // namespace parley::actors::test
