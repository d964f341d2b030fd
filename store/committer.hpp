#pragma once
/// The writer of the store: carries out change sets, a batch in one transaction with one sync to disk (group
/// commit, D92). What commit() calls committed survives kill -9 and loss of power (I1, I2).
/// Thread: commit() by one thread at a time: the one that makes the store ready, then the writer's for its
/// life (a second would have to wait inside LMDB); figures() and is_broken() from any.

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

namespace parley::store {

class Environment;

/// What became of one change set.
struct Outcome {
  enum class Kind : std::uint8_t {
    committed,  ///< durable
    conflict,   ///< a guard failed, nothing was written: reload and decide again
    refused,    ///< nothing was written; `problem` says why. Later ones may succeed
    broken,     ///< unknown whether it is on disk, from now on for all; the process must end (F7)
  };
  Kind kind = Kind::committed;
  Problem problem;           ///< of refused and broken
  std::vector<Id> canceled;  ///< results that CancelLive changed
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
  std::uint64_t records = 0;  ///< puts and deletes of records, views not counted
  std::uint64_t bytes = 0;    ///< of those
  std::uint64_t total_us = 0;
  std::uint64_t max_us = 0;
  std::array<std::uint64_t, bucket_us.size() + 1> latency{};
};

/// What the committer asks of the machine; tests put their own in place.
struct Surroundings {
  std::function<std::uint64_t()> free_bytes;  ///< of the file system
  std::function<int()> commit_error;  ///< taken for the result of the next commit when not 0; empty: none
};

class Committer {
 public:
  Committer(Environment& environment, std::uint64_t free_bytes_min, Surroundings surroundings);
  ~Committer();
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;

  /// One outcome for each change set, in order. Guards see what earlier sets of the batch did; a set that
  /// conflicts is skipped whole. Beyond limits::batch_change_sets_max or batch_bytes_max the batch is cut
  /// into several transactions. Refuses (store_refuses) while the map or the disk is full; recovers by
  /// itself.
  [[nodiscard]] std::vector<Outcome> commit(std::span<const ChangeSet> batch);

  /// True after a failed sync: what the disk holds is unknown until a restart reads it.
  [[nodiscard]] bool is_broken() const;
  [[nodiscard]] CommitFigures figures() const;

  /// From here on each transaction leaves a record in the audit log. Thread: that of commit(), or before the first one.
  void audit(const AuditOptions& options);

  /// For tests: another machine round the store. Thread: that of commit().
  void surround(Surroundings surroundings);

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace parley::store
