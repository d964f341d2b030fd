// Nodes that apply the same rows hold the same bytes, no matter how the rows are grouped into transactions.

#include <gmock/gmock.h>

#include <random>

#include "tests/store/changelog/memory_log.hpp"
#include "tests/store/history.hpp"

namespace parley::store {
namespace {

using testing::IsEmpty;

/// Replays all rows in batches of random size, some of the rows twice.
void replay_in_pieces(World& world, const MemoryLogRows& log, std::mt19937& random) {
  for (std::size_t next = 0; next < log.rows.size();) {
    const std::size_t from = next - std::min<std::size_t>(next, random() % 3);
    const std::size_t count = std::min<std::size_t>(1 + random() % 40, log.rows.size() - from);
    const auto replayed = world.store->committer().replay(std::span(log.rows).subspan(from, count));
    ASSERT_TRUE(replayed.ok()) << replayed.problem().detail;
    next = std::max(next, from + count);
  }
}

TEST(Replay, of_any_history_gives_the_bytes_of_its_author) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ManualClock clock(noon);
    MemoryLogRows log;
    History history(seed);
    follow(history.world, log, 1, clock, seed % 2 == 0);
    lead(history.world, log, 1);
    for (int i = 0; i < 250; ++i) {
      history.step();
      clock.advance(static_cast<std::int64_t>(seed) * 100);
    }
    const auto expected = all_rows(history.world);
    std::mt19937 random(seed);
    for (std::uint8_t node = 2; node <= 4; ++node) {
      World follower;
      // Every machine has its own clock.
      const ManualClock other(Time{noon.ms + 3'000'000});
      follow(follower, log, node, other, false);
      replay_in_pieces(follower, log, random);
      EXPECT_EQ(all_rows(follower), expected) << "seed " << seed << " node " << int{node};
      EXPECT_THAT(follower.differences(), IsEmpty());
      EXPECT_EQ(follower.store->committer().position(), log.head);
    }
  }
}

TEST(Replay, reports_what_changed_and_a_cancel_as_plain_writes) {
  ManualClock clock(noon);
  MemoryLogRows log;
  World leader;
  follow(leader, log, 1, clock);
  lead(leader, log, 1);
  const parley::Run run = created(leader.run());
  leader.create(run);
  const ResultHead head = leader.result(run);
  leader.create(head);
  ChangeSet cancel;
  cancel.cancel_live({run.stamp.id, Time{noon.ms + 9'000}});
  EXPECT_THAT(leader.commit(cancel).canceled, testing::ElementsAre(head.stamp.id));
  World follower;
  follow(follower, log, 2, clock);
  const auto replayed = follower.store->committer().replay(log.rows);
  ASSERT_TRUE(replayed.ok());
  ASSERT_EQ(replayed->size(), 3U);
  const ReplayedRow& last = replayed->back();
  ASSERT_EQ(last.sets.size(), 1U);
  EXPECT_THAT(last.sets[0].cancels, IsEmpty());
  ASSERT_EQ(last.sets[0].writes.size(), 1U);
  EXPECT_EQ(last.sets[0].writes[0].key, head.stamp.id.key());
  EXPECT_EQ(follower.get<ResultHead>(head.stamp.id).status, ResultStatus::canceled);
}

TEST(Replay, refuses_a_row_that_does_not_follow) {
  ManualClock clock(noon);
  MemoryLogRows log;
  World leader;
  follow(leader, log, 1, clock);
  lead(leader, log, 1);
  for (int i = 0; i < 3; ++i) leader.create(leader.scenario());
  World follower;
  follow(follower, log, 2, clock);
  const auto skipped = follower.store->committer().replay(std::span(log.rows).subspan(1));
  ASSERT_FALSE(skipped.ok());
  EXPECT_EQ(skipped.problem().kind, ProblemKind::internal);
  LogRow changed = log.rows[0];
  changed.body.back() = static_cast<char>(changed.body.back() ^ 1);
  EXPECT_FALSE(follower.store->committer().replay({&changed, 1}).ok());
  LogRow newer = log.rows[0];
  newer.rules = current_schema() + 1;
  const auto later = follower.store->committer().replay({&newer, 1});
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.problem().kind, ProblemKind::store_refuses) << "an update helps, another copy does not";
  EXPECT_EQ(follower.store->committer().position(), LogPosition{});
  EXPECT_TRUE(follower.store->committer().replay(log.rows).ok());
}

TEST(Replay, refuses_a_row_for_an_older_schema_and_takes_another_copy) {
  ManualClock clock(noon);
  MemoryLogRows log;
  World leader;
  follow(leader, log, 1, clock);
  lead(leader, log, 1);
  leader.create(leader.scenario());
  World follower;
  follow(follower, log, 2, clock);
  log.rows[0].rules = current_schema() - 1;
  const auto replayed = follower.store->committer().replay(log.rows);
  ASSERT_FALSE(replayed.ok());
  EXPECT_EQ(replayed.problem().kind, ProblemKind::internal);
  const auto place = log_place(follower.store->snapshot());
  ASSERT_TRUE(place.ok() && *place);
  EXPECT_NE((*place)->at, LogPosition{});
}

TEST(Replay, stops_where_the_data_file_is_not_what_the_log_says) {
  ManualClock clock(noon);
  MemoryLogRows log;
  World leader;
  follow(leader, log, 1, clock);
  lead(leader, log, 1);
  const Scenario scenario = leader.scenario();
  World follower;
  follower.create(scenario);  // written before it follows, so no log contains it
  follow(follower, log, 2, clock);
  leader.create(scenario);
  const auto replayed = follower.store->committer().replay(log.rows);
  ASSERT_FALSE(replayed.ok());
  EXPECT_EQ(replayed.problem().kind, ProblemKind::internal);
  EXPECT_EQ(follower.store->committer().position(), LogPosition{});
  const auto place = log_place(follower.store->snapshot());
  ASSERT_TRUE(place.ok() && *place);
  EXPECT_NE((*place)->at, LogPosition{}) << "marked, so that the next start takes another copy";
}

}  // namespace
}  // namespace parley::store
