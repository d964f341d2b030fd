#pragma once
/// WorkMarks: the results that threads of this process are working on, in memory that outlives the process
/// (I10, ADR 10). A process that ends while it works on a result leaves the result's mark, and the next start
/// finds it. Setting or clearing a mark costs a few memory writes: no lock, no system call, no commit.
///
///   file `working`: 16 KiB = 256 slots of 64 bytes; slot 0 holds a magic word, the process number, and whether the
///   process stopped on request; each other slot {state: 0 free, 1 taken, 2 marked; result: 16 bytes}
///
/// Thread: mark() and the end of a Mark on any; the rest on one, before any work starts, and stop() at the end.
/// Marks survive kill -9 and abort(), but not a power loss, which no work on a result causes.

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "model/expected.hpp"
#include "model/id.hpp"

namespace parley::store {

class WorkMarks {
 public:
  /// Marks its result as long as the object lives. If no slot is free, it marks nothing.
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

  /// Opens or creates the file in the data directory, which this process has locked. Problem: `store_refuses`,
  /// for example on a full disk.
  [[nodiscard]] static Expected<std::unique_ptr<WorkMarks>> open(const std::filesystem::path& directory);
  ~WorkMarks();
  WorkMarks(const WorkMarks&) = delete;
  WorkMarks& operator=(const WorkMarks&) = delete;

  /// The results that the previous process was working on when it ended, each once.
  [[nodiscard]] const std::vector<Id>& left() const { return left_; }
  /// Identifies the end of that process. Unchanged until settle(), so that one end is never counted twice.
  [[nodiscard]] std::int64_t process() const { return process_; }
  /// Records durably that the found marks were handled.
  void settle();

  /// Whether that process was asked to stop and did, so that no work in progress ended it.
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }
  /// Call as the last action of a process that was asked to stop.
  void stop();

  [[nodiscard]] Mark mark(const Id& result);

 private:
  explicit WorkMarks(void* memory);

  void* memory_;
  std::vector<Id> left_;
  std::int64_t process_ = 0;
  bool was_stopped_ = false;
};

/// Does nothing if `marks` is null.
[[nodiscard]] inline WorkMarks::Mark mark(WorkMarks* marks, const Id& result) {
  return marks == nullptr ? WorkMarks::Mark() : marks->mark(result);
}

}  // namespace parley::store
