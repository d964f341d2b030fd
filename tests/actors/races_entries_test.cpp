// Races on the conversation of one result: turns, entries, inserts, merges, finish, cancel. Each row is played once per
// seed; the assertions hold for every legal order and for nothing else.

#include <algorithm>

#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

std::size_t place_of(const std::vector<Entry>& entries, const Id& id) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.id == id; });
  EXPECT_NE(found, entries.end());
  return static_cast<std::size_t>(found - entries.begin());
}

TEST(EntryRaces, row_1_two_next_messages_make_one_turn) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    ResultAnswer a, b;
    race(stage, dice,
         {[&] { a = stage.ask(result, NextMessage{}); }, [&] { b = stage.ask(result, NextMessage{}); }});
    ASSERT_EQ(a.status(), 200);
    ASSERT_EQ(b.status(), 200);
    EXPECT_EQ(a.value().turn, b.value().turn);
    EXPECT_EQ(stage.conversation(result).size(), 1U);
  });
}

TEST(EntryRaces, rows_2_and_3_next_message_and_the_reply_to_the_turn_before) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const auto first = stage.must(result, NextMessage{}).value().turn;
    ResultAnswer next, reply;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); },
          [&] { reply = stage.ask(result, says("hello")); }});
    ASSERT_EQ(next.status(), 200);
    ASSERT_EQ(reply.status(), 200);
    const auto entries = stage.conversation(result);
    const bool repeated = next.value().turn == first;
    EXPECT_EQ(entries.size(), repeated ? 2U : 3U);
    if (!repeated) {
      EXPECT_EQ(next.value().turn->message, "two") << "the turn after the whole reply";
    }
  });
}

TEST(EntryRaces, row_4_next_message_and_an_insert) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const Id anchor = stage.must(result, says("hello")).value().entry->id;
    ResultAnswer next, insert;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); },
          [&] { insert = stage.ask(result, behind(anchor, named(EntryType::tool, "late"))); }});
    ASSERT_EQ(next.status(), 200);
    ASSERT_EQ(insert.status(), 200);
    const auto entries = stage.conversation(result);
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries.at(1).id, insert.value().entry->id) << "next to its anchor in any order";
    EXPECT_EQ(entries.at(2).id, next.value().turn->message_id);
  });
}

TEST(EntryRaces, row_5_the_ending_next_message_and_finish) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const bool is_manual = dice() % 2 == 0;
    CreateResult command = stage.case_of(run, is_manual ? CompletionMode::manual : CompletionMode::automatic);
    command.test_case.instruction = "end";
    const Id result = stage.new_result(command);
    ResultAnswer next, finish;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); }, [&] { finish = stage.ask(result, Finish{}); }});
    ASSERT_EQ(next.status(), 200);
    EXPECT_TRUE(next.value().turn->end_chat);
    const bool is_before = finish.status() == 400;
    if (is_manual) {
      EXPECT_TRUE(is_before || finish.status() == 200);
      EXPECT_EQ(phase_of(stage.head(result)), is_before ? Phase::W : Phase::C);
    } else {
      EXPECT_TRUE(is_before || finish.status() == 409);
      EXPECT_EQ(phase_of(stage.head(result)), Phase::C);
    }
  });
}

TEST(EntryRaces, row_6_next_message_and_cancel) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    ResultAnswer next, cancel;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); },
          [&] { cancel = stage.ask(result, to_status(ResultStatus::canceled)); }});
    ASSERT_EQ(next.status(), 200);
    ASSERT_EQ(cancel.status(), 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::X);
    EXPECT_EQ(stage.conversation(result).size(), next.value().turn->end_chat ? 0U : 1U);
  });
}

TEST(EntryRaces, row_7_next_message_and_cancel_run) {
  Stage stage;
  for_each_seed(stage, [&](auto& dice) {
    const Id run = stage.new_run();
    const Id result = stage.new_result(run);
    ResultAnswer next;
    RunAnswer cancel;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); },
          [&] { cancel = stage.ask_run(run, CancelRun{}); }});
    ASSERT_EQ(next.status(), 200);
    ASSERT_EQ(cancel.status(), 200);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::X);
    EXPECT_EQ(stage.run_status(run), RunStatus::canceled);
    EXPECT_EQ(stage.conversation(result).size(), next.value().turn->end_chat ? 0U : 1U);
    EXPECT_TRUE(stage.must(result, NextMessage{}).value().turn->end_chat) << "stops at its next turn";
  });
}

TEST(EntryRaces, row_8_the_ending_next_message_and_completion_mode) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    CreateResult command = stage.case_of(run);
    command.test_case.instruction = "end";
    const Id result = stage.new_result(command);
    ResultAnswer next, mode;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); },
          [&] { mode = stage.ask(result, to_mode(CompletionMode::manual)); }});
    ASSERT_EQ(next.status(), 200);
    const bool holds = mode.status() == 200;
    EXPECT_TRUE(holds || mode.status() == 409);
    EXPECT_EQ(phase_of(stage.head(result)), holds ? Phase::W : Phase::C);
  });
}

