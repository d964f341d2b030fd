#include "store/committer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>

#include "model/limits.hpp"
#include "store/changelog/row_application.hpp"
#include "store/engine/apply.hpp"
#include "store/engine/migrations.hpp"

namespace parley::store {
namespace {

using Outcomes = std::vector<Outcome>;

Outcome refusal(std::string detail) {
  return {Outcome::Kind::refused, problem(ProblemKind::store_refuses, std::move(detail)), {}};
}

Outcome breakdown() {
  return {Outcome::Kind::broken,
          problem(ProblemKind::store_refuses, "The store failed during a write; restart the server."),
          {}};
}

Outcome refused_with(Problem why) {
  return {Outcome::Kind::refused, std::move(why), {}};
}

/// The outcome if the process must end before the log answers.
Outcome in_doubt() {
  return refused_with(problem(ProblemKind::in_doubt,
                              "The connection to the log was lost, and this node is shutting down: the write "
                              "may or may not have happened. Read the record before you retry."));
}

Problem does_not_fit(const LogRow& row) {
  const std::string name = "Row " + std::to_string(row.at.seq) + " of the log ";
  if (row.rules > current_schema())
    return problem(ProblemKind::store_refuses, name + "was written by a newer parley: update this node.");
  return problem(ProblemKind::internal, name +
                                            "does not fit the data file: one of them is not what this node "
                                            "wrote or read before.");
}

bool is_full(int code) {
  return code == MDB_MAP_FULL || code == MDB_TXN_FULL || code == ENOSPC || code == EDQUOT || code == EFBIG ||
         code == ENOMEM;
}

/// An error that LMDB reports for a change set in any state of the disk: a bug that affects only this set.
bool is_misuse(int code) {
  return code == MDB_BAD_VALSIZE || code == MDB_KEYEXIST || code == MDB_NOTFOUND || code == MDB_BAD_DBI;
}

class Clock {
 public:
  [[nodiscard]] std::uint64_t elapsed_us() const {
    const auto elapsed = std::chrono::steady_clock::now() - begin_;
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// CommitFigures that other threads may read while they change.
class Meter {
 public:
  void count(const Outcome& outcome) {
    switch (outcome.kind) {
      case Outcome::Kind::committed: return add(committed_, 1);
      case Outcome::Kind::conflict: return add(conflicts_, 1);
      case Outcome::Kind::refused:
      case Outcome::Kind::broken: return add(refused_, 1);
    }
  }
  void count_records(std::uint64_t records, std::uint64_t bytes) {
    add(records_, records);
    add(bytes_, bytes);
  }
  void count_batch(std::uint64_t us) {
    add(batches_, 1);
    add(total_us_, us);
    if (us > max_us_.load(std::memory_order_relaxed)) max_us_.store(us, std::memory_order_relaxed);
    std::size_t bucket = 0;
    while (bucket < CommitFigures::bucket_us.size() && us > CommitFigures::bucket_us.at(bucket)) ++bucket;
    add(latency_.at(bucket), 1);
  }
  [[nodiscard]] CommitFigures figures() const {
    CommitFigures now{read(batches_),  read(committed_), read(conflicts_),
                      read(refused_),  read(records_),   read(bytes_),
                      read(total_us_), read(max_us_),    {}};
    for (std::size_t i = 0; i < latency_.size(); ++i) now.latency.at(i) = read(latency_.at(i));
    return now;
  }

 private:
  using Count = std::atomic<std::uint64_t>;
  static void add(Count& count, std::uint64_t more) { count.fetch_add(more, std::memory_order_relaxed); }
  static std::uint64_t read(const Count& count) { return count.load(std::memory_order_relaxed); }

  Count batches_{0}, committed_{0}, conflicts_{0}, refused_{0}, records_{0}, bytes_{0}, total_us_{0},
      max_us_{0};
  std::array<Count, CommitFigures::bucket_us.size() + 1> latency_{};
};

}  // namespace

class Committer::Core {
 public:
  Core(Environment& environment, std::uint64_t free_bytes_min, Surroundings surroundings)
      : environment_(environment), free_bytes_min_(free_bytes_min), surroundings_(std::move(surroundings)) {}

