// One Idempotency-Key, sent twice concurrently (D9, I4, race 62), and one ETag, sent many times concurrently (D12): in
// every interleaving, exactly one of the requests takes effect.

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

OptionalIdempotency keep_at(const Stage& stage, const std::string& fingerprint) {
  const Time now = stage.clock.now();
  return store::NewIdempotencyRecord{store::idempotency_key(now, fingerprint), "hash", 200, now};
}

/// The stored records; empty while nothing is stored.
std::vector<Id> kept(Stage& stage, const std::string& fingerprint) {
  const auto found = store::find_idempotency_record(stage.store().snapshot(), fingerprint, stage.clock.now());
  EXPECT_TRUE(found.ok());
  return found.ok() && *found ? (*found)->ids : std::vector<Id>{};
}

template <class T>
std::vector<int> sorted_statuses(const std::vector<Answer<T>>& answers) {
  std::vector<int> statuses;
  for (const auto& answer : answers) statuses.push_back(answer.status());
  std::sort(statuses.begin(), statuses.end());
  return statuses;
}

const std::vector<int> once{200, 409, 409};

/// Sends the same command with the same key three times; returns the answer of the one that was carried out.
ResultAnswer race_of_results(Stage& stage, std::mt19937_64& dice, const Id& result,
                             const ResultCommand& command) {
  std::vector<ResultAnswer> answers(3);
  const OptionalIdempotency keep = keep_at(stage, to_text(result));
  std::vector<std::function<void()>> operations;
  for (auto& answer : answers) operations.push_back([&] { answer = stage.ask(result, command, keep); });
  race(stage, dice, operations);
  EXPECT_EQ(sorted_statuses(answers), once);
  for (const auto& answer : answers) {
    if (answer.status() == 200) return answer;
  }
  return {};
}

TEST(KeyRaces, an_entry_is_recorded_once_D9) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(stage.new_run());
    const ResultAnswer answer = race_of_results(stage, dice, result, says("hello"));
    ASSERT_EQ(stage.conversation(result).size(), 1u);
    EXPECT_EQ(kept(stage, to_text(result)), (std::vector{result, answer.value().entry->id}));
  });
}

TEST(KeyRaces, a_turn_is_made_once_and_one_that_is_repeated_is_kept_too_D9_D47) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(stage.new_run());
    const bool is_repeat = dice() % 2 == 0;
    if (is_repeat) stage.must(result, NextMessage{});
    const ResultAnswer answer = race_of_results(stage, dice, result, NextMessage{});
    ASSERT_EQ(stage.conversation(result).size(), 1u);
    EXPECT_EQ(kept(stage, to_text(result)), (std::vector{result, *answer.value().turn->message_id}));
  });
}

TEST(KeyRaces, a_retry_makes_one_clone_D9_D50) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result_in(Phase::F, stage.new_run());
    const ResultAnswer answer = race_of_results(stage, dice, result, Retry{});
    EXPECT_EQ(kept(stage, to_text(result)), std::vector{answer.value().head.stamp.id});
  });
}

TEST(KeyRaces, a_finish_that_is_refused_is_not_kept_D9) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  const ResultAnswer refused = stage.ask(result, Finish{}, keep_at(stage, "early"));
  stage.actors->settle();
  EXPECT_EQ(refused.status(), 400);
  EXPECT_TRUE(kept(stage, "early").empty()) << "only 2xx are kept";
}

