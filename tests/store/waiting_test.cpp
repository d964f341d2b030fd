// Results that wait for a runner, leases (D73, I61), and data files of earlier schemas.

#include "store/engine/encoding.hpp"
#include "store/side/runner_leases.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

bool every(const Id&) {
  return true;
}

std::vector<Id> waiting(const World& world, const Id& agent) {
  return waiting_of(world.store->snapshot(), agent, every, SIZE_MAX);
}

TEST(Waiting, are_pending_client_driven_results_that_are_not_manual_D73) {
  World world;
  const auto run = world.run();
  ResultHead plain = world.result(run);
  ResultHead driven = world.result(run);
  driven.is_server_driven = true;
  ResultHead manual = world.result(run);
  manual.is_manual = true;
  ResultHead other = world.result(world.run());
  for (const ResultHead& head : {plain, driven, manual, other}) world.create(head);
  EXPECT_EQ(waiting(world, run.agent.id), std::vector{plain.stamp.id});
  EXPECT_TRUE(waiting_of_run(world.store->snapshot(), run.agent.id, other.run->id, every, 9).empty());
  ChangeSet changes;
  ResultHead started = created(plain);
  started.status = ResultStatus::running;
  changes.replace(created(plain), started);
  world.must_commit(changes);
  EXPECT_TRUE(waiting(world, run.agent.id).empty());
  EXPECT_TRUE(world.differences().empty());
}

TEST(Waiting, leases_are_guarded_by_their_revision_I61) {
  World world;
  const Id agent = world.id();
  Leases leases{Time{5}, {world.id(), world.id()}, 0};
  ChangeSet first;
  put_leases(first, agent, leases);
  world.must_commit(first);
  EXPECT_EQ(world.commit(first).kind, Outcome::Kind::conflict) << "two runners decided on the same state";
  world.reopen();
  const Leases stored = leases_of(world.store->snapshot(), agent).value();
  EXPECT_EQ(stored.results, leases.results);
  EXPECT_EQ(stored.until, Time{5});
  EXPECT_EQ(stored.revision, 1u);
  ChangeSet over;
  put_leases(over, agent, {Time{9}, {}, stored.revision});
  world.must_commit(over);
  EXPECT_EQ(leases_of(world.store->snapshot(), agent).value().revision, 0u);
}

TEST(Waiting, is_filled_in_for_a_data_file_of_schema_1) {
  World world;
  const auto run = world.run();
  const ResultHead pending = world.result(run);
  ResultHead ended = world.result(run);
  ended.status = ResultStatus::completed;
  world.create(pending);
  world.create(ended);
  ChangeSet older;
  add_rows(older.views, RecordKind::test_result, pending.stamp.id, Shelf::current,
           {{Facet::waiting, value_of(run.agent.id)}}, -1);
  std::string version;
  append_u32(version, 1);
  older.writes.push_back({TableId::meta, "schema", any_revision, frame("schema", 0, version)});
  world.must_commit(older);
  ASSERT_TRUE(waiting(world, run.agent.id).empty());
  world.reopen();
  EXPECT_EQ(waiting(world, run.agent.id), std::vector{pending.stamp.id});
  EXPECT_TRUE(world.differences().empty());
}

TEST(Owed, is_filled_in_for_a_data_file_of_schema_7) {
  World world;
  const auto run = world.run();
  const ResultHead of_client = world.result(run);
  ResultHead driven = world.result(run);
  driven.is_server_driven = true;
  ResultHead ended = driven;
  ended.stamp.id = world.id();
  ended.status = ResultStatus::completed;
  for (const ResultHead& head : {of_client, driven, ended}) world.create(head);
  ChangeSet older;
  const auto move = [&](const ResultHead& head, Facet facet, std::int64_t times) {
    add_rows(older.views, RecordKind::test_result, head.stamp.id, Shelf::current, {{facet, nil_value}},
             times);
  };
  move(driven, Facet::owed, -1);
  move(driven, Facet::live, 1);
  move(of_client, Facet::live, 1);
  std::string version;
  append_u32(version, 7);
  older.writes.push_back({TableId::meta, "schema", any_revision, frame("schema", 0, version)});
  world.must_commit(older);
  ASSERT_TRUE(world.store->snapshot().owed().empty());
  EXPECT_FALSE(world.store->migration()) << "it was made by this parley";
  world.reopen();
  ASSERT_TRUE(world.store->migration());
  EXPECT_EQ(world.store->migration()->from, 7u);
  EXPECT_GE(world.store->migration()->to, 8u);
  EXPECT_EQ(world.store->snapshot().owed(), std::vector{driven.stamp.id});
  EXPECT_TRUE(world.differences().empty()) << "the rows of what was live are gone";
  world.reopen();
  EXPECT_FALSE(world.store->migration()) << "once is enough";
}

TEST(Retired, results_get_a_shelf_of_their_own_in_a_data_file_of_schema_8) {
  World world;
  const auto run = world.run();
  const ResultHead kept = world.result(run);
  ResultHead retired = world.result(run);
  retired.status = ResultStatus::canceled;
  retired.retired_by = to_text(kept.stamp.id);
  for (const ResultHead& head : {kept, retired}) world.create(head);
  ChangeSet older;
  add_rows(older.views, RecordKind::test_result, retired.stamp.id, Shelf::retired, facets_of(retired), -1);
  add_rows(older.views, RecordKind::test_result, retired.stamp.id, Shelf::current, facets_of(retired), 1);
  std::string version;
  append_u32(version, 8);
  older.writes.push_back({TableId::meta, "schema", any_revision, frame("schema", 0, version)});
  world.must_commit(older);
  ASSERT_FALSE(world.differences().empty());
  world.reopen();
  EXPECT_TRUE(world.differences().empty());
  const Slice of_run{RecordKind::test_result, Facet::run, value_of(run.stamp.id), Shelf::retired};
  EXPECT_EQ(world.store->snapshot().ids_in(of_run, {}, 10), std::vector{retired.stamp.id});
}

TEST(UniqueNames, are_equal_only_for_equal_texts) {
  const std::string shortest(255, 'a');
  const std::string longer(256, 'a');
  EXPECT_EQ(unique_name(shortest), "=" + shortest);
  EXPECT_EQ(unique_name(longer).size(), 33u);
  EXPECT_EQ(unique_name(longer), unique_name(longer));
  EXPECT_NE(unique_name(longer), unique_name(longer + "a"));
  EXPECT_NE(unique_name(longer), unique_name(unique_name(longer)));
}

}  // namespace
}  // namespace parley::store