  Outcomes commit(std::span<const ChangeSet> batch) {
    std::unique_lock turn(turn_, std::defer_lock);
    if (log_) turn.lock();
    CHECK(!busy_.exchange(true, std::memory_order_acquire));
    Outcomes outcomes;
    outcomes.reserve(batch.size());
    while (!batch.empty()) {
      const std::size_t size = transaction_size(batch);
      for (Outcome& outcome : write(batch.first(size))) {
        meter.count(outcome);
        outcomes.push_back(std::move(outcome));
      }
      batch = batch.subspan(size);
    }
    busy_.store(false, std::memory_order_release);
    return outcomes;
  }

  void surround(Surroundings surroundings) { surroundings_ = std::move(surroundings); }
  void audit(const AuditOptions& options) { auditor_ = std::make_unique<Auditor>(options); }
  [[nodiscard]] bool is_broken() const { return broken_.load(std::memory_order_acquire); }

  void follow_log(LogLink link) {
    auditor_ = std::make_unique<Auditor>(AuditOptions{link.keys, link.clock, link.audit.retain_ms});
    log_ = std::make_unique<LogWriter>(std::move(link));
  }
  [[nodiscard]] LogWriter& log() const {
    CHECK(log_ != nullptr);
    return *log_;
  }

  Expected<std::vector<ReplayedRow>> replay(std::span<const LogRow> rows) {
    const std::lock_guard turn(turn_);
    if (log().state().is_leading) return problem(ProblemKind::conflict, "This node leads.");
    return replay_rows(rows);
  }

  Meter meter;

 private:
  enum class When : std::uint8_t { applying, committing };

  /// The number of sets of the batch that fit into one transaction; at least one.
  [[nodiscard]] static std::size_t transaction_size(std::span<const ChangeSet> batch) {
    std::size_t size = 0;
    for (std::size_t bytes = 0; size < std::min(batch.size(), limits::batch_change_sets_max); ++size) {
      bytes += batch[size].bytes();
      if (size > 0 && bytes > limits::batch_bytes_max) break;
    }
    return size;
  }

  [[nodiscard]] Outcomes write(std::span<const ChangeSet> batch) {
    if (is_broken()) return Outcomes(batch.size(), breakdown());
    if (is_disk_full()) return Outcomes(batch.size(), disk_refusal());
    const Clock clock;
    Outcomes outcomes = write_once(batch);
    if (outcomes.empty()) {  // the transaction failed: retry set by set, so that only a bad set fails
      for (std::size_t i = 0; i < batch.size(); ++i) {
        outcomes.push_back(is_broken() ? breakdown() : write_once(batch.subspan(i, 1)).front());
      }
    }
    meter.count_batch(clock.elapsed_us());
    return outcomes;
  }

  /// Writes one transaction. Empty if it failed and its sets must be retried one by one (never for a single set).
  [[nodiscard]] Outcomes write_once(std::span<const ChangeSet> batch) {
    try {
      look_for_dead_readers();
      WriteTransaction transaction(environment_.handle());
      return write_in(transaction, batch);
    } catch (const CorruptError& error) {
      environment_.count_corrupt_read();
      if (batch.size() > 1) return {};
      return {Outcome{Outcome::Kind::refused, problem_of(error.corrupt()), {}}};
    } catch (const LmdbError& error) {
      return failed(error.code(), When::applying, batch.size());
    }
  }

  [[nodiscard]] Outcomes write_in(WriteTransaction& transaction, std::span<const ChangeSet> batch) {
    Outcomes outcomes;
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
    if (log_) return write_logged(transaction, batch);
    if (auditor_) auditor_->begin();
    for (const ChangeSet& set : batch) {
      Applied applied = apply(transaction.handle(), environment_, set, auditor_.get());
      records += applied.records;
      bytes += applied.bytes;
      const auto kind = applied.is_conflict ? Outcome::Kind::conflict : Outcome::Kind::committed;
      outcomes.push_back({kind, {}, std::move(applied.canceled)});
    }
    if (auditor_) auditor_->close(transaction.handle(), environment_);
    if (const int code = close(transaction)) return failed(code, When::committing, batch.size());
    meter.count_records(records, bytes);
    return outcomes;
  }

