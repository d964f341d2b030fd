// Waiting clients (D47, D96): no wake-up is lost; no client waits longer than it requested, or past the end.

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

/// How a wait ended.
struct Ends {
  std::shared_ptr<std::vector<Wait::End>> seen = std::make_shared<std::vector<Wait::End>>();
  std::shared_ptr<bool> left = std::make_shared<bool>(false);

  [[nodiscard]] std::string text() const {
    std::string words;
    for (const Wait::End end : *seen) words += end == Wait::End::fulfilled ? "came " : "cut ";
    return words;
  }
};

Ends wait_until_terminal(Stage& stage, const Id& result,
                         std::chrono::milliseconds at_most = std::chrono::seconds(9)) {
  Ends ends;
  Wait wait;
  wait.of = result;
  wait.is_over = [result](const store::Snapshot& snapshot) {
    const auto head = snapshot.find<ResultHead>(result);
    return !head.ok() || !*head || is_terminal((*head)->status);
  };
  wait.at_most = at_most;
  wait.has_left = [left = ends.left] { return *left; };
  wait.done = [seen = ends.seen](Wait::End end) { seen->push_back(end); };
  stage.gateway().wait(std::move(wait));
  return ends;
}

void pass(Stage& stage, std::chrono::milliseconds time) {
  for (; time.count() > 0; time -= std::chrono::milliseconds(50)) {
    stage.actors->pass(std::chrono::milliseconds(50));
    stage.actors->settle();
  }
}

TEST(WaitingRoom, answers_when_the_change_occurs_and_not_before_D96) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const Ends ends = wait_until_terminal(stage, result);
  const Ends other = wait_until_terminal(stage, stage.new_result(stage.new_run()));
  stage.actors->settle();
  stage.must(result, says("hello"));
  EXPECT_EQ(ends.text(), "");
  EXPECT_EQ(stage.gateway().counters().clients_waiting, 2u);
  stage.must(result, to_status(ResultStatus::failed));
  EXPECT_EQ(ends.text(), "came ");
  EXPECT_EQ(other.text(), "");
  EXPECT_EQ(stage.gateway().counters().clients_waiting, 1u);
}

TEST(WaitingRoom, answers_immediately_if_the_change_has_already_occurred_D96) {
  Stage stage;
  const Id result = stage.new_result_in(Phase::F, stage.new_run());
  const Ends ends = wait_until_terminal(stage, result);
  stage.actors->settle();
  EXPECT_EQ(ends.text(), "came ");
}

TEST(WaitingRoom, loses_no_wake_up_in_any_order_D96) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result_in(Phase::R, run);
    std::vector<Ends> ends;
    race(stage, dice,
         {[&] { ends.push_back(wait_until_terminal(stage, result)); },
          [&] { ends.push_back(wait_until_terminal(stage, result)); },
          [&] { static_cast<void>(stage.ask_run(run, CancelRun{})); }});
    for (const Ends& each : ends) EXPECT_EQ(each.text(), "came ") << "a bulk operation is told too (I45)";
  });
}

TEST(WaitingRoom, answers_when_the_time_is_over_D96) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const Ends one = wait_until_terminal(stage, result, std::chrono::seconds(1));
  const Ends two = wait_until_terminal(stage, result, std::chrono::seconds(2));
  stage.actors->settle();
  pass(stage, std::chrono::milliseconds(950));
  EXPECT_EQ(one.text(), "");
  pass(stage, std::chrono::milliseconds(100));
  EXPECT_EQ(one.text(), "cut ");
  EXPECT_EQ(two.text(), "");
  pass(stage, std::chrono::seconds(2));
  EXPECT_EQ(two.text(), "cut ");
}

TEST(WaitingRoom, releases_a_client_that_left) {
  Stage stage;
  const Ends ends = wait_until_terminal(stage, stage.new_result(stage.new_run()));
  stage.actors->settle();
  *ends.left = true;
  pass(stage, std::chrono::milliseconds(100));
  EXPECT_EQ(ends.text(), "cut ");
  EXPECT_EQ(stage.gateway().counters().clients_waiting, 0u);
}

TEST(WaitingRoom, is_empty_once_the_server_stops_I66) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const Ends before = wait_until_terminal(stage, result);
  stage.actors->settle();
  stage.gateway().end_waits();
  const Ends after = wait_until_terminal(stage, result);
  stage.actors->settle();
  EXPECT_EQ(before.text(), "cut ");
  EXPECT_EQ(after.text(), "cut ");
}

TEST(WaitingRoom, answers_waiting_clients_when_it_is_destroyed) {
  Ends ends;
  {
    Stage stage;
    ends = wait_until_terminal(stage, stage.new_result(stage.new_run()));
    stage.actors->settle();
  }
  EXPECT_EQ(ends.text(), "cut ");
}

TEST(WaitingRoom, has_a_bound) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  std::vector<Ends> ends;
  for (std::size_t i = 0; i < limits::waiters_max; ++i) ends.push_back(wait_until_terminal(stage, result));
  const Ends beyond = wait_until_terminal(stage, result);
  stage.actors->settle();
  EXPECT_EQ(beyond.text(), "cut ");
  EXPECT_EQ(stage.gateway().counters().clients_waiting, limits::waiters_max);
  stage.must(result, to_status(ResultStatus::canceled));
  for (const Ends& each : ends) ASSERT_EQ(each.text(), "came ");
}

}  // namespace
}  // namespace parley::actors::test
