#pragma once
/// Metrics in the Prometheus text format (version 0.0.4): a small writer, and the request counters. Labels
/// are route templates and status classes, never ids.

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/exchange/reply.hpp"

namespace parley::http {

/// Writes one metric family after another. One thread at a time.
class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// `type`: counter, gauge or histogram. The samples of the family follow.
  void family(std::string_view name, std::string_view type, std::string_view help);
  void sample(std::string_view name, Labels labels, std::uint64_t value);
  void sample(std::string_view name, Labels labels, double value);
  /// A family with one sample and no labels.
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void gauge(std::string_view name, std::string_view help, std::uint64_t value);
  void build_info(std::string_view version);
  /// Durations are counted in microseconds and written in seconds. Buckets are separate counts, not cumulative. There
  /// is one bucket more than there are bounds.
  void histogram(std::string_view name, Labels labels, std::span<const std::uint64_t> bounds_us,
                 const std::vector<std::uint64_t>& buckets, std::uint64_t total_us);

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void name_and_labels(std::string_view name, Labels labels, std::string_view le = {});

  std::string text_;
};

[[nodiscard]] Reply metrics_reply(MetricsText text);

/// Requests by route, status class and latency. Thread: any; each number is correct by itself.
class RequestCounts {
 public:
  static constexpr std::array<std::uint64_t, 9> bounds_us{500,    1'000,   2'500,     5'000,    10'000,
                                                          50'000, 250'000, 1'000'000, 5'000'000};
  struct Row {
    std::array<std::atomic<std::uint64_t>, 6> by_class{};  ///< index: status / 100
    std::array<std::atomic<std::uint64_t>, bounds_us.size() + 1> latency{};
    std::atomic<std::uint64_t> total_us = 0;
  };

  /// Has one row more than routes: the last row is for requests without a route.
  explicit RequestCounts(std::size_t routes) : rows_(routes + 1) {}

  void add(std::size_t route, int status, std::uint64_t us);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  void add_exception() { exceptions_.fetch_add(1, std::memory_order_relaxed); }
  /// Requests whose work threw an exception: an unreadable store, out of memory, or a defect.
  [[nodiscard]] std::uint64_t exceptions() const { return exceptions_.load(std::memory_order_relaxed); }

 private:
  std::vector<Row> rows_;
  std::atomic<std::uint64_t> exceptions_ = 0;
};

}  // namespace parley::http