TEST(EntryRaces, row_9_next_message_and_retry_of_an_unfinished_result) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    ResultAnswer next, retry;
    race(stage, dice,
         {[&] { next = stage.ask(result, NextMessage{}); }, [&] { retry = stage.ask(result, Retry{}); }});
    EXPECT_EQ(next.status(), 200);
    EXPECT_EQ(retry.status(), 400);
    EXPECT_EQ(phase_of(stage.head(result)), Phase::R);
  });
}

TEST(EntryRaces, row_11_appends_are_all_in_and_each_answer_ends_with_its_own) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    std::array<ResultAnswer, 4> answers;
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      operations.emplace_back([&, i] { answers.at(i) = stage.ask(result, says(std::to_string(i))); });
    }
    race(stage, dice, operations);
    const auto entries = stage.conversation(result);
    ASSERT_EQ(entries.size(), answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ASSERT_EQ(answers.at(i).status(), 200);
      const ResultReply& reply = answers.at(i).value();
      EXPECT_EQ(reply.entry->content, std::to_string(i));
      EXPECT_EQ(entries.at(reply.entries - 1), *reply.entry)
          << "the cut at its own commit ends with it (I35)";
    }
  });
}

TEST(EntryRaces, row_12_one_of_two_registrations_of_a_name_is_refused_and_not_stored) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    ResultAnswer a, b;
    race(stage, dice,
         {[&] { a = stage.ask(result, registers({"press"})); },
          [&] {
            b = stage.ask(result, registers({"press", "pull"}));
          }});
    EXPECT_EQ(a.status() + b.status(), 600);
    EXPECT_EQ(stage.conversation(result).size(), 1U);
  });
}

TEST(EntryRaces, row_13_append_and_insert) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const Id anchor = stage.must(result, says("hello")).value().entry->id;
    ResultAnswer append, insert;
    race(stage, dice,
         {[&] { append = stage.ask(result, says("appended")); },
          [&] { insert = stage.ask(result, before(anchor, says("inserted"))); }});
    ASSERT_EQ(append.status(), 200);
    ASSERT_EQ(insert.status(), 200);
    const auto entries = stage.conversation(result);
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries.at(0).content, "inserted");
    EXPECT_EQ(entries.at(1).id, anchor);
    EXPECT_EQ(entries.at(2).content, "appended");
  });
}

TEST(EntryRaces, row_14_inserts_at_one_anchor_lose_no_entry) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const Id anchor = stage.must(result, says("a")).value().entry->id;
    const Id last = stage.must(result, says("z")).value().entry->id;
    std::array<ResultAnswer, 3> answers;
    race(stage, dice,
         {[&] { answers[0] = stage.ask(result, behind(anchor, says("1"))); },
          [&] { answers[1] = stage.ask(result, behind(anchor, says("2"))); },
          [&] { answers[2] = stage.ask(result, before(last, says("3"))); }});
    const auto entries = stage.conversation(result);
    ASSERT_EQ(entries.size(), 5U);
    EXPECT_EQ(entries.front().id, anchor);
    EXPECT_EQ(entries.back().id, last);
    // The entry committed later is next to the anchor.
    const auto ordinal = [&](std::size_t i) { return answers.at(i).value().entries; };
    const auto place = [&](std::size_t i) { return place_of(entries, answers.at(i).value().entry->id); };
    EXPECT_EQ(ordinal(0) < ordinal(1), place(0) > place(1));
  });
}

TEST(EntryRaces, row_15_append_and_merge_are_independent) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const Id entry = stage.must(result, says("hello")).value().entry->id;
    ResultAnswer append, merge;
    race(stage, dice,
         {[&] { append = stage.ask(result, says("more")); },
          [&] {
            merge = stage.ask(result, PatchEntry{entry, {R"({"cost":1})"}});
          }});
    EXPECT_EQ(append.status(), 200);
    EXPECT_EQ(merge.status(), 200);
    const auto entries = stage.conversation(result);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries.front().metadata.text, R"({"cost":1})");
  });
}

TEST(EntryRaces, row_16_merges_of_one_entry_lose_no_key) {
  Stage stage;
  const Id run = stage.new_run();
  for_each_seed(stage, [&](auto& dice) {
    const Id result = stage.new_result(run);
    const Id entry = stage.must(result, says("hello")).value().entry->id;
    std::array<ResultAnswer, 3> answers;
    std::vector<std::function<void()>> operations;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::string number = std::to_string(i);
      operations.emplace_back([&, i, number] {
        answers.at(i) =
            stage.ask(result, PatchEntry{entry, {R"({"k)" + number + R"(":0,"same":)" + number + "}"}});
      });
    }
    race(stage, dice, operations);
    const auto metadata = json::parse(stage.conversation(result).front().metadata.text);
    EXPECT_EQ(metadata->root().size(), 4U);
    // The last commit determines the value of the common key, and its answer shows all four keys.
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ASSERT_EQ(answers.at(i).status(), 200);
      const auto shown = json::parse(answers.at(i).value().entry->metadata.text);
      const bool is_last = shown->root().size() == 4;
      EXPECT_EQ(is_last, metadata->root().find("same")->integer() == static_cast<std::int64_t>(i));
    }
  });
}

}  // namespace
}  // namespace parley::actors::test
