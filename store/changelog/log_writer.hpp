#pragma once
/// Internal to store/: the committer's side of a log: whether this node leads, and the outcome of a row that it
/// appended.
/// Thread: append() on that of commit(); the rest on any. The mutex guards a few numbers and is never held
/// during a call.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "store/changelog/log_state.hpp"

namespace parley::store {

/// The final outcome of a row.
struct Logged {
  enum class Kind : std::uint8_t {
    durable,      ///< apply the row
    not_written,  ///< and never will be; `problem` says why
    found,        ///< its outcome was unknown, and it is now in the log as `row`
    unknown,      ///< the process must end before the log answered
  };
  Kind kind = Kind::unknown;
  Problem problem;
  LogRow row;
};

class LogWriter {
 public:
  explicit LogWriter(LogLink link);

  [[nodiscard]] const LogLink& link() const { return link_; }
  [[nodiscard]] LogPlace place() const;
  [[nodiscard]] LogState state() const;
  /// Call after the transaction that wrote the place.
  void reached(const LogPlace& place);

  void start_leading(const Leadership& leadership);
  /// Returns once no append is in progress, or after a second.
  void stop_leading();
  /// The problem that every write on a non-leading node returns.
  [[nodiscard]] static Problem no_leader();

  /// Appends one row after place(). While the log cannot be reached, repeats the append for at most
  /// `held_for_ms` since the log was last reached. If the connection is lost, calls `release` and queries the
  /// log until it answers.
  [[nodiscard]] Logged append(std::string_view body, Time now, const std::function<void()>& release);

 private:
  [[nodiscard]] Logged resolved(std::string_view body, const std::function<void()>& release);
  /// The row after place(), once the log can report it; nullopt: the process must end.
  [[nodiscard]] std::optional<Expected<LogTail>> asked_again();
  [[nodiscard]] Appended sent(std::string_view body, Time now);
  [[nodiscard]] bool is_held();
  [[nodiscard]] bool may_append(std::uint64_t& term);
  void confirmed(std::int64_t asked_ms, std::uint64_t us);
  void fenced();
  void settled();

  LogLink link_;
  /// boottime_ms() of the first in a series of unsent appends; used by append().
  std::optional<std::int64_t> away_since_ms_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  LogState state_;     ///< guarded by mutex_
  LogPlace place_;     ///< guarded by mutex_
  bool busy_ = false;  ///< an append is in progress; guarded by mutex_
};

}  // namespace parley::store
