#include "store/snapshot.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Ordinals = std::vector<std::uint32_t>;

/// A result with `count` entries; the text of each is its ordinal.
struct Conversation {
  explicit Conversation(World& shared, std::uint32_t count) : world(shared) {
    head = created(world.result(created(world.run())));
    world.create(head);
    for (std::uint32_t i = 0; i < count; ++i) append();
  }

  void append() {
    ChangeSet set;
    set.append_entry(head.stamp, size, message(world.id(), std::to_string(size)));
    world.must_commit(set);
    ++size;
  }
  void reorder(const Ordinals& ordinals) {
    ChangeSet set;
    set.guard_revision(head);
    set.put_order(head.stamp.id, ordinals);
    world.must_commit(set);
  }
  [[nodiscard]] Ordinals walk(std::uint32_t bound = no_bound) const {
    Ordinals seen;
    const auto done = world.store->snapshot().for_each_entry(
        head.stamp.id,
        [&](std::uint32_t ordinal, const StoredEntry& entry) {
          EXPECT_EQ(entry.json, std::to_string(ordinal));
          seen.push_back(ordinal);
          return true;
        },
        bound);
    EXPECT_TRUE(done.ok());
    return seen;
  }

  World& world;
  ResultHead head;
  std::uint32_t size = 0;
};

TEST(Snapshot, every_part_of_a_result_is_preserved) {
  World world;
  const ResultHead head = created(world.result(created(world.run())));
  TestCase instruction;
  instruction.instruction = "say: hello";
  instruction.assertions.resize(2);
  ResultExtras extras;
  extras.metadata.text = R"({"n":1.0,"big":9223372036854775808})";
  extras.external_links.push_back({R"({"url":"x"})"});
  ResultVerdict verdict;
  AssertionResult failed;
  failed.evidence = {"e"};
  verdict.assertion_results = shown_results({&failed, 1});
  ChangeSet set;
  set.create(head);
  set.put_part(head.stamp.id, instruction);
  set.put_part(head.stamp.id, extras);
  set.put_part(head.stamp.id, verdict);
  set.put_part(head.stamp.id, StoredReview{{R"({"valid":true})"}});
  set.put_part(head.stamp.id, StoredClaims{{"[1]"}, 7});
  world.must_commit(set);

  const Id& id = head.stamp.id;
  EXPECT_EQ(world.get<TestCase>(id).instruction, "say: hello");
  EXPECT_EQ(world.get<TestCase>(id).assertions, instruction.assertions);
  EXPECT_EQ(world.get<ResultExtras>(id).metadata, extras.metadata) << "I58";
  EXPECT_EQ(world.get<ResultExtras>(id).external_links, extras.external_links);
  EXPECT_EQ(world.get<ResultVerdict>(id).assertion_results, verdict.assertion_results);
  EXPECT_EQ(world.get<StoredReview>(id).review.text, R"({"valid":true})");
  EXPECT_EQ(world.get<StoredClaims>(id).claims.text, "[1]");
  EXPECT_EQ(world.get<StoredClaims>(id).detection, 7);
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.raw<ResultExtras>(id).value()->payload, write_stored(extras));
  EXPECT_EQ(snapshot.raw<ResultHead>(id).value()->revision, 1U);
  EXPECT_EQ(snapshot.find<ResultVerdict>(world.id()).value().has_value(), false);
  EXPECT_FALSE(snapshot.raw<ResultHead>(world.id()).value());
}

template <class T>
void expect_round_trip(World& world) {
  T record;
  record.stamp.id = world.id();
  record.stamp.updated_at = noon;
  world.create(record);
  EXPECT_EQ(write_stored(world.get<T>(record.stamp.id)), write_stored(record)) << noun_of(T::kind);
  EXPECT_TRUE(world.store->snapshot().has(T::kind, record.stamp.id)) << noun_of(T::kind);
  T after = record;
  after.is_archived = true;
  after.stamp.updated_at.ms += 1;
  ChangeSet set;
  EXPECT_EQ(set.replace(created(record), after), 2U);
  world.must_commit(set);
  EXPECT_EQ(write_stored(world.get<T>(record.stamp.id)), write_stored(after)) << noun_of(T::kind);
}

