#include "client/run/shards.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

std::vector<RunRow> runs_of(std::initializer_list<const char*> parts) {
  std::vector<RunRow> runs;
  for (const char* each : parts) runs.push_back({"r", "shop", "s", "completed", std::nullopt, {}, 1, each});
  return runs;
}

TEST(Shards, name_those_that_are_absent) {
  EXPECT_EQ(
      absent_shards(runs_of({"shard 1/3", "shard 3/3"}), 0),
      "the report of shard 2/3 is missing: give the files of all shards (--allow-missing lets it pass)");
  EXPECT_EQ(
      absent_shards(runs_of({"shard 2/3"}), 0),
      "the reports of shards 1/3, 3/3 are missing: give the files of all shards (--allow-missing lets it "
      "pass)");
}

TEST(Shards, are_complete_with_all_parts_or_with_reports_of_shards_without_tests) {
  EXPECT_EQ(absent_shards(runs_of({"shard 1/2", "shard 2/2", "shard 2/2"}), 0), "");
  EXPECT_EQ(absent_shards(runs_of({"shard 1/3", "shard 3/3"}), 1), "");
  EXPECT_EQ(absent_shards(runs_of({"", "selection", "shard x/2", "shard 1"}), 0), "");
  EXPECT_EQ(absent_shards({}, 0), "");
}

}  // namespace
}  // namespace parley::client
