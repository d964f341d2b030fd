#pragma once
/// The shell that an actor puts around its pure machine. Commands and events wait here in a bounded list, are
/// decided one at a time into one change set, and are answered when it is durable. Nothing is decided while a
/// commit is in progress, so memory never runs ahead of disk: `saving` is a state of the shell. Owned by one
/// actor and used on its thread only.
///
/// Order: saves first, then effects, then replies.
/// Invariant: each command is answered exactly once. An event is never lost to a conflict or to a refused
/// commit, and an event that is lost is logged.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "actors/base/commit_outcome.hpp"
#include "actors/gateway.hpp"
#include "model/limits.hpp"

namespace parley::actors {

/// The outcome of one command or event.
template <class Reply>
struct Decided {
  /// Absent on events, for which no caller waits.
  std::optional<Expected<Reply>> reply = {};
  bool saves = false;
  /// No other decision may share its change set.
  bool stands_alone = false;
};

/// What the queue requires of its actor.
template <class What, class Reply>
class Decider {
 public:
  virtual ~Decider() = default;

  /// Whether the decision reads the store: then earlier decisions must be durable.
  [[nodiscard]] virtual bool reads_store(const What& what) const = 0;
  /// Whether an effect with this Idempotency-Key is already durable.
  [[nodiscard]] virtual Expected<bool> has_kept(const std::string& key) const = 0;
  /// Decides on the state in memory and adds the changes to save. Problem: the facts could not be read, or do
  /// not allow the decision; the state is unchanged.
  [[nodiscard]] virtual Expected<Decided<Reply>> decide(const What& what, store::ChangeSet& changes) = 0;
  /// Whether the store still holds the state that the last decisions were based on. The guards of a commit
  /// prove it. A refusal, or an answer that changes nothing, commits nothing, and another writer may have
  /// bypassed the actor.
  [[nodiscard]] virtual Expected<bool> is_current() const = 0;
  /// Called when the change set is complete: adds the record itself with its guard.
  virtual void seal(store::ChangeSet& changes) = 0;
  /// Sends the change set to the writer; its outcome must be passed to DecisionQueue::on_outcome.
  virtual void commit(store::ChangeSet changes) = 0;
  /// Called when the decisions are durable: carries out their effects.
  virtual void saved(store::Outcome& outcome) = 0;
  /// Called when memory differs from disk: drops state and effects.
  virtual void forget() = 0;
  /// Calls DecisionQueue::wake after a short delay.
  virtual void wake_later() = 0;
  /// The record's name, for the log.
  [[nodiscard]] virtual std::string whose() const = 0;
};

/// Whether the store holds the record in the revision that an actor knows.
template <store::Stamped T>
[[nodiscard]] Expected<bool> is_stored(const store::Snapshot& snapshot, const T& known) {
  TRY(stored, snapshot.raw<T>(known.stamp.id));
  return stored && stored->revision == known.stamp.revision;
}

template <class What, class Reply>
class DecisionQueue {
 public:
  explicit DecisionQueue(Decider<What, Reply>& decider) : decider_(decider) {}

  /// A client's command: answered `busy` beyond the bound. The key of its origin is stored with its effect
  /// (D9).
  void take(What what, Completion<Reply> done, Origin origin = {}) {
    if (waiting_.size() >= limits::waiting_commands_max) return done(too_busy());
    waiting_.push_back({std::move(what), std::move(done), std::move(origin)});
    advance();
  }
  /// An event from another actor. Needs: its source is bounded.
  void take(What what) {
    waiting_.push_back({std::move(what), {}, {}});
    advance();
  }

  /// The result of the commit in progress.
  void on_outcome(store::Outcome& outcome) {
    is_saving_ = false;
    if (outcome.kind == store::Outcome::Kind::committed) {
      settle(outcome);
      return advance();
    }
    if (outcome.kind == store::Outcome::Kind::conflict) {
      decide_again();
      return advance();
    }
    has_undurable_ = false;
    decider_.forget();
    keep([](Waiting& one) { return !one.done; }, outcome.problem);
    const bool has_command = std::any_of(waiting_.begin(), waiting_.end(), is_command);
    if (has_command) return advance();  // each round answers some, so this ends
    wake_if_waiting();
  }
  /// Retries events whose commit was refused.
  void wake() {
    is_waking_ = false;
    advance();
  }
  /// Answers all waiting callers with this problem.
  void fail(const Problem& problem) {
    is_saving_ = false;
    has_undurable_ = false;
    changes_ = {};
    decider_.forget();
    std::vector<Answer> batch = std::exchange(batch_, {});
    std::vector<Waiting> waiting = std::exchange(waiting_, {});
    for (Answer& answer : batch) give_up(answer.waiting, problem);
    for (Waiting& one : waiting) {
      if (!one.is_batched) give_up(one, problem);
    }
  }

  /// True if a decision in memory is not yet on disk.
  [[nodiscard]] bool has_undurable() const { return has_undurable_; }
  [[nodiscard]] bool is_idle() const { return !is_saving_ && waiting_.empty(); }
  [[nodiscard]] bool has_waiting_event() const {
    return !std::all_of(waiting_.begin(), waiting_.end(), is_command);
  }

 private:
  /// After this many conflicts in a row the client must retry.
  static constexpr int conflicts_max = 8;

  struct Waiting {
    What what;
    Completion<Reply> done;  ///< empty for an event
    Origin origin;
    int conflicts = 0;
    bool is_batched = false;  ///< its content is in the batch
  };
  struct Answer {
    Waiting waiting;
    std::optional<Expected<Reply>> reply;
  };
  static bool is_command(const Waiting& one) { return static_cast<bool>(one.done); }