TEST(Snapshot, every_kind_of_record_has_its_table) {
  World world;
  expect_round_trip<Scenario>(world);
  expect_round_trip<parley::Test>(world);
  expect_round_trip<Agent>(world);
  expect_round_trip<Personality>(world);
  expect_round_trip<Folder>(world);
  expect_round_trip<RunGroup>(world);
  expect_round_trip<User>(world);
  expect_round_trip<ApiKey>(world);
  expect_round_trip<parley::Run>(world);
  expect_round_trip<ResultHead>(world);
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Snapshot, tables_of_kinds_are_all_different) {
  std::vector<TableId> tables;
  for (int kind = 0; kind <= static_cast<int>(RecordKind::webhook); ++kind) {
    tables.push_back(table_of(static_cast<RecordKind>(kind)));
  }
  std::sort(tables.begin(), tables.end());
  EXPECT_EQ(std::adjacent_find(tables.begin(), tables.end()), tables.end());
}

TEST(Snapshot, a_conversation_is_walked_in_order_of_creation) {
  World world;
  const Conversation talk(world, 5);
  const Conversation next(world, 2);
  EXPECT_THAT(talk.walk(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(next.walk(), ElementsAre(0, 1)) << "it ends where the next one begins";
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.entry_count(talk.head.stamp.id), 5U);
  EXPECT_EQ(snapshot.entry_count(world.id()), 0U);
  EXPECT_EQ(snapshot.entry(talk.head.stamp.id, 4).value()->json, "4");
  EXPECT_FALSE(snapshot.entry(talk.head.stamp.id, 5).value());
}

TEST(Snapshot, I34_inserted_entries_keep_their_place_and_later_appends_follow) {
  World world;
  Conversation talk(world, 3);
  talk.append();
  talk.reorder({0, 3, 1, 2});
  EXPECT_THAT(talk.walk(), ElementsAre(0, 3, 1, 2));
  talk.append();
  talk.append();
  EXPECT_THAT(talk.walk(), ElementsAre(0, 3, 1, 2, 4, 5));
  talk.append();
  talk.reorder({6, 0, 3, 1, 2, 4, 5});
  EXPECT_THAT(talk.walk(), ElementsAre(6, 0, 3, 1, 2, 4, 5));
  EXPECT_EQ(world.store->snapshot().order(talk.head.stamp.id).value(), (Ordinals{6, 0, 3, 1, 2, 4, 5}));
}

TEST(Snapshot, I35_a_bound_cuts_off_later_entries) {
  World world;
  Conversation talk(world, 4);
  EXPECT_THAT(talk.walk(2), ElementsAre(0, 1));
  EXPECT_THAT(talk.walk(0), IsEmpty());
  talk.reorder({3, 0, 2, 1});
  talk.append();
  EXPECT_THAT(talk.walk(3), ElementsAre(0, 2, 1));
  EXPECT_THAT(talk.walk(5), ElementsAre(3, 0, 2, 1, 4));
}

TEST(Snapshot, a_walk_stops_when_the_visitor_returns_false) {
  World world;
  Conversation talk(world, 4);
  for (const bool ordered : {false, true}) {
    if (ordered) talk.reorder({3, 2, 1, 0});
    int seen = 0;
    ASSERT_TRUE(world.store->snapshot().for_each_entry(
        talk.head.stamp.id, [&](std::uint32_t, const StoredEntry&) { return ++seen < 2; }));
    EXPECT_EQ(seen, 2);
  }
}

TEST(Snapshot, an_append_is_one_record_and_needs_the_unchanged_head) {
  World world;
  Conversation talk(world, 1);
  ChangeSet twice;
  twice.append_entry(talk.head.stamp, 0, message(world.id(), "x"));
  EXPECT_EQ(twice.writes.size(), 1U);
  EXPECT_TRUE(twice.views.empty());
  EXPECT_EQ(world.commit(twice).kind, Outcome::Kind::conflict) << "the number is taken";

  ResultHead after = talk.head;
  after.status = ResultStatus::running;
  ChangeSet start;
  start.replace(talk.head, after);
  start.append_entry(talk.head.stamp, 1, message(world.id(), "1"));
  world.must_commit(start);
  ChangeSet late;
  late.append_entry(talk.head.stamp, 2, message(world.id(), "2"));
  EXPECT_EQ(world.commit(late).kind, Outcome::Kind::conflict) << "the head has moved";
}

TEST(Snapshot, only_an_existing_entry_can_be_changed) {
  World world;
  Conversation talk(world, 2);
  ChangeSet set;
  set.put_entry(talk.head.stamp, 1, message(world.id(), "changed"));
  world.must_commit(set);
  world.must_commit(set);
  EXPECT_EQ(world.store->snapshot().entry(talk.head.stamp.id, 1).value()->json, "changed");
  ChangeSet unknown;
  unknown.put_entry(talk.head.stamp, 2, message(world.id(), "changed"));
  EXPECT_EQ(world.commit(unknown).kind, Outcome::Kind::conflict);
}

TEST(Snapshot, counters_are_stored_by_run_and_by_case) {
  World world;
  const auto run = created(world.run());
  const Id test = world.id();
  ChangeSet set;
  set.create(world.result(run, test));
  set.create(world.result(run, test));
  set.create(world.result(run));
  set.create(world.result(created(world.run()), test));
  world.must_commit(set);
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.run_counters(run.stamp.id).value().pending, 3);
  EXPECT_EQ(snapshot.case_counters(run.stamp.id, test).value().live, 2);
  EXPECT_EQ(snapshot.case_counters(run.stamp.id, Id{}).value().live, 1);
  EXPECT_EQ(snapshot.case_counters(world.id(), test).value(), CaseCounters{});
  std::vector<std::pair<Id, std::int64_t>> seen;
  ASSERT_TRUE(snapshot.for_each_case(run.stamp.id, [&](const Id& one, const CaseCounters& counters) {
    seen.emplace_back(one, counters.total);
  }));
  EXPECT_THAT(seen, ElementsAre(std::pair(Id{}, 1), std::pair(test, 2)));
}

