#pragma once
/// The writer of the store. Commits change sets: a batch in one transaction with one sync (group commit, D92).
/// Change sets that commit() reports as committed survive kill -9 and power loss (I1, I2).
/// Thread: commit() on one thread at a time, first the one that opens the store, then the writer's (a second
/// thread would block inside LMDB); figures() and is_broken() on any.
///
/// With a log that several nodes share (follow_log), a batch is applied, appended to the log, and committed, in
/// this order. So what the data file cannot store is refused before other nodes see it, and every committed set
/// is in the log. commit() and replay() then wait for each other.

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/expected.hpp"
#include "store/audit/audit.hpp"
#include "store/change.hpp"
#include "store/changelog/log_state.hpp"

namespace parley::store {

class Environment;

/// The outcome of one change set.
struct Outcome {
  enum class Kind : std::uint8_t {
    committed,  ///< durable
    conflict,   ///< a guard failed and nothing was written: reload and decide again
    refused,    ///< nothing was written; `problem` gives the reason. Later sets may succeed
    broken,     ///< it is unknown whether this set or any later set is on disk; the process must end (F7)
  };
  Kind kind = Kind::committed;
  Problem problem;           ///< for refused and broken
  std::vector<Id> canceled;  ///< results that CancelLive changed
};

/// An applied row of the log: its changes, for clients that wait for changes.
struct ReplayedRow {
  LogPosition at;
  std::vector<ChangeSet> sets;  ///< without authors
  std::vector<Outcome> outcomes;
};

/// Counts since the start, for metrics.
struct CommitFigures {
  /// Upper bounds of the latency buckets in microseconds; the last bucket is open.
  static constexpr std::array<std::uint64_t, 12> bucket_us{
      100, 200, 500, 1'000, 2'000, 5'000, 10'000, 50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  std::uint64_t batches = 0;
  std::uint64_t committed = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t refused = 0;
  std::uint64_t records = 0;  ///< written and removed records, without views
  std::uint64_t bytes = 0;    ///< size of those records
  std::uint64_t total_us = 0;
  std::uint64_t max_us = 0;
  std::array<std::uint64_t, bucket_us.size() + 1> latency{};
};

/// The committer's interface to the machine; tests replace it.
struct Surroundings {
  std::function<std::uint64_t()> free_bytes;  ///< free space of the file system
  std::function<int()> commit_error;  ///< if not 0, replaces the result of the next commit; empty: unused
};

class Committer {
 public:
  Committer(Environment& environment, std::uint64_t free_bytes_min, Surroundings surroundings);
  ~Committer();
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;

  /// Returns one outcome for each change set, in order. Guards see the effects of earlier sets of the batch; a
  /// set that conflicts is skipped as a whole. A batch beyond limits::batch_change_sets_max or batch_bytes_max
  /// is split into several transactions. Refuses sets (store_refuses) while the map or the disk is full, and
  /// recovers by itself.
  [[nodiscard]] std::vector<Outcome> commit(std::span<const ChangeSet> batch);

  /// True after a failed sync: the content of the disk is unknown until a restart reads it.
  [[nodiscard]] bool is_broken() const;
  [[nodiscard]] CommitFigures figures() const;

  /// From now on, each transaction writes an audit record. Thread: that of commit(), or any before the first
  /// commit.
  void audit(const AuditOptions& options);

  /// Makes this committer follow a log: commit() refuses (no_leader) unless the node leads. Call once, before
  /// the first commit.
  void follow_log(LogLink link);
  /// Needs: replay() has reached the head of `leadership`. Any thread.
  void start_leading(const Leadership& leadership);
  /// From now on, commit() refuses. Returns once no append is waiting for the log's answer, or after a second.
  /// Any thread.
  void stop_leading();
  /// Applies rows that follow position(); earlier ones are skipped. Not on the thread of commit(). Problem:
  /// `conflict` while this node leads; `internal` if a row does not fit, so that the data file differs from the
  /// log and the log's base must replace it; `store_refuses` if the data file cannot be written, so that the process
  /// must end.
  [[nodiscard]] Expected<std::vector<ReplayedRow>> replay(std::span<const LogRow> rows);
  /// Needs: follow_log. Any thread.
  [[nodiscard]] LogPlace place() const;
  [[nodiscard]] LogPosition position() const { return place().at; }
  [[nodiscard]] LogState log_state() const;

  /// For tests: replaces the machine. Thread: that of commit().
  void surround(Surroundings surroundings);

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace parley::store
