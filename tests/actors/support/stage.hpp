#pragma once
/// A deterministic world for the actors: a real store in a directory of its own (without sync), a clock and ids that
/// the test advances, and all actors of the product under CAF's testing scheduler on the test's thread. The test
/// chooses which actor handles its next message: in the order of arrival, or shuffled by a seed, so that a seed
/// identifies one interleaving. One thread.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "store/views/recount.hpp"
#include "tests/actors/support/actors.hpp"
#include "tests/actors/support/machine.hpp"
#include "tests/store/world.hpp"

namespace parley::actors::test {

class Stage {
 public:
  explicit Stage(Settings settings = {}) {
    options_.directory = home_.path() / "data";
    options_.fsync = false;
    options_.map_bytes = std::uint64_t{1} << 30;
    options_.free_bytes_min = 1;
    settings_ = settings;
    open();
    Agent external = record<Agent>();
    agent = external.stamp.id;
    create(external);
    Scenario empty = record<Scenario>();
    scenario = empty.stamp.id;
    create(empty);
  }
  ~Stage() { actors.reset(); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // ---- the process ------------------------------------------------------------------------------------------------

  /// Power loss: work in progress no longer reaches the disk, and a new process opens the directory.
  void crash() {
    refuse_commits(true);
    actors.reset();
    refuse_commits(false);
    open();
  }
  /// The process ends while a thread works on this result, and a new one opens the directory (I10).
  void crash_within(const Id& result) {
    refuse_commits(true);
    actors.reset();
    refuse_commits(false);
    store::leave_mark(options_.directory, result);
    open();
  }
  /// An orderly stop: all actors finish their work, and a new process opens the directory.
  void stop() {
    gateway().end_waits();
    marks_->stop();
    actors.reset();
    open();
  }
  /// The same, but the process finally had to be killed during the work on this result.
  void stop_within(const Id& result) {
    gateway().end_waits();
    marks_->stop();
    crash_within(result);
  }
  /// Results that are currently marked as being worked on.
  [[nodiscard]] std::vector<Id> worked_at() const {
    const auto marks = store::WorkMarks::open(options_.directory);
    return marks ? (*marks)->left() : std::vector<Id>{};
  }
  Recovered recover() {
    const auto recovered = actors->recover();
    if (!recovered) ADD_FAILURE() << recovered.problem().detail;
    return recovered ? *recovered : Recovered{};
  }
  /// The store refuses writes, as on a full disk, or accepts them again.
  void refuse_commits(bool refuses) { disk_free_bytes_ = refuses ? 0 : 1'000'000; }
  [[nodiscard]] store::Store& store() { return *store_; }
  /// Sets the implementation of agents and models, from now on and after crashes.
  void set_outside(OutboundPort outside) {
    outside_ = std::move(outside);
    world_->outside = outside_;
  }
  /// Decrypts the agents' secrets, from now on and after crashes. `secrets` must outlive the stage.
  void set_secrets(const store::Secrets& secrets) {
    secrets_ = &secrets;
    world_->secrets = secrets_;
  }
  [[nodiscard]] Gateway& gateway() { return actors->gateway(); }

  // ---- records ----------------------------------------------------------------------------------------------------

  template <class T>
  [[nodiscard]] T record() {
    T made;
    made.stamp.id = ids.next(clock.now());
    made.stamp.updated_at = made.stamp.created_at();
    return made;
  }
  /// Commits without the actors, as another writer would.
  void commit(const store::ChangeSet& set) {
    const auto outcome = store_->committer().commit({&set, 1}).front();
    ASSERT_EQ(outcome.kind, store::Outcome::Kind::committed) << outcome.problem.detail;
  }
  template <class T>
  void create(const T& made) {
    store::ChangeSet set;
    set.create(made);
    commit(set);
  }
  template <class T>
  [[nodiscard]] T get(const Id& id) {
    auto found = store_->snapshot().find<T>(id);
    if (!found || !*found) {
      ADD_FAILURE() << "no such record";
      return {};
    }
    return std::move(**found);
  }
  [[nodiscard]] ResultHead head(const Id& result) { return get<ResultHead>(result); }
  [[nodiscard]] RunStatus run_status(const Id& run) { return get<Run>(run).status; }
  [[nodiscard]] std::vector<Entry> conversation(const Id& result) {
    std::vector<Entry> entries;
    const auto snapshot = store_->snapshot();
    const auto walked = snapshot.for_each_entry(result, [&](std::uint32_t, const store::StoredEntry& stored) {
      entries.push_back(entry_from_stored(stored.json).value());
      return true;
    });
    EXPECT_TRUE(walked.ok());
    return entries;
  }
  /// Adds a test to the scenario, so that runs expect it.
  Id add_test(const Id& of_scenario, std::string instruction = "say: one") {
    Test test = record<Test>();
    test.scenario.id = of_scenario;
    test.instruction = std::move(instruction);
    create(test);
    return test.stamp.id;
  }
  /// Rows in which the views differ from the records; empty in a sound store.
  [[nodiscard]] std::vector<std::string> differences() {
    const auto found = store::recount(store_->snapshot());
    if (!found) return {found.problem().detail};
    std::vector<std::string> rows;
    for (const store::Difference& one : *found) rows.push_back(one.what);
    return rows;
  }

  // ---- commands ---------------------------------------------------------------------------------------------------

  [[nodiscard]] ResultAnswer ask(const Id& result, ResultCommand command, OptionalIdempotency keep = {}) {
    ResultAnswer answer;
    gateway().to_result(result, std::move(command), std::move(keep), answer.completion());
    return answer;
  }
  [[nodiscard]] RunAnswer ask_run(const Id& run, RunCommand command, OptionalIdempotency keep = {}) {
    RunAnswer answer;
    gateway().to_run(run, std::move(command), std::move(keep), answer.completion());
    return answer;
  }
  /// Runs the command to its end, with nothing else in progress.
  ResultAnswer must(const Id& result, ResultCommand command) {
    ResultAnswer answer = ask(result, std::move(command));
    actors->settle();
    EXPECT_EQ(answer.status(), 200) << (answer.status() > 1 ? answer.problem().detail : "no single answer");
    return answer;
  }
  RunAnswer must_run(const Id& run, RunCommand command) {
    RunAnswer answer = ask_run(run, std::move(command));
    actors->settle();
    EXPECT_EQ(answer.status(), 200) << (answer.status() > 1 ? answer.problem().detail : "no single answer");
    return answer;
  }

  [[nodiscard]] Id new_run(RunStatus status = RunStatus::running,
                           std::optional<Id> of_scenario = std::nullopt) {
    CreateRun command;
    command.run.scenario.id = of_scenario.value_or(scenario);
    command.run.agent.id = agent;
    command.run.status = status;
    return must_run(Id{}, command).value().run.stamp.id;
  }
  [[nodiscard]] CreateResult case_of(const Id& run, CompletionMode mode = CompletionMode::automatic) const {
    CreateResult command;
    command.run = Ref<RecordKind::run>{run};
    command.agent.id = agent;
    command.completion_mode = mode;
    command.test_case.instruction = "say: one\nsay: two\nsay: three";
    Assertion assertion;
    assertion.id = "greets";
    assertion.type = "contains";
    assertion.config = json::Text{R"({"value":"hello"})"};
    command.test_case.assertions = {assertion};
    return command;
  }
  [[nodiscard]] Id new_result(const CreateResult& command) {
    return must_run(command.run->id, command).value().result->head.stamp.id;
  }
  [[nodiscard]] Id new_result(const Id& run, CompletionMode mode = CompletionMode::automatic) {
    return new_result(case_of(run, mode));
  }
  /// A new result of the run in that state. For S, scoring must be paused.
  [[nodiscard]] Id new_result_in(Phase phase, const Id& run) {
    const bool waits = phase == Phase::W || phase == Phase::S || phase == Phase::C;
    CreateResult command = case_of(run, waits ? CompletionMode::manual : CompletionMode::automatic);
    if (waits) command.test_case.instruction = "say: one\nend";
    const Id result = new_result(command);
    if (phase == Phase::P) return result;
    must(result, says("hello"));
    if (phase == Phase::F) must(result, to_status(ResultStatus::failed));
    if (phase == Phase::X) must(result, to_status(ResultStatus::canceled));
    if (!waits) return result;
    must(result, NextMessage{});
    must(result, says("hello again"));
    must(result, NextMessage{});
    if (phase != Phase::W) must(result, Finish{});
    return result;
  }
  void pause_scoring(bool paused) {
    gateway().pause_scoring(paused);
    actors->settle();
  }

  CountingIds ids;
  ManualClock clock{noon};
  Id agent;
  Id scenario;
  std::unique_ptr<Actors> actors;
  std::vector<std::string> ends;  ///< why the product would have ended the process

 private:
  void open() {
    actors.reset();
    store_.reset();
    marks_.reset();
    auto opened = store::Store::open(options_);
    if (!opened) ADD_FAILURE() << opened.problem().detail;
    store_ = std::move(opened).value();
    store_->committer().surround({[this] { return disk_free_bytes_; }, {}});
    world_.emplace(
        Services{*store_, clock, ids, settings_, [this](const std::string& why) { ends.push_back(why); }});
    world_->outside = outside_;
    world_->secrets = secrets_;
    auto marks = store::WorkMarks::open(options_.directory);
    if (!marks) ADD_FAILURE() << marks.problem().detail;
    marks_ = std::move(marks).value();
    world_->marks = marks_.get();
    actors = std::make_unique<Actors>(*world_);
  }

  store::TemporaryDirectory home_;
  store::Options options_;
  Settings settings_;
  OutboundPort outside_;
  const store::Secrets* secrets_ = nullptr;
  std::uint64_t disk_free_bytes_ = 1'000'000;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::WorkMarks> marks_;
  std::optional<Services> world_;
};

/// Runs the operations concurrently: in a random order, a few messages apart, until all are done.
inline void race(Stage& stage, std::mt19937_64& dice, std::vector<std::function<void()>> operations) {
  std::shuffle(operations.begin(), operations.end(), dice);
  for (const auto& operation : operations) {
    operation();
    stage.actors->step(dice, dice() % 8);
  }
  stage.actors->settle(dice);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t seeds =
    60;  // without optimization and with sanitizers, a round takes ten times as long
#else
inline constexpr std::uint64_t seeds = 200;
#endif

/// Calls `round` with the dice of each seed and then checks that the views still match the records.
inline void for_each_seed(Stage& stage, const std::function<void(std::mt19937_64&)>& round) {
  for (std::uint64_t seed = 1; seed <= seeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice(seed);
    stage.clock.advance(1);
    round(dice);
  }
  EXPECT_EQ(stage.differences(), std::vector<std::string>{});
}

}  // namespace parley::actors::test