TEST(Snapshot, live_and_owed_results_are_listed_in_portions) {
  World world;
  const auto run = created(world.run());
  std::vector<Id> ids;
  ChangeSet set;
  for (int i = 0; i < 10; ++i) {
    ResultHead head = world.result(run);
    head.status = i % 2 == 0 ? ResultStatus::running : ResultStatus::failed;
    head.is_server_driven = true;
    if (i % 2 == 0) ids.push_back(head.stamp.id);
    set.create(head);
  }
  world.must_commit(set);
  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.owed(), ids);
  EXPECT_EQ(snapshot.live_of_run(run.stamp.id), ids);
  EXPECT_THAT(snapshot.live_of_run(world.id()), IsEmpty());
  EXPECT_THAT(snapshot.owed({}, 2), ElementsAre(ids[0], ids[1]));
  EXPECT_THAT(snapshot.owed(ids[1], 2), ElementsAre(ids[2], ids[3]));
  EXPECT_THAT(snapshot.owed(ids[4]), IsEmpty());
}

TEST(Snapshot, I13_damage_is_an_internal_problem_and_is_counted) {
  World world;
  const Conversation talk(world, 3);
  const Id id = talk.head.stamp.id;
  std::string entry_key(id.key());
  append_u32(entry_key, 1);
  ChangeSet damage;
  for (const auto& [table, key] : {std::pair(TableId::result_heads, std::string(id.key())),
                                   std::pair(TableId::run_counters, std::string(talk.head.run->id.key())),
                                   std::pair(TableId::entries, entry_key)}) {
    damage.writes.push_back({table, key, any_revision, "not a value at all"});
  }
  ChangeSet no_record;
  const Id other = world.id();
  no_record.writes.push_back({TableId::runs, std::string(other.key()), 0, frame(other.key(), 1, "no JSON")});
  world.must_commit(damage);
  world.must_commit(no_record);

  const Snapshot snapshot = world.store->snapshot();
  EXPECT_EQ(snapshot.find<ResultHead>(id).problem().kind, ProblemKind::internal);
  EXPECT_EQ(snapshot.run_counters(talk.head.run->id).problem().kind, ProblemKind::internal);
  EXPECT_EQ(snapshot.find<parley::Run>(other).problem().kind, ProblemKind::internal);
  int seen = 0;
  const auto walked =
      snapshot.for_each_entry(id, [&](std::uint32_t, const StoredEntry&) { return ++seen > 0; });
  EXPECT_FALSE(walked.ok());
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(world.store->usage().corrupt_reads, 4U);
  EXPECT_TRUE(snapshot.entry(id, 2).ok()) << "the others are served";
}