  void advance() {
    while (!is_saving_ && !waiting_.empty()) {
      const Expected<Done> gathered = guarded<Done>([this] { return gather(); });
      if (!gathered) return set_back(gathered.problem());
      if (is_empty(changes_)) {
        changes_ = {};
        const Expected<bool> is_current = guarded<bool>([this] { return decider_.is_current(); });
        if (!is_current) return set_back(is_current.problem());
        if (!*is_current) {
          decide_again();
          continue;
        }
        store::Outcome nothing;
        settle(nothing);
      } else {
        is_saving_ = true;
        decider_.commit(std::exchange(changes_, {}));
      }
    }
  }

  /// Decides as many waiting commands as fit into one change set.
  Expected<Done> gather() {
    std::size_t taken = 0;
    for (bool continues = true; continues && taken < waiting_.size(); ++taken) {
      Waiting& next = waiting_[taken];
      if (has_undurable_ && decider_.reads_store(next.what)) break;
      Expected<Decided<Reply>> decided = decide(next);
      if (!decided) decided = refused(next, std::move(decided).problem());
      has_undurable_ = has_undurable_ || decided->saves;
      if (decided->saves && !next.origin.by.is_service()) changes_.authors.push_back(next.origin.by);
      continues = !decided->stands_alone && changes_.bytes() < limits::batch_bytes_max;
      batch_.push_back({std::move(next), std::move(decided->reply)});
      next.is_batched = true;  // NOLINT(bugprone-use-after-move): its place stays until the batch is complete
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
    if (has_undurable_ || !is_empty(changes_)) decider_.seal(changes_);
    return Done{};
  }

  /// Decides, and stores the Idempotency-Key of a success in the same change set, even if nothing else
  /// changes. A second request with the same key has no effect (I4).
  Expected<Decided<Reply>> decide(const Waiting& next) {
    const OptionalIdempotency& key = next.origin.keep;
    if (!key) return decider_.decide(next.what, changes_);
    const Expected<bool> is_kept = decider_.has_kept(key->key);
    if (!is_kept) return Decided<Reply>{.reply = Expected<Reply>(is_kept.problem())};
    if (*is_kept || store::remembers(changes_, key->key)) {
      return Decided<Reply>{.reply = Expected<Reply>(store::still_in_progress())};
    }
    TRY(decided, decider_.decide(next.what, changes_));
    if (decided.reply && decided.reply->ok()) {
      const std::vector<Id> ids = affected_ids(decided.reply->value());
      if (!ids.empty()) store::remember(changes_, *key, ids);
    }
    return decided;
  }

  /// A decision that failed, through the fault of this one command or this one record.
  Decided<Reply> refused(const Waiting& waiting, Problem problem) {
    CHECK(!has_undurable_);
    decider_.forget();
    if (!waiting.done) log_dropped(problem);
    return {.reply = Expected<Reply>(std::move(problem))};
  }

  /// Deciding threw. Commands are answered; the cause may pass, so events are retried a few times after a
  /// short delay.
  void set_back(const Problem& problem) {
    has_undurable_ = false;
    changes_ = {};
    decider_.forget();
    std::vector<Waiting> all;
    for (Answer& answer : std::exchange(batch_, {})) all.push_back(std::move(answer.waiting));
    for (Waiting& one : std::exchange(waiting_, {})) {
      if (!one.is_batched) all.push_back(std::move(one));
    }
    for (Waiting& one : all) {
      one.is_batched = false;
      if (!one.done && ++one.conflicts <= conflicts_max) {
        waiting_.push_back(std::move(one));
      } else {
        give_up(one, problem);
      }
    }
    wake_if_waiting();
  }

  void give_up(Waiting& one, const Problem& problem) {
    if (one.done) return one.done(problem);
    if (problem.kind != ProblemKind::draining)
      log_dropped(problem);  // the next start continues from the record
  }

  void log_dropped(const Problem& problem) const {
    spdlog::error("event dropped of={} detail=\"{}\"", decider_.whose(), problem.detail);
  }

  void wake_if_waiting() {
    if (waiting_.empty() || is_waking_) return;
    is_waking_ = true;
    decider_.wake_later();
  }

  /// The batch was decided on an outdated state. Decides again, until a command reaches its limit of
  /// conflicts or no other writer interferes.
  void decide_again() {
    has_undurable_ = false;
    decider_.forget();
    keep([](Waiting& one) { return !one.done || ++one.conflicts <= conflicts_max; }, too_busy());
  }

  void settle(store::Outcome& outcome) {
    has_undurable_ = false;
    decider_.saved(outcome);
    std::vector<Answer> batch = std::exchange(batch_, {});
    for (Answer& answer : batch) {
      if (!answer.waiting.done) continue;
      answer.waiting.done(answer.reply ? std::move(*answer.reply) : Expected<Reply>(too_busy()));
    }
  }

  /// Puts the batch's items for which `is_kept` is true back at the front, in their order, and answers the
  /// others.
  template <class F>
  void keep(F is_kept, const Problem& problem) {
    std::vector<Waiting> again;
    std::vector<Answer> batch = std::exchange(batch_, {});
    for (Answer& answer : batch) {
      if (is_kept(answer.waiting)) {
        again.push_back(std::move(answer.waiting));
      } else {
        answer.waiting.done(problem);
      }
    }
    waiting_.insert(waiting_.begin(), std::make_move_iterator(again.begin()),
                    std::make_move_iterator(again.end()));
  }

  Decider<What, Reply>& decider_;
  std::vector<Waiting> waiting_;
  std::vector<Answer> batch_;  ///< decided, not yet durable
  store::ChangeSet changes_;
  bool has_undurable_ = false;
  bool is_saving_ = false;
  bool is_waking_ = false;
};

}  // namespace parley::actors
