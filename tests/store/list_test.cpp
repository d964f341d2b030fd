#include "store/list.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 300 results over a few runs, tests, agents and statuses; some archived; many ids with the same millisecond.
class Lists : public testing::Test {
 protected:
  Lists() {
    for (int i = 0; i < 4; ++i) runs.push_back(created(world.run()));
    for (int i = 0; i < 3; ++i) tests.push_back(world.id());
    ChangeSet set;
    for (int i = 0; i < 300; ++i) {
      ResultHead head = world.result(pick(runs), pick(tests));
      head.stamp.id = world.ids.next(Time{noon.ms + 100'000 + i / 50});
      head.status = static_cast<ResultStatus>(random() % 5);
      head.is_archived = random() % 4 == 0;
      if (is_terminal(head.status) && random() % 3 == 0) head.retired_by = to_text(pick(tests));
      heads.push_back(head);
      set.create(head);
    }
    world.must_commit(set);
  }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[random() % from.size()];
  }

  /// Archived results form one group, whether a retry replaced them or not.
  [[nodiscard]] static bool fits(const ResultHead& head, Retired retired) {
    if (head.is_archived || retired == Retired::included) return true;
    return head.retired_by.has_value() == (retired == Retired::only);
  }

  [[nodiscard]] static bool appears_in(const ResultHead& head, const FacetFilter& filter) {
    const auto rows = facets_of(head);
    return std::any_of(rows.begin(), rows.end(), [&](const FacetRow& row) {
      return row.facet == filter.facet &&
             std::find(filter.any_of.begin(), filter.any_of.end(), row.value) != filter.any_of.end();
    });
  }

  /// The matches in the requested order, found by reading all records.
  [[nodiscard]] std::vector<Id> expected(const ListQuery& query) const {
    std::vector<Id> ids;
    for (const ResultHead& head : heads) {
      const bool matches = head.is_archived == query.archived && fits(head, query.retired) &&
                           std::all_of(query.filters.begin(), query.filters.end(),
                                       [&](const FacetFilter& filter) { return appears_in(head, filter); }) &&
                           (!query.predicate || query.predicate(head.stamp.id));
      if (matches) ids.push_back(head.stamp.id);
    }
    std::sort(ids.begin(), ids.end());
    if (!query.ascending) std::reverse(ids.begin(), ids.end());
    return ids;
  }

  /// Reads all pages, and one page past the last.
  void expect_pages(ListQuery query) const {
    const auto all = expected(query);
    const Snapshot snapshot = world.store->snapshot();
    std::vector<Id> seen;
    for (query.page = 1;; ++query.page) {
      const ListPage page = list(snapshot, query).value();
      EXPECT_EQ(page.total, static_cast<std::int64_t>(all.size())) << "I53";
      const auto begin = std::min(all.size(), static_cast<std::size_t>((query.page - 1) * query.limit));
      const auto end = std::min(all.size(), begin + static_cast<std::size_t>(query.limit));
      ASSERT_EQ(page.ids, std::vector<Id>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all.begin() + static_cast<std::ptrdiff_t>(end)))
          << "page " << query.page;
      if (page.ids.empty()) break;
    }
    auto rising = all;
    std::sort(rising.begin(), rising.end());
    EXPECT_EQ(all_ids(snapshot, query).value(), rising);
  }

  [[nodiscard]] FacetFilter random_filter() {
    FacetFilter filter{};
    const auto values = random() % 4 == 0 ? 2U + random() % 2 : 1U;
    const auto which = random() % 4;
    for (unsigned i = 0; i < values; ++i) {
      switch (which) {
        case 0: filter.facet = Facet::run, filter.any_of.push_back(value_of(pick(runs).stamp.id)); break;
        case 1: filter.facet = Facet::test, filter.any_of.push_back(value_of(pick(tests))); break;
        case 2: filter.facet = Facet::agent, filter.any_of.push_back(value_of(pick(runs).agent.id)); break;
        default:
          filter.facet = Facet::status;
          filter.any_of.push_back(value_of(word_of(static_cast<ResultStatus>(random() % 5))));
      }
    }
    return filter;
  }

  World world;
  std::mt19937 random{11};
  std::vector<parley::Run> runs;
  std::vector<Id> tests;
  std::vector<ResultHead> heads;
};

ListQuery results() {
  return {.kind = RecordKind::test_result, .filters = {}, .limit = 7};
}

TEST_F(Lists, I54_pages_hold_every_record_once_in_both_orders) {
  for (const bool ascending : {false, true}) {
    ListQuery query = results();
    query.ascending = ascending;
    for (const Retired retired : {Retired::left_out, Retired::only, Retired::included}) {
      query.retired = retired;
      expect_pages(query);
    }
    query.archived = true;
    expect_pages(query);
    query.limit = 1'000;
    expect_pages(query);
  }
}

