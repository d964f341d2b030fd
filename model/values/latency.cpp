#include "model/values/latency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley {
namespace {

constexpr double ratio = 1.1;

/// The geometric middle of a bucket, which is off by at most the square root of the bucket's ratio.
double middle_of(std::size_t bucket) {
  if (bucket == 0) return 1;
  return std::pow(ratio, static_cast<double>(bucket) - 0.5);
}

}  // namespace

std::size_t latency_bucket(double ms) {
  if (!(ms > 1)) return 0;
  const double exact = std::ceil(std::log(ms) / std::log(ratio) - 1e-9);
  return std::min(static_cast<std::size_t>(std::min(exact, 1e6)), latency_buckets - 1);
}

std::optional<double> latency_at(const Latencies& counts, double quantile) {
  const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (all <= 0) return std::nullopt;
  const auto wanted = static_cast<std::int64_t>(std::ceil(quantile * static_cast<double>(all)));
  std::int64_t seen = 0;
  for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
    seen += counts.at(bucket);
    if (seen >= std::max<std::int64_t>(wanted, 1)) return middle_of(bucket);
  }
  return middle_of(counts.size() - 1);
}

void add_latency(SparseLatencies& sparse, double ms) {
  const auto bucket = static_cast<std::int64_t>(latency_bucket(ms));
  std::size_t at = 0;
  while (at + 1 < sparse.size() && sparse[at] < bucket) at += 2;
  if (at + 1 < sparse.size() && sparse[at] == bucket) {
    ++sparse[at + 1];
    return;
  }
  const std::array<std::int64_t, 2> pair{bucket, 1};
  sparse.insert(sparse.begin() + static_cast<std::ptrdiff_t>(at), pair.begin(), pair.end());
}

void add_latencies(Latencies& counts, std::span<const std::int64_t> sparse) {
  for (std::size_t at = 0; at + 1 < sparse.size(); at += 2) {
    const std::int64_t bucket = sparse[at];
    if (bucket >= 0 && bucket < static_cast<std::int64_t>(counts.size()))
      counts.at(static_cast<std::size_t>(bucket)) += sparse[at + 1];
  }
}

}  // namespace parley
