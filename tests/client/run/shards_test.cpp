#include "client/run/shards.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

Report report_of(std::initializer_list<const char*> parts) {
  Report report;
  for (const char* each : parts)
    report.runs.push_back({"r", "shop", "s", "completed", std::nullopt, {}, 1, each});
  return report;
}

TEST(Shards, name_those_that_are_absent) {
  EXPECT_EQ(
      absent_shards(report_of({"shard 1/3", "shard 3/3"}), 0),
      "the report of shard 2/3 is missing: give the files of all shards (--allow-missing lets it pass)");
  EXPECT_EQ(
      absent_shards(report_of({"shard 2/3"}), 0),
      "the reports of shards 1/3, 3/3 are missing: give the files of all shards (--allow-missing lets it "
      "pass)");
}

TEST(Shards, are_complete_with_all_parts_or_with_reports_of_shards_without_tests) {
  EXPECT_EQ(absent_shards(report_of({"shard 1/2", "shard 2/2", "shard 2/2"}), 0), "");
  EXPECT_EQ(absent_shards(report_of({"shard 1/3", "shard 3/3"}), 1), "");
  EXPECT_EQ(absent_shards(report_of({"", "selection", "shard x/2", "shard 1"}), 0), "");
  EXPECT_EQ(absent_shards({}, 0), "");
}

TEST(Shards, without_tests_are_named_by_their_reports) {
  Report report = report_of({"shard 1/3"});
  report.empty_parts = {"shard 2/3"};
  EXPECT_EQ(absent_shards(report, 1), "");
  EXPECT_EQ(
      absent_shards(report, 0),
      "the report of shard 3/3 is missing: give the files of all shards (--allow-missing lets it pass)");
  report.runs[0].part.clear();
  EXPECT_EQ(absent_shards(report, 0), "") << "the run has all tests";
}

}  // namespace
}  // namespace parley::client