  /// Writes one transaction that is also one row of the log.
  [[nodiscard]] Outcomes write_logged(WriteTransaction& transaction, std::span<const ChangeSet> batch) {
    if (!log_->state().is_leading) return Outcomes(batch.size(), refused_with(LogWriter::no_leader()));
    const Time now = log_->link().clock->now();
    Draft draft = drafted(transaction.handle(), environment_, batch, *log_, *auditor_, now);
    if (draft.body.empty()) return std::move(draft.outcomes);  // all conflict: no row is needed
    Logged logged = log_->append(draft.body, now, [&] { transaction.abort(); });
    switch (logged.kind) {
      case Logged::Kind::not_written: return Outcomes(batch.size(), refused_with(std::move(logged.problem)));
      case Logged::Kind::unknown: return Outcomes(batch.size(), in_doubt());
      case Logged::Kind::found:
        // The transaction was aborted in the meantime, so the row is applied again.
        if (!replay_rows({&logged.row, 1})) return broken(batch.size());
        return std::move(draft.outcomes);
      case Logged::Kind::durable: break;
    }
    // The row is in the log: a data file that cannot store it lags behind the log, and only a restart replays it.
    if (close(transaction) != 0) return broken(batch.size());
    log_->reached(draft.place);
    meter.count_records(draft.records, draft.bytes);
    return std::move(draft.outcomes);
  }

  [[nodiscard]] Expected<std::vector<ReplayedRow>> replay_rows(std::span<const LogRow> rows) {
    try {
      look_for_dead_readers();
      std::vector<ReplayedRow> replayed;
      while (!rows.empty()) {
        WriteTransaction transaction(environment_.handle());
        LogPlace place = log_->place();
        const std::size_t done =
            apply_rows(transaction.handle(), environment_, rows, *auditor_, place, replayed);
        if (done == 0) {
          transaction.abort();
          return parted_at(first_new(rows));
        }
        if (const int code = transaction.commit()) throw LmdbError(code, "commit");
        log_->reached(place);
        rows = rows.subspan(done);
      }
      return replayed;
    } catch (const CorruptError& error) {
      environment_.count_corrupt_read();
      return problem_of(error.corrupt());
    } catch (const LmdbError& error) {
      broken_.store(true, std::memory_order_release);
      return problem(ProblemKind::store_refuses,
                     std::string("The data file cannot take a row of the log: ") + error.what() + ".");
    }
  }

  /// The first row that was not applied. Needs: such a row exists.
  [[nodiscard]] const LogRow& first_new(std::span<const LogRow> rows) const {
    const std::uint64_t reached = log_->place().at.seq;
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const LogRow& row) { return row.at.seq > reached; });
    return found == rows.end() ? rows.front() : *found;
  }

  /// Marks a data file that does not fit a row, so that the next start replaces it instead of reading the row again.
  [[nodiscard]] Problem parted_at(const LogRow& row) {
    Problem why = does_not_fit(row);
    if (why.kind == ProblemKind::store_refuses) return why;
    LogPlace place = log_->place();
    place.at.digest.front() = static_cast<std::uint8_t>(~place.at.digest.front());
    WriteTransaction transaction(environment_.handle());
    put_place(transaction.handle(), environment_, place);
    require(transaction.commit(), "commit");
    return why;
  }

  void look_for_dead_readers() {
    constexpr std::uint64_t every_us = 60'000'000;
    if (since_check_.elapsed_us() < every_us) return;
    since_check_ = Clock();
    environment_.forget_dead_readers();
  }