TEST_F(Lists, I53_any_filters_match_a_scan_of_every_record) {
  for (int round = 0; round < 200; ++round) {
    ListQuery query = results();
    query.retired = static_cast<Retired>(random() % 3);
    const auto filters = random() % 4;
    for (unsigned i = 0; i < filters; ++i) query.filters.push_back(random_filter());
    query.archived = random() % 3 == 0;
    query.ascending = random() % 2 == 0;
    query.limit = 1 + static_cast<std::int64_t>(random() % 40);
    if (random() % 4 == 0) query.predicate = [](const Id& id) { return id.bytes.back() % 3 == 0; };
    expect_pages(query);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Lists, pages_beyond_the_last_are_empty_however_far) {
  ListQuery query = results();
  for (const std::int64_t page : {std::int64_t{1'000}, INT64_MAX}) {
    for (const std::int64_t limit : {std::int64_t{1}, std::int64_t{1'000}}) {
      query.page = page;
      query.limit = limit;
      EXPECT_THAT(list(world.store->snapshot(), query).value().ids, IsEmpty());
      query.predicate = [](const Id&) { return true; };
      EXPECT_THAT(list(world.store->snapshot(), query).value().ids, IsEmpty());
      query.predicate = {};
    }
  }
}

TEST_F(Lists, a_filter_without_values_matches_nothing) {
  ListQuery query = results();
  query.filters = {{Facet::run, {}}};
  EXPECT_EQ(list(world.store->snapshot(), query).value().total, 0);
  query.filters.push_back({Facet::all, {nil_value}});
  EXPECT_EQ(list(world.store->snapshot(), query).value().total, 0);
}

TEST_F(Lists, totals_of_one_filter_come_from_the_stored_counts) {
  ChangeSet forged;
  const std::string key = slice_key({RecordKind::test_result});
  std::string count;
  append_u64(count, 1'000'000);
  forged.writes.push_back({TableId::counts, key, any_revision, frame(key, 0, count)});
  world.must_commit(forged);
  ListQuery query = results();
  query.retired = Retired::left_out;
  EXPECT_EQ(list(world.store->snapshot(), query).value().total, 1'000'000);
}

TEST_F(Lists, I13_a_damaged_count_is_a_problem_not_a_wrong_total) {
  ChangeSet damage;
  damage.writes.push_back({TableId::counts, slice_key({RecordKind::test_result}), any_revision, "junk"});
  world.must_commit(damage);
  EXPECT_EQ(list(world.store->snapshot(), results()).problem().kind, ProblemKind::internal);
}

TEST(List, I62_unfiled_scenarios_are_listed_for_their_creator_and_filed_ones_for_all) {
  World world;
  const Id me = world.id();
  const Id other = world.id();
  std::vector<Id> made;
  const auto make = [&](const Id& creator, Links<RecordKind::folder> folders) {
    Scenario scenario = world.scenario();
    scenario.created_by = Ref<RecordKind::user>{creator};
    scenario.folders = std::move(folders);
    world.create(scenario);
    made.push_back(scenario.stamp.id);
  };
  const Id folder_a = world.id();
  const Id folder_b = world.id();
  make(me, {});
  make(other, {});
  make(other, {{folder_a}, {folder_b}});
  make(me, {{folder_b}});
  const auto ids = [&](std::vector<FacetFilter> filters) {
    ListQuery query{.kind = RecordKind::scenario, .filters = std::move(filters), .ascending = true};
    const ListPage page = list(world.store->snapshot(), query).value();
    EXPECT_EQ(page.total, static_cast<std::int64_t>(page.ids.size()));
    return page.ids;
  };
  EXPECT_THAT(ids({{Facet::visible, {nil_value, value_of(me)}}}), ElementsAre(made[0], made[2], made[3]));
  EXPECT_THAT(ids({{Facet::visible, {nil_value, value_of(other)}}}), ElementsAre(made[1], made[2], made[3]));
  EXPECT_THAT(ids({{Facet::folder, {value_of(folder_a), value_of(folder_b)}}}), ElementsAre(made[2], made[3]))
      << "once, though it lies in both";
  EXPECT_THAT(ids({{Facet::folder, {value_of(folder_b)}}, {Facet::created_by, {value_of(me)}}}),
              ElementsAre(made[3]));
}

TEST(List, the_last_and_the_first_record_of_the_index_are_found) {
  World world;
  ResultHead head = world.result(created(world.run()));
  world.create(head);
  ListQuery query{.kind = RecordKind::test_result, .filters = {}};
  EXPECT_THAT(list(world.store->snapshot(), query).value().ids, ElementsAre(head.stamp.id));
  query.kind = RecordKind::scenario;
  EXPECT_THAT(list(world.store->snapshot(), query).value().ids, IsEmpty());
}

}  // namespace
}  // namespace parley::store
