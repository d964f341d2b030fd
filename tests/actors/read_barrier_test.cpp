// Reads on a follower: one question to the leader for all of them, no unmarked stale answer, every read answered in
// time.

#include "actors/cluster/read_barrier.hpp"

#include <gtest/gtest.h>

namespace parley::actors {
namespace {

using Kind = ReadGround::Kind;

struct FollowerReads {
  ReadBarrier barrier{WhenLeaderless::stale};
  NodeView view;
  std::vector<Kind> answers;
  std::vector<std::int64_t> ages;
  std::int64_t now = 50'000;

  FollowerReads() {
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
  FollowerReads reads;
  reads.read();
  const auto question = reads.barrier.ask(reads.now);
  ASSERT_TRUE(question);
  reads.barrier.answered(*question, 9, reads.now);
  reads.settle();
  EXPECT_TRUE(reads.answers.empty());
  EXPECT_EQ(reads.barrier.wanted(), 9U);
  reads.view.applied = 9;
  reads.settle();
  EXPECT_EQ(reads.answers, std::vector{Kind::current});
}

TEST(ReadBarrier, asks_again_for_reads_that_came_after_the_question) {
  FollowerReads reads;
  reads.read();
  const auto first = reads.barrier.ask(reads.now);
  reads.read();
  EXPECT_FALSE(reads.barrier.ask(reads.now)) << "one question at a time";
  reads.barrier.answered(*first, 7, reads.now);
  reads.settle();
  EXPECT_EQ(reads.answers.size(), 1U) << "the answer says nothing about what was written after the question";
  const auto second = reads.barrier.ask(reads.now);
  ASSERT_TRUE(second);
  reads.barrier.answered(*second, 7, reads.now);
  reads.settle();
  EXPECT_EQ(reads.answers.size(), 2U);
}

TEST(ReadBarrier, is_stale_after_a_second_without_hearing_from_the_leader) {
  FollowerReads reads;
  reads.read();
  const auto question = reads.barrier.ask(reads.now);
  reads.barrier.answered(*question, std::nullopt, reads.now);
  reads.now += 999;
  reads.settle();
  EXPECT_TRUE(reads.answers.empty());
  reads.now += 1;
  reads.settle();
  EXPECT_EQ(reads.answers, std::vector{Kind::stale});
  EXPECT_EQ(reads.ages, std::vector<std::int64_t>{1'010});
}

TEST(ReadBarrier, waits_for_the_next_leader_only_while_one_is_expected_soon) {
  FollowerReads reads;
  reads.view.role = NodeRole::leaderless;
  reads.read();
  reads.settle();
  EXPECT_TRUE(reads.answers.empty());
  reads.now = reads.view.complete_ms + read_waits_ms;
  reads.settle();
  EXPECT_EQ(reads.answers, std::vector{Kind::stale});
  reads.read();
  reads.settle();
  EXPECT_EQ(reads.answers.size(), 2U);
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
  FollowerReads reads;
  reads.read();
  reads.barrier.settle(reads.view, true, reads.now);
  EXPECT_EQ(reads.answers, std::vector{Kind::current});
}

}  // namespace
}  // namespace parley::actors