TEST(KeyRaces, runs_previews_and_results_are_made_once_D9) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    CreateRun create;
    create.run.scenario.id = stage.scenario;
    create.run.agent.id = stage.agent;
    CreateResult preview = stage.case_of(run);
    preview.run.reset();
    const std::string seed = std::to_string(stage.clock.now().ms);
    std::vector<RunAnswer> runs(3);
    std::vector<RunAnswer> results(3);
    std::vector<ResultAnswer> previews(3);
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < 3; ++i) {
      operations.push_back([&, i] { runs[i] = stage.ask_run(Id{}, create, keep_at(stage, "run" + seed)); });
      operations.push_back(
          [&, i] { results[i] = stage.ask_run(run, stage.case_of(run), keep_at(stage, "result" + seed)); });
      operations.push_back([&, i] {
        stage.gateway().create_preview(preview, keep_at(stage, "preview" + seed), previews[i].completion());
      });
    }
    race(stage, dice, operations);
    EXPECT_EQ(sorted_statuses(runs), once);
    EXPECT_EQ(sorted_statuses(results), once);
    EXPECT_EQ(sorted_statuses(previews), once);
    const auto counters = stage.store().snapshot().run_counters(run);
    EXPECT_EQ(counters->total(), 1);
    EXPECT_TRUE(stage.store().snapshot().has(RecordKind::run, kept(stage, "run" + seed).at(0)));
    EXPECT_TRUE(stage.store().snapshot().has(RecordKind::test_result, kept(stage, "preview" + seed).at(0)));
  });
}

TEST(KeyRaces, a_run_is_canceled_once_D9) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    std::vector<RunAnswer> answers(3);
    std::vector<std::function<void()>> operations;
    for (auto& answer : answers) {
      operations.push_back([&] { answer = stage.ask_run(run, CancelRun{}, keep_at(stage, to_text(run))); });
    }
    race(stage, dice, operations);
    EXPECT_EQ(sorted_statuses(answers), once);
    EXPECT_EQ(kept(stage, to_text(run)), std::vector{run});
  });
}

TEST(KeyRaces, a_key_is_not_kept_without_its_effect_I4) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  stage.refuse_commits(true);
  const ResultAnswer refused = stage.ask(result, says("lost"), keep_at(stage, "k"));
  stage.actors->settle();
  EXPECT_EQ(refused.status(), 503);
  stage.refuse_commits(false);
  EXPECT_TRUE(kept(stage, "k").empty());
  const ResultAnswer again = stage.ask(result, says("kept"), keep_at(stage, "k"));
  stage.actors->settle();
  EXPECT_EQ(again.status(), 200);
  EXPECT_EQ(stage.conversation(result).size(), 1u);
}

TEST(EtagRaces, one_of_many_patches_of_a_result_passes_D12) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(stage.new_run());
    PatchResult patch;
    patch.if_updated_at = stage.head(result).stamp.updated_at;
    std::vector<ResultAnswer> answers(5);
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      operations.push_back([&, i] {
        patch.metadata = json::Text{R"({"n":)" + std::to_string(i) + "}"};
        answers[i] = stage.ask(result, patch);
      });
    }
    race(stage, dice, operations);
    EXPECT_EQ(sorted_statuses(answers), (std::vector{200, 412, 412, 412, 412}));
  });
}

TEST(EtagRaces, a_recorded_entry_outdates_the_etag_of_a_result_D12) {
  Stage stage;
  const Id result = stage.new_result(stage.new_run());
  PatchResult patch;
  patch.metadata = json::Text{R"({"n":1})"};
  patch.if_updated_at = stage.must(result, says("hello")).value().head.stamp.updated_at;
  stage.must(result, says("again"));
  const ResultAnswer answer = stage.ask(result, patch);
  stage.actors->settle();
  EXPECT_EQ(answer.status(), 412);
}

TEST(EtagRaces, one_of_many_patches_of_a_run_passes_D12) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    PatchRun patch;
    patch.if_updated_at = stage.get<parley::Run>(run).stamp.updated_at;
    std::vector<RunAnswer> answers(5);
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      operations.push_back([&, i] {
        patch.result = json::Text{R"({"n":)" + std::to_string(i) + "}"};
        answers[i] = stage.ask_run(run, patch);
      });
    }
    race(stage, dice, operations);
    EXPECT_EQ(sorted_statuses(answers), (std::vector{200, 412, 412, 412, 412}));
  });
}

}  // namespace
}  // namespace parley::actors::test
