#pragma once
/// Response times as a histogram whose counts can be added: 140 buckets, each a tenth wider than the one before it, so that a
/// percentile is off by at most 5 %. Pure; any thread.
///
///   bucket 0 = up to 1 ms; bucket i = up to 1.1^i ms; the last one (9.5 minutes) also counts everything beyond

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace parley {

inline constexpr std::size_t latency_buckets = 140;

/// Counts of a whole histogram.
using Latencies = std::array<std::int64_t, latency_buckets>;

[[nodiscard]] std::size_t latency_bucket(double ms);

/// The value below which the share `quantile` (0 to 1) of the times lies, in ms; nullopt without times.
[[nodiscard]] std::optional<double> latency_at(const Latencies& counts, double quantile);

/// The few non-empty buckets of one conversation, as stored: bucket and count alternate, sorted by bucket.
using SparseLatencies = std::vector<std::int64_t>;
void add_latency(SparseLatencies& sparse, double ms);
/// Adds the sparse counts. Ignores buckets that do not exist.
void add_latencies(Latencies& counts, std::span<const std::int64_t> sparse);

}  // namespace parley
