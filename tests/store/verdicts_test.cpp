// The verdicts of a rescored result.

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

TEST(Verdicts, every_verdict_of_a_result_has_its_row) {
  World world;
  const ResultHead made = created(world.result(created(world.run())));
  ResultHead head = made;
  head.status = ResultStatus::completed;
  head.rescored = 2;
  ChangeSet set;
  set.create(head);
  for (std::int64_t version = 1; version <= 3; ++version)
    set.put_verdict(head.stamp.id, version, {{"[" + std::to_string(version) + "]"}, {}, {}});
  world.must_commit(set);
  const Id& id = head.stamp.id;
  for (std::int64_t rescored = 0; rescored <= 2; ++rescored) {
    const auto verdict = world.store->snapshot().verdict(id, rescored).value();
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->assertion_results.text, "[" + std::to_string(rescored + 1) + "]");
  }
  EXPECT_EQ(world.store->snapshot().verdict(id, 7).problem().kind, ProblemKind::internal)
      << "the first verdict never stands for one that was lost";
  ChangeSet gone;
  gone.erase_result(world.get<ResultHead>(id), 0);
  world.must_commit(gone);
  for (std::int64_t rescored = 0; rescored <= 2; ++rescored)
    EXPECT_FALSE(world.store->snapshot().verdict(id, rescored).value().has_value()) << rescored;
}

TEST(Verdicts, schema_5_kept_all_of_them_in_the_first_record) {
  World world;
  ResultHead head = created(world.result(created(world.run())));
  head.status = ResultStatus::completed;
  head.rescored = 2;
  ChangeSet set;
  set.create(head);
  set.put_verdict(head.stamp.id, 1, {{"[3]"}, {}, {{"{}"}, {"{}"}}});
  world.must_commit(set);
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.verdict(head).value()->assertion_results.text, "[3]");
  EXPECT_FALSE(snapshot.verdict(head.stamp.id, 3).ok()) << "it was scored again under a later schema";
}

}  // namespace
}  // namespace parley::store
