// Reads of a follower: one question for all, no stale answer that is not marked, every read answered in time.

#include "actors/cluster/read_barrier.hpp"

#include <gtest/gtest.h>

namespace parley::actors {
namespace {

using Kind = ReadGround::Kind;

struct Stand {
  ReadBarrier barrier{WhenLeaderless::stale};
  NodeView view;
  std::vector<Kind> answers;
  std::vector<std::int64_t> ages;
  std::int64_t now = 50'000;

  Stand() {
    view.role = NodeRole::following;
    view.complete_ms = now - 10;
    view.applied = 7;
  }
  void read() {
    barrier.enter(
        [this](ReadGround ground) {
          answers.push_back(ground.kind);
          ages.push_back(ground.stale_ms);
        },
        now);
  }
  void settle() { barrier.settle(view, false, now); }
};

TEST(ReadBarrier, waits_until_the_copy_has_the_leaders_head) {
  Stand stand;
  stand.read();
  const auto question = stand.barrier.ask(stand.now);
  ASSERT_TRUE(question);
  stand.barrier.answered(*question, 9, stand.now);
  stand.settle();
  EXPECT_TRUE(stand.answers.empty());
  EXPECT_EQ(stand.barrier.wanted(), 9U);
  stand.view.applied = 9;
  stand.settle();
  EXPECT_EQ(stand.answers, std::vector{Kind::current});
}

TEST(ReadBarrier, asks_again_for_reads_that_came_after_the_question) {
  Stand stand;
  stand.read();
  const auto first = stand.barrier.ask(stand.now);
  stand.read();
  EXPECT_FALSE(stand.barrier.ask(stand.now)) << "one question at a time";
  stand.barrier.answered(*first, 7, stand.now);
  stand.settle();
  EXPECT_EQ(stand.answers.size(), 1U) << "the answer says nothing about what was written after the question";
  const auto second = stand.barrier.ask(stand.now);
  ASSERT_TRUE(second);
  stand.barrier.answered(*second, 7, stand.now);
  stand.settle();
  EXPECT_EQ(stand.answers.size(), 2U);
}

TEST(ReadBarrier, is_stale_after_a_second_without_hearing_from_the_leader) {
  Stand stand;
  stand.read();
  const auto question = stand.barrier.ask(stand.now);
  stand.barrier.answered(*question, std::nullopt, stand.now);
  stand.now += 999;
  stand.settle();
  EXPECT_TRUE(stand.answers.empty());
  stand.now += 1;
  stand.settle();
  EXPECT_EQ(stand.answers, std::vector{Kind::stale});
  EXPECT_EQ(stand.ages, std::vector<std::int64_t>{1'010});
}

TEST(ReadBarrier, waits_for_the_next_leader_only_while_one_is_expected_soon) {
  Stand stand;
  stand.view.role = NodeRole::leaderless;
  stand.read();
  stand.settle();
  EXPECT_TRUE(stand.answers.empty());
  stand.now = stand.view.complete_ms + read_waits_ms;
  stand.settle();
  EXPECT_EQ(stand.answers, std::vector{Kind::stale});
  stand.read();
  stand.settle();
  EXPECT_EQ(stand.answers.size(), 2U);
}

TEST(ReadBarrier, refuses_what_is_too_old_or_was_never_complete) {
  NodeView view;
  view.role = NodeRole::leaderless;
  EXPECT_EQ(ground_without_leader(view, WhenLeaderless::stale, 1'000).kind, Kind::refused);
  view.complete_ms = 1'000;
  EXPECT_EQ(ground_without_leader(view, WhenLeaderless::stale, 31'000).kind, Kind::stale);
  EXPECT_EQ(ground_without_leader(view, WhenLeaderless::stale, 31'001).kind, Kind::refused);
  EXPECT_EQ(ground_without_leader(view, WhenLeaderless::refuse, 1'001).kind, Kind::refused);
  view.role = NodeRole::joining;
  EXPECT_EQ(ground_without_leader(view, WhenLeaderless::stale, 1'001).kind, Kind::refused);
}

TEST(ReadBarrier, is_current_at_a_node_that_now_leads) {
  Stand stand;
  stand.read();
  stand.barrier.settle(stand.view, true, stand.now);
  EXPECT_EQ(stand.answers, std::vector{Kind::current});
}

}  // namespace
}  // namespace parley::actors