  [[nodiscard]] int close(WriteTransaction& transaction) {
    const int planted = surroundings_.commit_error ? surroundings_.commit_error() : 0;
    if (planted == 0) return transaction.commit();
    transaction.abort();
    return planted;
  }

  /// LMDB has aborted the transaction. Returns the outcomes of its sets.
  [[nodiscard]] Outcomes failed(int code, When when, std::size_t sets) {
    if (when == When::committing && environment_.has_panicked()) return broken(sets);
    // A full disk or a file that may not grow can also appear as EIO, which LMDB derives from a short write.
    // LMDB has then rolled the transaction back and has not started to write its meta page.
    if (code == ENOSPC || code == EDQUOT ||
        (code == EIO && has_less_free_than(std::max(free_bytes_min_, std::uint64_t{1}))))
      return Outcomes(sets, disk_refusal());
    const bool is_survivable = is_full(code) || (when == When::applying && is_misuse(code));
    if (is_survivable && sets > 1) return {};
    if (code == MDB_MAP_FULL) return {map_refusal()};
    if (is_full(code)) return {refusal("The store is full (" + std::string(mdb_strerror(code)) + ").")};
    if (is_survivable) {
      return {Outcome{Outcome::Kind::refused, problem(ProblemKind::internal, mdb_strerror(code)), {}}};
    }
    // After a failed sync, the kernel may have dropped dirty pages, but LMDB would continue (F7).
    return broken(sets);
  }
  [[nodiscard]] Outcomes broken(std::size_t sets) {
    broken_.store(true, std::memory_order_release);
    return Outcomes(sets, breakdown());
  }

  [[nodiscard]] bool has_less_free_than(std::uint64_t bytes) const {
    return (surroundings_.free_bytes ? surroundings_.free_bytes() : environment_.free_bytes()) < bytes;
  }
  [[nodiscard]] bool is_disk_full() const { return has_less_free_than(free_bytes_min_); }
  [[nodiscard]] static Outcome map_refusal() {
    return refusal(
        "The data file has reached --map-size: DELETE unneeded records, or restart "
        "with "
        "--retention or with a larger --map-size.");
  }
  [[nodiscard]] static Outcome disk_refusal() {
    return refusal(
        "The disk is full (less than --disk-free-min is left), or the data file may not grow (ulimit -f, "
        "LimitFSIZE): make room for it.");
  }

  Environment& environment_;
  std::uint64_t free_bytes_min_;
  Surroundings surroundings_;
  std::unique_ptr<Auditor> auditor_;  ///< null: no audit log
  std::unique_ptr<LogWriter> log_;    ///< null: a single node
  std::mutex turn_;                   ///< serializes commit() and replay(); unused without a log
  Clock since_check_;
  std::atomic<bool> busy_{false};  ///< detects a second thread that commits concurrently, which is a bug
  std::atomic<bool> broken_{false};
};

Committer::Committer(Environment& environment, std::uint64_t free_bytes_min, Surroundings surroundings)
    : core_(std::make_unique<Core>(environment, free_bytes_min, std::move(surroundings))) {}
Committer::~Committer() = default;

Outcomes Committer::commit(std::span<const ChangeSet> batch) {
  return core_->commit(batch);
}
bool Committer::is_broken() const {
  return core_->is_broken();
}
CommitFigures Committer::figures() const {
  return core_->meter.figures();
}
void Committer::audit(const AuditOptions& options) {
  core_->audit(options);
}
void Committer::follow_log(LogLink link) {
  core_->follow_log(std::move(link));
}
void Committer::start_leading(const Leadership& leadership) {
  core_->log().start_leading(leadership);
}
void Committer::stop_leading() {
  core_->log().stop_leading();
}
Expected<std::vector<ReplayedRow>> Committer::replay(std::span<const LogRow> rows) {
  return core_->replay(rows);
}
LogPlace Committer::place() const {
  return core_->log().place();
}
LogState Committer::log_state() const {
  return core_->log().state();
}
void Committer::surround(Surroundings surroundings) {
  core_->surround(std::move(surroundings));
}

}  // namespace parley::store
