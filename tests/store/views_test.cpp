#include "store/views/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace parley::store {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

Id id_of(std::uint8_t last) {
  Id id;
  id.bytes.back() = last;
  return id;
}

constexpr FacetRow all{Facet::all, nil_value};

TEST(Views, D21_an_unfiled_scenario_is_visible_to_its_creator_only) {
  Scenario scenario;
  scenario.created_by = Ref<RecordKind::user>{id_of(9)};
  EXPECT_THAT(facets_of(scenario), ElementsAre(all, FacetRow{Facet::created_by, value_of(id_of(9))},
                                               FacetRow{Facet::visible, value_of(id_of(9))}));
  scenario.folders = {{id_of(1)}, {id_of(2)}};
  EXPECT_THAT(facets_of(scenario), ElementsAre(all, FacetRow{Facet::folder, value_of(id_of(1))},
                                               FacetRow{Facet::folder, value_of(id_of(2))},
                                               FacetRow{Facet::created_by, value_of(id_of(9))},
                                               FacetRow{Facet::visible, nil_value}));
}

TEST(Views, a_result_is_live_until_it_ends) {
  ResultHead head;
  head.run = Ref<RecordKind::run>{id_of(1)};
  const FacetRow live_of_run{Facet::live_of_run, value_of(id_of(1))};
  for (const ResultStatus status : {ResultStatus::pending, ResultStatus::running}) {
    head.status = status;
    EXPECT_THAT(facets_of(head), Contains(live_of_run));
  }
  for (const ResultStatus status : {ResultStatus::completed, ResultStatus::failed, ResultStatus::canceled}) {
    head.status = status;
    EXPECT_THAT(facets_of(head), Not(Contains(live_of_run)));
  }
}

TEST(Views, owed_results_are_those_with_work_for_the_service) {
  const FacetRow owed{Facet::owed, nil_value};
  const std::vector<std::function<void(ResultHead&)>> reasons{
      [](ResultHead& head) { head.is_server_driven = true; },
      [](ResultHead& head) { head.awaits_workflow = true; },
      [](ResultHead& head) { head.has_human_tester = true; },
      [](ResultHead& head) { head.scoring_enqueued_at = Time{1}; },
      [](ResultHead& head) {
        head.crashes = WorkCrashes{1, 0, 1};
      }};
  EXPECT_THAT(facets_of(ResultHead{}), Not(Contains(owed))) << "its client goes on with it";
  for (const auto& reason : reasons) {
    ResultHead head;
    reason(head);
    for (const ResultStatus status : {ResultStatus::pending, ResultStatus::running}) {
      head.status = status;
      EXPECT_THAT(facets_of(head), Contains(owed));
    }
    for (const ResultStatus status :
         {ResultStatus::completed, ResultStatus::failed, ResultStatus::canceled}) {
      head.status = status;
      EXPECT_THAT(facets_of(head), Not(Contains(owed)));
    }
  }
}

TEST(Views, an_archived_live_result_is_listed_with_all_live_ones) {
  EXPECT_EQ(slice_of(RecordKind::test_result, {Facet::owed, nil_value}, Shelf::archived).shelf,
            Shelf::current);
  EXPECT_EQ(slice_of(RecordKind::test_result, {Facet::status, nil_value}, Shelf::archived).shelf,
            Shelf::archived);
}

TEST(Views, links_that_are_not_set_have_no_row) {
  parley::Run run;
  EXPECT_EQ(facets_of(run).size(), 5U);
  run.personality = Ref<RecordKind::personality>{id_of(1)};
  run.created_by = Ref<RecordKind::user>{id_of(2)};
  run.run_group = Ref<RecordKind::run_group>{id_of(3)};
  run.scheduled_run = Ref<RecordKind::scheduled_run>{id_of(4)};
  EXPECT_EQ(facets_of(run).size(), 8U);
  EXPECT_THAT(facets_of(run), Contains(FacetRow{Facet::scheduled, value_of(true)}));
  parley::Test test;
  test.parent_test = to_text(id_of(7));
  EXPECT_THAT(facets_of(test), Contains(FacetRow{Facet::parent_test, value_of(id_of(7))}));
}

TEST(Views, a_change_without_effect_leaves_no_rows) {
  ResultHead head;
  head.stamp.id = id_of(1);
  head.run = Ref<RecordKind::run>{id_of(2)};
  ResultHead after = head;
  after.attempt = 3;
  ViewChanges changes;
  add_views(changes, head, -1);
  add_views(changes, after, 1);
  EXPECT_FALSE(changes.empty());
  settle(changes);
  EXPECT_TRUE(changes.empty());
}

TEST(Views, a_replaced_record_moves_only_the_rows_that_differ) {
  ResultHead before;
  before.stamp.id = id_of(1);
  before.run = Ref<RecordKind::run>{id_of(2)};
  for (const bool is_archived : {false, true}) {
    ResultHead after = before;
    after.status = ResultStatus::canceled;
    after.is_archived = is_archived;
    ViewChanges moved;
    move_views(moved, before, after);
    ViewChanges whole;
    add_views(whole, before, -1);
    add_views(whole, after, 1);
    EXPECT_LT(moved.index.size(), whole.index.size() + (is_archived ? 1 : 0));
    settle(moved);
    settle(whole);
    EXPECT_EQ(moved.index, whole.index);
    EXPECT_EQ(moved.counts, whole.counts);
    EXPECT_EQ(moved.runs, whole.runs);
    EXPECT_EQ(moved.cases, whole.cases);
  }
}

TEST(Views, short_and_long_words_are_distinct) {
  EXPECT_NE(value_of(std::string_view("HTTP")), value_of(std::string_view("LOCAL")));
  EXPECT_EQ(value_of(std::string_view("")), nil_value);
  const std::string long_word(64, 'a');
  EXPECT_NE(value_of(std::string_view(long_word)), value_of(std::string_view(long_word).substr(1)));
  EXPECT_NE(value_of(true), value_of(false));
}

}  // namespace
}  // namespace parley::store
