#pragma once
/// Latencies in logarithmic buckets about 3 % wide; merged over threads at the end. Not shared between threads.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace parley::load {

class Histogram {
 public:
  void add(std::uint64_t ns) {
    ++counts_[bucket_of(ns)];
    ++total_;
    max_ns_ = std::max(max_ns_, ns);
  }

  void merge(const Histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    max_ns_ = std::max(max_ns_, other.max_ns_);
  }

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] double max_ms() const { return static_cast<double>(max_ns_) / 1e6; }

  /// The upper bound of the bucket in which the fraction `part` (0..1) of all values is reached.
  [[nodiscard]] double quantile_ms(double part) const {
    const auto wanted = static_cast<std::uint64_t>(part * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > wanted) return static_cast<double>(upper_of(i)) / 1e6;
    }
    return max_ms();
  }

 private:
  static constexpr unsigned fine_bits = 5;  // 32 buckets per doubling
  static constexpr std::uint64_t fine = 1U << fine_bits;

  static std::size_t bucket_of(std::uint64_t ns) {
    if (ns < fine) return ns;
    const unsigned shift = static_cast<unsigned>(std::bit_width(ns)) - fine_bits - 1;
    return static_cast<std::size_t>((shift + 1) * fine + ((ns >> shift) - fine));
  }
  static std::uint64_t upper_of(std::size_t bucket) {
    if (bucket < fine) return bucket;
    const auto shift = static_cast<unsigned>(bucket / fine - 1);
    return ((bucket % fine + fine + 1) << shift) - 1;
  }

  std::array<std::uint64_t, 60 * fine> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t max_ns_ = 0;
};

}  // namespace parley::load
