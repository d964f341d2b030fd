#pragma once
/// WorkMarks: which results the threads of this process are working at this very moment, in memory that outlives the
/// process (I10, ADR 10). A process that ends within a piece of work leaves that result's mark behind, and the next start
/// finds it. To set and to clear a mark costs a few stores to memory: no lock, no system call, no commit.
///
///   file `working`: 16 KiB = 256 slots of 64 bytes; slot 0 holds a magic word, the number of the process and whether it
///   stopped when it was asked to; each other one {state: 0 free, 1 taken, 2 marked; result: 16 bytes}
///
/// Thread: mark() and the end of a Mark on any; the rest on one, before any work begins, and stop() when it ends. Marks survive kill -9 and abort(),
/// not a loss of power, which no piece of work causes.

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "model/expected.hpp"
#include "model/id.hpp"

namespace parley::store {

class WorkMarks {
 public:
  /// As long as it lives, its result is marked. One that found no slot free marks nothing.
  class Mark {
   public:
    Mark() = default;
    Mark(Mark&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
    Mark& operator=(Mark&&) = delete;
    ~Mark();

   private:
    friend class WorkMarks;
    explicit Mark(void* slot) : slot_(slot) {}
    void* slot_ = nullptr;
  };

  /// Opens or makes the file in the data directory, which this process holds. Problem: `store_refuses`, as on a full disk.
  [[nodiscard]] static Expected<std::unique_ptr<WorkMarks>> open(const std::filesystem::path& directory);
  ~WorkMarks();
  WorkMarks(const WorkMarks&) = delete;
  WorkMarks& operator=(const WorkMarks&) = delete;

  /// What the process before this one was working at when it ended; each result once.
  [[nodiscard]] const std::vector<Id>& left() const { return left_; }
  /// Stands for the end of that process: the same until settle(), so that nothing is counted twice for it.
  [[nodiscard]] std::int64_t process() const { return process_; }
  /// What was left is dealt with, durably.
  void settle();

  /// Whether that process was asked to stop and did: nothing that was under way then ended it.
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }
  /// The last act of a process that was asked to stop.
  void stop();

  [[nodiscard]] Mark mark(const Id& result);

 private:
  explicit WorkMarks(void* memory);

  void* memory_;
  std::vector<Id> left_;
  std::int64_t process_ = 0;
  bool was_stopped_ = false;
};

/// Nothing where no marks are kept.
[[nodiscard]] inline WorkMarks::Mark mark(WorkMarks* marks, const Id& result) {
  return marks == nullptr ? WorkMarks::Mark() : marks->mark(result);
}

}  // namespace parley::store
