#pragma once
/// ByteBudget: how many bytes of one sort (bodies that clients send, answers that they do not read) the process holds
/// at once, whoever they belong to (I63). Shares give theirs back when they go, so no path can forget it.
///
/// Thread: any, without locks. Invariant: the small ones keep a reserve that the large cannot take, so that somebody who fills the
/// budget with large ones stops other large ones only; and a large one that is alone is always let in, however large it may be.

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace parley::http {

class ByteBudget {
 public:
  struct Bounds {
    std::size_t all_max;         ///< bytes of all together
    std::size_t large_max;       ///< of that, what the large ones may have
    std::size_t small_each_max;  ///< one beyond this is large
  };
  class Share;

  explicit ByteBudget(const Bounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] std::size_t bytes() const { return small_.load() + large_.load(); }

 private:
  [[nodiscard]] bool is_large(std::size_t bytes) const { return bytes > bounds_.small_each_max; }
  [[nodiscard]] bool take(std::size_t bytes);
  void give_back(std::size_t bytes);

  Bounds bounds_;
  std::atomic<std::size_t> small_ = 0;
  std::atomic<std::size_t> large_ = 0;
};

/// The bytes of one body or answer. Thread: one at a time. It may outlive the server.
class ByteBudget::Share {
 public:
  Share() = default;
  Share(Share&& other) noexcept : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Share& operator=(Share&& other) noexcept;
  ~Share() { release(); }

  /// False when that is more than there is; then it has nothing any more. Never shrinks.
  [[nodiscard]] bool grow_to(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget);
  /// Counts what cannot be refused any more, so that others are.
  void hold(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget);
  void release();

 private:
  std::shared_ptr<ByteBudget> budget_;
  std::size_t bytes_ = 0;
};

}  // namespace parley::http
