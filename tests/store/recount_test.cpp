#include "store/views/recount.hpp"

#include <gmock/gmock.h>

#include "tests/store/history.hpp"

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Recount, views_follow_records_through_any_history) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    History history(seed);
    for (int i = 0; i < 250; ++i) {
      history.step();
      if (i % 50 == 49) {
        ASSERT_THAT(history.world.differences(), IsEmpty()) << "seed " << seed << " step " << i;
      }
    }
  }
}

TEST(Recount, when_every_record_is_gone_no_row_of_a_view_is_left) {
  History history(99);
  for (int i = 0; i < 200; ++i) history.step();
  ChangeSet set;
  for (const auto& record : history.scenarios) set.erase(record);
  for (const auto& record : history.runs) set.erase(record);
  for (const auto& record : history.results) set.erase(record);
  history.world.must_commit(set);
  EXPECT_THAT(history.world.differences(), IsEmpty());
}

TEST(Recount, reports_missing_stray_and_wrong_rows) {
  World world;
  const ResultHead head = world.result(created(world.run()));
  world.create(head);
  const std::string key = slice_key({RecordKind::test_result});
  ChangeSet forged;
  forged.views.index[index_key({RecordKind::test_result}, head.stamp.id)] = -1;
  forged.views.counts[key] = 1;
  forged.views.runs[world.id()].live = 1;
  world.must_commit(forged);
  EXPECT_THAT(world.differences(), ElementsAre("index: missing", "counts: differs", "run_counters: stray"));
}

TEST(Recount, stops_at_a_damaged_record) {
  World world;
  ChangeSet damage;
  damage.writes.push_back({TableId::runs, std::string(world.id().key()), any_revision, "junk"});
  world.must_commit(damage);
  EXPECT_FALSE(recount(world.store->snapshot()).ok());
}

}  // namespace
}  // namespace parley::store
