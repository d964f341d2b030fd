#pragma once
/// The input that a committer needs to follow a log, and what it reports about the log. Plain values.

#include <array>
#include <functional>
#include <memory>

#include "model/clock.hpp"
#include "store/audit/audit.hpp"
#include "store/changelog/change_codec.hpp"
#include "store/changelog/change_log.hpp"
#include "store/changelog/log_place.hpp"

namespace parley::store {

/// For Committer::follow_log. Needs: the clock outlives the committer.
struct LogLink {
  std::unique_ptr<ChangeLog> log;  ///< the writer's own connection
  LogPlace place;                  ///< position of the data file
  Id node;
  const Clock* clock = nullptr;
  AuditKeys keys;
  AuditRules audit;                   ///< for the rows that this node appends
  std::function<bool()> is_stopping;  ///< true: stop waiting for the log to report the outcome of an append
  std::int64_t held_for_ms = 5'000;   ///< how long an append waits for an unreachable log
};

/// Counts of appends since the start, for metrics.
struct LogFigures {
  /// Upper bounds of the buckets in microseconds; the last bucket is open.
  static constexpr std::array<std::uint64_t, 10> bucket_us{500,    1'000,   2'000,   5'000,     10'000,
                                                           50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  std::uint64_t appends = 0;
  std::uint64_t append_us = 0;  ///< in total
  std::array<std::uint64_t, bucket_us.size() + 1> latency{};
  std::uint64_t in_doubt = 0;
  std::uint64_t fenced = 0;
};

struct LogState {
  bool is_leading = false;
  bool is_in_doubt = false;
  bool is_fenced = false;  ///< a newer term exists; reset by start_leading
  std::uint64_t term = 0;
  /// boottime_ms() before the last successful append or lead was sent.
  std::int64_t confirmed_boottime_ms = 0;
  LogFigures figures;
};

}  // namespace parley::store