TEST(Snapshot, I56_a_snapshot_shows_its_moment_despite_later_commits) {
  World world;
  const Scenario first = created(world.scenario("before"));
  world.create(first);
  const Snapshot before = world.store->snapshot();
  Scenario after = first;
  after.name = "after";
  ChangeSet set;
  set.replace(first, after);
  const Scenario second = world.scenario();
  set.create(second);
  world.must_commit(set);
  EXPECT_EQ(before.find<Scenario>(first.stamp.id).value()->name, "before");
  EXPECT_FALSE(before.has(RecordKind::scenario, second.stamp.id));
  EXPECT_EQ(world.get<Scenario>(first.stamp.id).name, "after");
}

TEST(Snapshot, I56_readers_on_other_threads_never_see_half_a_commit) {
  World world;
  const auto run = created(world.run());
  world.create(run);
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  const auto watch = [&] {
    while (!stop) {
      const Snapshot snapshot = world.store->snapshot();
      const auto live = static_cast<std::int64_t>(snapshot.live_of_run(run.stamp.id).size());
      EXPECT_EQ(snapshot.run_counters(run.stamp.id).value().live, live);
      EXPECT_EQ(live % 3, 0) << "three at a time";
      ++reads;
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) readers.emplace_back(watch);
  for (int i = 0; i < 100 || reads < 100; ++i) {
    ChangeSet set;
    for (int k = 0; k < 3; ++k) set.create(world.result(run));
    world.must_commit(set);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

TEST(Snapshot, moves_between_threads) {
  World world;
  const Scenario scenario = world.scenario("kept");
  world.create(scenario);
  std::thread([&, snapshot = world.store->snapshot()]() mutable {
    const Snapshot moved = std::move(snapshot);
    EXPECT_EQ(moved.find<Scenario>(scenario.stamp.id).value()->name, "kept");
  }).join();
  EXPECT_EQ(world.store->usage().snapshots_open, 0U);
}

TEST(Snapshot, F11_the_thousand_and_first_waits_until_one_is_returned) {
  World world;
  std::vector<Snapshot> held;
  for (int i = 0; i < 1'000; ++i) held.push_back(world.store->snapshot());
  EXPECT_EQ(world.store->usage().snapshots_open, 1'000U);
  std::atomic<bool> has_it{false};
  std::thread waiting([&] {
    const Snapshot late = world.store->snapshot();
    has_it = true;
  });
  world.create(world.scenario());
  EXPECT_FALSE(has_it);
  held.pop_back();
  waiting.join();
  EXPECT_TRUE(has_it);
}

TEST(Snapshot, F11_returned_transactions_are_used_again_and_hold_no_pages) {
  World world;
  {
    std::vector<Snapshot> many;
    for (int i = 0; i < 100; ++i) many.push_back(world.store->snapshot());
  }
  Scenario scenario = created(world.scenario(std::string(50'000, 'x')));
  world.create(scenario);
  for (int i = 0; i < 500; ++i) {
    ChangeSet set;
    scenario.stamp.revision = set.replace(scenario, scenario);
    world.must_commit(set);
    EXPECT_EQ(world.get<Scenario>(scenario.stamp.id).stamp.revision, scenario.stamp.revision);
  }
  EXPECT_LT(world.store->usage().used_bytes, 2'000'000U)
      << "500 versions of 50 KB went through the same pages";
}

}  // namespace
}  // namespace parley::store
