#include "model/values/latency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace parley {
namespace {

TEST(Latency, percentiles_are_off_by_at_most_five_percent) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(6, 1);
  std::vector<double> all;
  SparseLatencies sparse;
  for (int i = 0; i < 10'000; ++i) {
    all.push_back(times(random));
    add_latency(sparse, all.back());
  }
  std::sort(all.begin(), all.end());
  Latencies counts{};
  add_latencies(counts, sparse);
  for (const double quantile : {0.5, 0.95, 0.99}) {
    const double exact = all[static_cast<std::size_t>(std::ceil(quantile * 10'000)) - 1];
    EXPECT_NEAR(*latency_at(counts, quantile) / exact, 1, 0.05) << quantile;
  }
}

TEST(Latency, takes_every_number) {
  for (const double ms : {-1.0, 0.0, 1.0, std::nan(""), 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_LT(latency_bucket(ms), latency_buckets) << ms;
  EXPECT_EQ(latency_bucket(1.1), 1U);
  EXPECT_EQ(latency_bucket(1.2), 2U);
  EXPECT_FALSE(latency_at({}, 0.5));
}

TEST(Latency, sparse_counts_are_in_order_and_ignore_foreign_buckets) {
  SparseLatencies sparse;
  for (const double ms : {100.0, 5.0, 100.0, 2'000.0}) add_latency(sparse, ms);
  ASSERT_EQ(sparse.size(), 6U);
  EXPECT_LT(sparse[0], sparse[2]);
  EXPECT_LT(sparse[2], sparse[4]);
  EXPECT_EQ(sparse[3], 2);
  Latencies counts{};
  add_latencies(counts, std::vector<std::int64_t>{-1, 5, 140, 5, 3});
  EXPECT_EQ(counts, Latencies{});
}

}  // namespace
}  // namespace parley
